"""Real runs of identical arms: how often each test calls them different, where 5 in 100 is what it promises.

Usage: python tests/bench/aa.py [--file FILE.pyprof] [--minutes N] [--node NODE]

Runs `none` twice per block (`--aa`) by the driver, a fresh process each, until the minutes are over, and goes on with
the file where it exists. The blocks are then cut into comparisons of 3, 5 and 10 blocks that share no process. Prints a
table in Markdown: of how many comparisons the test on single samples (as in the original table), Welch's over processes
and the paired one on logs calls the arms different at 5 %.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyprof import Comparison, Results, experiment, noise, stats
from pyprof.errors import TrialError
from pyprof.run import extend, run_experiment
from pyprof.running.progress import Progress

LEVEL = 0.05
SIZES = (3, 5, 10)
METRICS = ("cpu_per_request", "rss")
ROUND = 10  # blocks before it looks at the clock again
PLAN: dict[str, Any] = {
    "profilers": ["none"],
    "aa": True,
    "blocks": ROUND,
    "warmup": 0.5,
    "duration": 2.0,
    "rate": 30.0,
    "seed": 1,
}


class _Blocks(Progress):
    def block_started(self, block: int, n_blocks: int) -> None:
        sys.stderr.write(f"\rblock {block} of {n_blocks}")


def run(path: Path, minutes: float, node: str) -> Comparison:
    """The file with as many more blocks as fit."""
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        try:
            if path.exists():
                extend(path, ROUND, progress=_Blocks())
            else:
                run_experiment(experiment.load(nodes=[node], **PLAN), path, progress=_Blocks())
        except TrialError as error:  # too busy at the moment; what was finished is kept
            sys.stderr.write(f"\n{error}\n")
    return Results.open(path)


@dataclass(frozen=True)
class Arms:
    """One comparison: the values of both arms by block, on logs, and all their samples."""

    x: Sequence[float]
    y: Sequence[float]
    samples: tuple[Sequence[float], Sequence[float]]


def cut(comparison: Comparison, metric: str, size: int) -> Iterator[Arms]:
    """The comparisons of ``size`` blocks that follow each other."""
    contrast = comparison.contrast(metric, "none:again", "none")
    arms = [{trial.block: trial for trial in comparison[name].trials} for name in ("none:again", "none")]
    for first in range(0, len(contrast.blocks) - size + 1, size):
        span = slice(first, first + size)
        of_arms = [[v for b in contrast.blocks[span] for v in contrast.metric.samples(arm[b])] for arm in arms]
        yield Arms(contrast.x[span], contrast.y[span], (of_arms[0], of_arms[1]))


def shares(comparison: Comparison) -> list[tuple[str, ...]]:
    """The rows of the table."""
    rows: list[tuple[str, ...]] = []
    for metric in METRICS:
        for size in SIZES:
            found = list(cut(comparison, metric, size))
            if not found:
                continue
            naive = "–"
            if len(found[0].samples[0]) > 1:
                naive = _share([stats.student(*arms.samples).pvalue for arms in found])
            rows.append((
                comparison.contrast(metric, "none:again", "none").metric.title, str(size), str(len(found)), naive,
                _share([stats.welch(arms.x, arms.y).pvalue for arms in found]),
                _share([stats.paired(arms.x, arms.y).pvalue for arms in found]),
            ))  # fmt: skip
    return rows


def _share(p: Sequence[float]) -> str:
    different = sum(value < LEVEL for value in p)
    return f"{different} ({100 * different / len(p):.0f} %)"


def markdown(comparison: Comparison) -> str:
    """The table, and what it is of."""
    heads = ("metric", "blocks", "comparisons", "single samples", "Welch", "paired on logs")
    lines = ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in shares(comparison)]
    pairs = noise.naive_pairs(comparison, "rss")
    about = comparison.environment
    return "\n".join([
        f"Node {comparison.nodes[0]}, {comparison.experiment.blocks} blocks of two, begun {about['started']}, "
        f"{about['cpus']} CPUs, load average {about['load_average']} at the beginning.", "", *lines, "",
        f"Two processes of one arm: the test on single RSS samples calls {pairs.different} of {pairs.pairs} pairs "
        "different.", "",
    ])  # fmt: skip


def main() -> int:
    """Measures and prints; see above."""
    parser = argparse.ArgumentParser(description="how often the tests call identical arms different, in real runs")
    parser.add_argument("--file", type=Path, default=Path("build/aa.pyprof"))
    parser.add_argument("--minutes", type=float, default=25.0)
    parser.add_argument("--node", default="system")
    options = parser.parse_args()
    comparison = run(options.file, options.minutes, options.node)
    sys.stderr.write("\n")
    sys.stdout.write(markdown(comparison))
    return 0


if __name__ == "__main__":
    sys.exit(main())
