"""What the simulated experiments measure: blocks of trials, samples within processes, RSS over time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

RESIDUAL = 0.03  # coefficient of variation of a trial within its block
RSS_POINTS, SECONDS, PROFILES_PER_SECOND = 200, 50.0, 40.0  # the preset `leak`: 2,000 profiles a trial


def heavy_tailed(generator: np.random.Generator, size: tuple[int, ...]) -> Array:
    """Student's t with 3 degrees of freedom, scaled to a standard deviation of 1."""
    return np.asarray(generator.standard_t(3, size) / np.sqrt(3))


def blocks(
    generator: np.random.Generator, n: int, n_blocks: int, block_sd: float, heavy: bool = False, cost: float = 0.0
) -> tuple[Array, Array]:
    """`n` experiments of candidate and baseline, one value a block: exp(block + noise), the candidate exp(cost) times.

    `block_sd` is in units of the residual.
    """
    draw = heavy_tailed if heavy else generator_normal
    block = block_sd * RESIDUAL * draw(generator, (n, n_blocks))
    noise = RESIDUAL * generator.normal(size=(2, n, n_blocks))
    return np.exp(block + cost + noise[0]), np.exp(block + noise[1])


def generator_normal(generator: np.random.Generator, size: tuple[int, ...]) -> Array:
    """Standard normal."""
    return generator.normal(size=size)


def hit_by_neighbours(generator: np.random.Generator, values: Array, share: float, size: float) -> Array:
    """A `share` of trials is slowed by the neighbour on the machine: exponentially distributed, `size` on average."""
    hit = generator.random(values.shape) < share
    return np.asarray(values * np.exp(hit * generator.exponential(size, values.shape)))


def autoregressive(generator: np.random.Generator, shape: tuple[int, ...], rho: float) -> Array:
    """First-order autoregressive series along the last axis, stationary, of standard deviation 1."""
    series = generator.normal(size=shape)
    fresh = np.sqrt(1 - rho**2)
    for i in range(1, shape[-1]):
        series[..., i] = rho * series[..., i - 1] + fresh * series[..., i]
    return series


def rss(generator: np.random.Generator, shape: tuple[int, ...], leak: float) -> tuple[Array, Array]:
    """Sampling times (s) and RSS (KiB) of many trials that leak `leak` KiB a profile.

    On top of the leak: a saw of 4 MiB with a tooth every 1.5 to 4 s (young generation), a transient of 4 to 12 MiB that
    settles with a time constant of 5 to 10 s, autoregressive noise of 300 KiB, and growth of the process' own, the same
    for both arms of a block but for a spread of 10 KiB/s.
    """
    times = np.linspace(0, SECONDS, RSS_POINTS)
    tooth = generator.uniform(1.5, 4, (*shape, 1))
    saw = 4096 * ((times / tooth + generator.random((*shape, 1))) % 1)
    settling = generator.uniform(4096, 12288, (*shape, 1)) * (
        1 - np.exp(-times / generator.uniform(5, 10, (*shape, 1)))
    )
    own = generator.normal(20, 10, (*shape, 1)) * times
    noise = 300 * autoregressive(generator, (*shape, RSS_POINTS), 0.7)
    return times, 60 * 1024 + saw + settling + own + noise + leak * PROFILES_PER_SECOND * times
