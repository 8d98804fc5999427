"""Real runs of profilers that leak exactly so much, or grow without leaking: what the verdict on 8 KiB says of them.

Usage: python tests/bench/injected_leaks.py [--rounds N] [--blocks N]

Each round is two comparisons by the driver, all variants of a block at the same time. Prints a table in
Markdown: of how many rounds each variant passes, fails and is left open, what was measured, and the smallest leak that
a round could have found.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # where `helpers` is: a script's path begins in it
from helpers import growth

import pyprof
from pyprof.leaks import leaks
from pyprof.verdicts import judge

GROUPS = (
    {
        "leak-0": "leak(0)",
        "leak-4": "leak(4)",
        "leak-8": "leak(8)",
        "leak-16": "leak(16)",
        "leak-64": "leak(64)",
    },
    {
        "settles": "settle(1000, 3)",
        "settled": "settle(64, 0.5)",
        "saw": "saw(8, 1)",
        "saw-large": "saw(24, 2)",
        "jump": "jump(48, 2, 10)",
    },
)


def main() -> int:
    """Measures and prints; see above."""
    parser = argparse.ArgumentParser(description="the leak verdict on real processes whose growth is known")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--blocks", type=int, default=3)
    options = parser.parse_args()
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    measured: dict[str, list[float]] = defaultdict(list)
    smallest: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="pyprof-") as folder, contextlib.chdir(folder):
        groups = [growth.write_adapters(Path(folder), calls) for calls in GROUPS]
        for number, names in itertools.product(range(1, options.rounds + 1), groups):
            made = pyprof.compare(
                profilers=["none", *names], blocks=options.blocks, concurrent=True, margins=["leak=8KiB"],
                seed=number, **growth.SHORT,
            )  # fmt: skip
            for row in judge(made).rows:
                said = (
                    row.outcome.value if row.low is not None else row.text.split(",")[0].removeprefix("cannot tell: ")
                )
                outcomes[row.candidate][said] += 1
            for leak in leaks(made):
                measured[leak.contrast.candidate].append(leak.contrast.difference or 0.0)
                smallest[leak.contrast.candidate].append(leak.smallest or 0.0)
            sys.stderr.write(f"{number}/{options.rounds}\n")
    lines = [
        f"{options.rounds} rounds of {options.blocks} blocks.", "",
        "| profiler | verdicts on 8 KiB | KiB per profile, mean of rounds (least to most) | smallest found (median) |",
        "| --- | --- | ---: | ---: |",
    ]  # fmt: skip
    for name in itertools.chain(*groups):
        said = ", ".join(f"{count} {what}" for what, count in outcomes[name].most_common())
        found = measured[name]
        lines.append(
            f"| {Path(name).stem} | {said} | {statistics.fmean(found):.1f} ({min(found):.1f} to {max(found):.1f}) | "
            f"{statistics.median(smallest[name]):.1f} |"
        )
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
