"""The two-level bootstrap of the C core against numpy doing the same vectorised, in one run on one core.

Usage: python tests/bench/bench_bootstrap.py [--rounds N]

Two arms of 20 processes x 200 samples, 10,000 resamples of the difference of means. numpy in three ways: vectorised
over all resamples at once, as scipy.stats.bootstrap does by default, which is the one that counts; the same expression
in chunks that stay in the cache, at several sizes; and tuned by hand (32-bit indices, `take`, small chunks). Prints a
table in Markdown; ends with 1 where the core is not `WANTED` times as fast as the first.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pyprof import stats

Series = npt.NDArray[np.float64]

N_RESAMPLES, N_PROCESSES, N_SAMPLES = 10_000, 20, 200
WANTED = 20
AT_ONCE = "numpy, all resamples at once"


def plain(arm: Series, n: int, generator: np.random.Generator) -> Series:
    """Means of `n` resamples of processes, and of samples within each."""
    processes = generator.integers(0, N_PROCESSES, (n, N_PROCESSES, 1))
    samples = generator.integers(0, N_SAMPLES, (n, N_PROCESSES, N_SAMPLES))
    return np.asarray(arm[processes, samples].mean(axis=(1, 2)))


def tuned(arm: Series, n: int, generator: np.random.Generator) -> Series:
    """The same with less memory traffic."""
    first = generator.integers(0, N_PROCESSES, (n, N_PROCESSES, 1), dtype=np.uint32) * np.uint32(N_SAMPLES)
    samples = generator.integers(0, N_SAMPLES, (n, N_PROCESSES, N_SAMPLES), dtype=np.uint32)
    return np.asarray(arm.ravel().take(first + samples).mean(axis=(1, 2)))


def with_numpy(
    resample: Callable[[Series, int, np.random.Generator], Series], chunk: int, x: Series, y: Series
) -> tuple[float, float]:
    """Percentile interval of the difference, `chunk` resamples at a time."""
    generator = np.random.default_rng(1)
    parts = [resample(x, chunk, generator) - resample(y, chunk, generator) for _ in range(N_RESAMPLES // chunk)]
    low, high = np.quantile(np.concatenate(parts), [0.025, 0.975])
    return float(low), float(high)


def with_core(x: Series, y: Series) -> tuple[float, float]:
    """The same by the core."""
    found = stats.bootstrap(x, y, seed=1, n_resamples=N_RESAMPLES)
    return found.ci_low, found.ci_high


def fastest(ways: dict[str, Callable[[], tuple[float, float]]], rounds: int) -> dict[str, tuple[float, float, float]]:
    """Least CPU seconds of each way, with its interval; the ways take turns, so that a busy machine hits all alike."""
    found: dict[str, tuple[float, float, float]] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.process_time()
            low, high = way()
            seconds = time.process_time() - start
            if name not in found or seconds < found[name][0]:
                found[name] = (seconds, low, high)
    return found


def main() -> int:
    """Measures and prints; see above."""
    parser = argparse.ArgumentParser(description="bootstrap: the core against numpy")
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds

    generator = np.random.default_rng(0)
    spread = generator.normal(100, 1, (2, N_PROCESSES, 1))
    x, y = spread + generator.normal(0, 1, (2, N_PROCESSES, N_SAMPLES))
    chunked = {f"numpy, chunks of {chunk:,}": (plain, chunk) for chunk in (100, 500, 2_000)}
    ways: dict[str, Callable[[], tuple[float, float]]] = {
        name: lambda resample=resample, chunk=chunk: with_numpy(resample, chunk, x, y)  # type: ignore[misc]
        for name, (resample, chunk) in {
            AT_ONCE: (plain, N_RESAMPLES),
            **chunked,
            "numpy, tuned, chunks of 50": (tuned, 50),
        }.items()
    }
    ways["pyprof.stats.bootstrap"] = lambda: with_core(x, y)
    found = fastest(ways, rounds)

    own = found["pyprof.stats.bootstrap"][0]
    lines = ["| way | CPU ms | times the core's | 95 % interval |", "|---|---:|---:|---|"]
    for name, (seconds, low, high) in found.items():
        lines.append(f"| {name} | {1000 * seconds:.0f} | {seconds / own:.1f} | {low:.3f} to {high:.3f} |")
    ratio = found[AT_ONCE][0] / own
    lines.append(f"\n{ratio:.0f} times as fast as numpy, vectorised (wanted: {WANTED}).\n")
    sys.stdout.write("\n".join(lines))
    return 0 if ratio >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
