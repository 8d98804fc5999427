"""What profilers cost, side by side: pyprof's policies, their peers from npm, and Node's inspector.

Usage: python tests/bench/bench_profilers.py [--quick] [--node 24 --node 12.19.0] [--scenario pauses] [--json FILE]
       [--seed N]

Each number comes from processes of its own that take turns, in a shuffled order, all in one run: on a busy machine the
ratios mean something, the digits do not. Prints tables in Markdown, with the ratio to the best peer in brackets (a peer
is a profiler that is not pyprof's); ends with 1 where the policy `auto` does not do what it must.

    start, stop, encode   what the call itself takes
    encoded after         from the call of encode until its promise resolves
    loop paused           all that the event loop did beside requests within 30 ms of start, and from stop until 30 ms
                          after encoding
    longest gap           the longest time therein without a request
    CPU per request       of the whole process; 1.00 is a process without profiler, right beside it; idle, on warm code:
                          what loading the profiler and using it once changes in a process, against one without
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # where `bench` is: a script's path begins in it
from bench import profiler_tables, profiler_trials
from bench.profiler_trials import ARMS, NEW, Result, Trial

from pyprof.nodes import Cache, Npm, Store


def note(line: str) -> None:
    """Progress."""
    sys.stderr.write(line + "\n")


def measure(options: argparse.Namespace, store: Store) -> tuple[list[tuple[Trial, Result]], list[str], dict[str, str]]:
    """Every trial; what failed, in words; the versions of the Nodes."""
    nodes = tuple(options.node)
    found = profiler_trials.prepare(store, nodes)
    wanted = options.scenario or profiler_trials.SCENARIOS
    groups = [group for group in profiler_trials.trials(options.quick, nodes) if group[0].scenario in wanted]
    shuffled = random.Random(options.seed)
    results: list[tuple[Trial, Result]] = []
    failures: list[str] = []
    begun = time.monotonic()

    def run(trial: Trial) -> None:
        try:
            results.append((trial, profiler_trials.run(trial, found[trial.node], store)))
        except RuntimeError as error:
            failures.append(f"{trial.arm} on Node {trial.node}, {trial.scenario}, {trial.heap} MB: {error}")
            note(failures[-1])

    for number, group in enumerate(groups, 1):
        # Memory grows the same beside another process; times do not pass the same.
        with ThreadPoolExecutor(2 if group[0].scenario == "memory" else 1) as pool:
            list(pool.map(run, shuffled.sample(group, len(group))))
        note(f"{number}/{len(groups)} {time.monotonic() - begun:.0f} s: Node {group[0].node}, {group[0].scenario}")
    return results, failures, {node: found[node].version for node in nodes}


def main() -> int:
    """Measures and prints; see above."""
    parser = argparse.ArgumentParser(description="what profilers cost, side by side")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter profiles, one Node")
    parser.add_argument("--node", action="append", choices=sorted(ARMS), help="default: all, with --quick the newest")
    parser.add_argument(
        "--scenario", action="append", choices=profiler_trials.SCENARIOS, help="of app.js; default: all"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every value to this file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.node = options.node or ([NEW] if options.quick else list(ARMS))
    cache = Cache()
    results, failures, versions = measure(options, Store(cache, Npm(cache), note))
    if options.json:
        rows = [{**asdict(trial), "measured": result} for trial, result in results]
        options.json.write_text(json.dumps({"trials": rows, "failures": failures}, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(profiler_tables.tables(results, options.node, versions))
    missed = 0
    if NEW in options.node:
        sys.stdout.write("\n")
        for claim, value, most in profiler_tables.wanted(results):
            if options.scenario and math.isnan(value):
                continue
            kept = value <= most
            missed += not kept
            sys.stdout.write(f"- {claim}: {value:.3g}, {'at most' if kept else '**not at most**'} {most:.3g}\n")
    sys.stdout.write("".join(f"- failed: {line}\n" for line in failures))
    return 1 if missed or failures else 0


if __name__ == "__main__":
    sys.exit(main())
