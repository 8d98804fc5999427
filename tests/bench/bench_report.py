"""How long a report over many trials takes.

Usage: python tests/bench/bench_report.py [--trials N] [--profilers N]

Makes a results file of `--trials` trials (10,000) with 200 RSS samples each, by the API that a run uses, then opens it
and renders every format. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # where `helpers` is: a script's path begins in it
from helpers import made_results

from pyprof import Comparison, Results
from pyprof.report import csv, html, json, markdown, text
from pyprof.trials import Trial

ARMS = ("none", "recreate", "keep", "pprof@2.0.0", "pprof@3.0.0")


def write(path: Path, n_trials: int, n_profilers: int) -> Path:
    """A results file of that many trials, with everything in them that a trial has."""

    def make(profiler: str, block: int, rng: Any) -> Trial:
        made = made_results.trial(profiler, block, rss_mib=50 + rng.random(), growth_kib_s=rng.random())
        for i in range(len(made.series["rss"])):
            made.series["rss"][i] += rng.random() * 1e5
        made.scalars["qps"] = 400 + rng.random()
        pauses = array("d", (rng.random() for _ in range(0 if profiler == "none" else 80)))
        made.series |= dict.fromkeys(("start_pause", "stop_pause", "encode_pause"), pauses)
        made.series |= {name: array("d", (1e7 * rng.random() for _ in range(80))) for name in ("heap_used", "external")}
        made.series["turn_time"] = array("d", (i / 10 for i in range(80)))
        return made

    profilers = ARMS[:n_profilers]
    return made_results.write(
        path, profilers, make, blocks=n_trials // len(profilers), margins=("rss=2%", "cpu_per_request=2%", "leak=8KiB")
    )


def show(comparison: Comparison) -> str:
    """The report on a terminal."""
    out = io.StringIO()
    text.show(comparison, Console(file=out, width=180, color_system=None))
    return out.getvalue()


RENDERINGS: dict[str, Callable[[Comparison], str]] = {
    "terminal": show,
    "Markdown": markdown.render,
    "JSON": json.render,
    "CSV": csv.render,
    "HTML": html.render,
}


def measure(path: Path) -> dict[str, float]:
    """CPU seconds of opening the file, and of each rendering."""
    start = time.process_time()
    comparison = Results.open(path)
    found = {"open and compare": time.process_time() - start}
    for name, render in RENDERINGS.items():
        start = time.process_time()
        render(comparison)
        found[name] = time.process_time() - start
    return found


def main() -> int:
    """Measures and prints; see above."""
    parser = argparse.ArgumentParser(description="how long a report over many trials takes")
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--profilers", type=int, default=2, choices=range(2, len(ARMS) + 1))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pyprof-") as folder:
        path = write(Path(folder) / "x.pyprof", options.trials, options.profilers)
        found = measure(path)
    lines = [f"{options.trials:,} trials of {options.profilers} profilers:", "", "| step | CPU s |", "| --- | ---: |"]
    lines += [f"| {name} | {seconds:.2f} |" for name, seconds in found.items()]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
