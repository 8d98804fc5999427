"""Results files made from numbers, for tests of what comes after the trials."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyprof import experiment
from pyprof.experiment import Experiment
from pyprof.results import ResultsFile
from pyprof.trials import Trial, Variant


def trial(variant: str, block: int, position: int = 0, *, rss_mib: float = 50.0, growth_kib_s: float = 0.0) -> Trial:
    """A trial of 8 s at 400 QPS whose RSS starts at ``rss_mib`` and grows evenly."""
    times = [0.02 + 0.04 * i for i in range(200)]
    made = Trial(variant, block, position, "2026-01-01T00:00:00+00:00")
    made.scalars = {
        "answers": 3200.0,
        "qps": 400.0,
        "cpu": 8.0,
        "load_cpu_share": 0.05,
        "paced": 0.0,
        "startup": 50.0,
        "latency_p50": 20.0,
        "latency_p99": 40.0,
        "vm_hwm": 80 * 2.0**20,
        "uss": 45 * 2.0**20,
        "loop_delay_p99": 12.0,
        "window": 8.0,
        "rss_samples": 200.0,
        "turns_per_second": 10.0,
    }
    made.series = {
        "rss_time": array("d", times),
        "rss": array("d", (rss_mib * 2**20 + growth_kib_s * 1024 * t for t in times)),
        "answers_per_second": array("d", [400.0] * 8),
    }
    return made


def write(
    path: Path,
    profilers: tuple[str, ...],
    make: Callable[[str, int, random.Random], Trial | None],
    *,
    blocks: int = 3,
    margins: tuple[str, ...] = (),
    **settings: Any,
) -> Path:
    """A results file on one Node, its trials made by ``make(profiler, block, random)``; None leaves one out."""
    made = experiment.load(profilers=profilers, blocks=blocks, seed=1, margins=margins, **settings)
    return _fill(path, made, [Variant(name, "12.19.0", name) for name in made.profilers], make)


def write_nodes(
    path: Path, names: list[str], make: Callable[[str, int, random.Random], Trial], *, blocks: int = 3
) -> Path:
    """A results file on several Nodes; ``names`` are ``NODE PROFILER``."""
    nodes, profilers = (tuple(dict.fromkeys(parts)) for parts in zip(*(name.split() for name in names), strict=True))
    made = experiment.load(nodes=nodes, profilers=profilers, blocks=blocks, seed=1)
    return _fill(
        path, made, [Variant(name, node, profiler) for name in names for node, profiler in [name.split()]], make
    )


def _fill(
    path: Path, made: Experiment, variants: list[Variant], make: Callable[[str, int, random.Random], Trial | None]
) -> Path:
    rng = random.Random(1)
    with ResultsFile.create(path, made, {"pyprof": "0", "system": "a test", "dropped": ["NODE_OPTIONS"]}) as results:
        results.write_variants(variants)
        for block in range(1, made.blocks + 1):
            for variant in variants:
                found = make(variant.name, block, rng)
                if found is not None:
                    results.write_trial(found)
    return path
