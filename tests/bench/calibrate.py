"""How often pyprof's statistics are right, by simulation: the table in the README.

Usage: python tests/bench/calibrate.py [--experiments N] [--jobs N] [--seed N] [--format markdown|json]

Each cell simulates `--experiments` experiments (10,000) from a stream of its own, so that the numbers do not depend on
the number of jobs. Progress goes to stderr. Ends with 1 where a cell leaves the bounds that it must keep, widened by
what the number of experiments leaves open.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # where `bench` is: a script's path begins in it
from bench import rates
from bench.cells import CELLS


def measure(index: int, seed: int, n: int) -> rates.Rates:
    """One cell, in a process of the pool."""
    cell = CELLS[index]
    return cell.measure(np.random.default_rng([seed, index]), n, *cell.arguments)


def measure_all(seed: int, n: int, jobs: int) -> list[rates.Rates]:
    """Every cell; tells of each one that is done."""
    start = time.monotonic()
    found: dict[int, rates.Rates] = {}
    with ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(measure, i, seed, n): i for i in reversed(range(len(CELLS)))}  # the longest come last
        for future in as_completed(running):
            index = running[future]
            found[index] = future.result()
            labels = ", ".join(f"{name} {value}" for name, value in CELLS[index].labels.items())
            elapsed = time.monotonic() - start
            sys.stderr.write(f"{len(found)}/{len(CELLS)} {elapsed:.0f} s: {CELLS[index].measure.__name__}: {labels}\n")
    return [found[i] for i in range(len(CELLS))]


def violations(found: list[rates.Rates], n: int) -> list[str]:
    """What is out of bounds by more than 4 standard errors of a share from `n` experiments."""
    lines = []
    for cell, measured in zip(CELLS, found, strict=True):
        for name, (low, high) in cell.bounds.items():
            slack_low, slack_high = (4 * math.sqrt(bound * (1 - bound) / n) for bound in (low, high))
            slack_low, slack_high = (0.0, 0.0) if n >= 10_000 else (slack_low, slack_high)
            if not low - slack_low <= measured[name] <= high + slack_high:
                lines.append(f"{cell.table}: {cell.labels}: {name} is {measured[name]:.4f}, not {low} to {high}")
    return lines


def shown(name: str, value: float) -> str:
    """Shares in per cent; ratios, counts and sizes as they are."""
    if any(word in name for word in ("width", "worth", "median", "KiB")):
        return f"{value:.2f}" if value < 10 else f"{value:.0f}"
    return f"{100 * value:.1f} %"


def markdown(found: list[rates.Rates], n: int, seed: int) -> str:
    """All tables."""
    lines = [f"{n:,} experiments a cell, seed {seed}."]
    title = ""
    for cell, measured in zip(CELLS, found, strict=True):
        if cell.table != title:
            title = cell.table
            heads = [*cell.labels, *measured]
            lines += ["", f"**{title}**", "", "| " + " | ".join(heads) + " |"]
            lines.append("|" + "---|" * len(cell.labels) + "---:|" * len(measured))
        values = [str(value) for value in cell.labels.values()] + [shown(*item) for item in measured.items()]
        lines.append("| " + " | ".join(values) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measures and prints; see above."""
    parser = argparse.ArgumentParser(description="how often pyprof's statistics are right, by simulation")
    parser.add_argument("--experiments", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", choices=("markdown", "json"), default="markdown")
    options = parser.parse_args()
    found = measure_all(options.seed, options.experiments, options.jobs)
    if options.format == "json":
        rows: list[dict[str, Any]] = [
            {"table": cell.table, **cell.labels, **measured} for cell, measured in zip(CELLS, found, strict=True)
        ]
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    else:
        sys.stdout.write(markdown(found, options.experiments, options.seed))
    wrong = violations(found, options.experiments)
    sys.stderr.write("".join(f"out of bounds: {line}\n" for line in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
