"""`pyprof compare`: run an experiment and show what it showed."""

from __future__ import annotations

import argparse
import dataclasses
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from pyprof import experiment, profilers, report, workloads
from pyprof.cli.progress import ConsoleProgress, make_console
from pyprof.comparison import Comparison
from pyprof.errors import EXIT_INCONCLUSIVE, EXIT_PASS, PyprofError, UsageError
from pyprof.experiment import Experiment
from pyprof.metrics import all_metrics
from pyprof.report import json as json_report
from pyprof.report import text as text_report
from pyprof.results import ResultsFile, in_use
from pyprof.run import announce, extend, open_store, run_experiment, run_until_settled
from pyprof.running import plan
from pyprof.running.prepare import check_offline, foresee
from pyprof.units import parse_duration
from pyprof.verdicts import exit_code, judge

_EPILOG = """\
examples:
  pyprof compare                                      none against recreate on the Node of the PATH, quick form
  pyprof compare recreate-cpu-profiler --quick        a preset, in its quick form
  pyprof compare my-experiment.toml --seed 7          an experiment of your own
  pyprof compare --node 12.19.0 --node 24 --profiler none --profiler keep --profiler recreate --blocks 5
  pyprof compare --node system --profiler none --profiler pprof@3.0.0 --app server.js --rate 200
  pyprof compare --profiler pprof@5.0.0 --profiler ./my-checkout    a release against your own copy of it
  pyprof compare --margin cpu_per_request=50% --blocks 5   exit code 1 where recreate costs more than that
  pyprof compare leak                                 does recreate leak more than 8 KiB per profile? (six minutes)
  pyprof compare --resume results/compare.pyprof      go on after an interruption
  pyprof compare --add-blocks 5 results/compare.pyprof

durations take a unit (200ms, 8s, 2m; a bare number is seconds)
exit codes: 0 measured (and within the margins), 1 beyond a margin, 2 usage, 3 a margin cannot be settled,
4 a trial, a build or npm failed, 130 interrupted
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "compare",
        help="run an experiment: Nodes × profilers, in randomised blocks",
        description="Runs every Node with every profiler under load, in randomised blocks of fresh processes, and "
        "compares them. Without arguments: none against recreate on the Node of the PATH, in the quick form of "
        "3 blocks of 8 s.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "source", nargs="?", metavar="PRESET|FILE.toml", help=f"presets: {', '.join(experiment.preset_names())}"
    )
    what = parser.add_argument_group("what to compare")
    what.add_argument(
        "--node",
        action="append",
        dest="nodes",
        metavar="VERSION|PATH|system",
        help="a Node: a version from npm (12.19.0, or 24 for the newest), a path, or system; repeatable",
    )
    what.add_argument(
        "--profiler",
        action="append",
        dest="profilers",
        metavar="NAME",
        help=f"a profiler: {', '.join(profilers.known())}, ./FOLDER of a package or ./ADAPTER.js of your own; with "
        ":idle it is loaded and never used; repeatable",
    )
    what.add_argument(
        "--baseline",
        action="append",
        dest="baselines",
        metavar="NAME",
        help="what the others are compared with (default: the first profiler); repeatable",
    )
    what.add_argument(
        "--aa",
        action="store_true",
        default=None,
        help="run the baseline twice in each block (as NAME:again): the report says what identical arms showed",
    )
    app = what.add_mutually_exclusive_group()
    app.add_argument("--workload", metavar="NAME", help=f"{', '.join(workloads.names())} (default: fibonacci)")
    app.add_argument("--app", metavar="FILE.js", help="a server of your own, that listens on process.env.PORT")
    what.add_argument(
        "--busy-function",
        metavar="NAME",
        help="with --app: a function that every profile must show, else the trial fails",
    )
    judged = parser.add_argument_group("what it may cost")
    add_margin_arguments(judged)
    how = parser.add_argument_group("how to measure")
    how.add_argument("--quick", action="store_true", help="the preset's quick form (else: 3 blocks of 8 s after 2 s)")
    how.add_argument("--blocks", type=int, metavar="N", help="how often every variant runs (default: 3)")
    how.add_argument("--duration", metavar="TIME", help="measured window of a trial (default: 8s)")
    how.add_argument(
        "--startup-timeout", metavar="TIME", help="time that the app may take to its first listen (default: 30s)"
    )
    how.add_argument("--warmup", metavar="TIME", help="load before the window (default: 2s)")
    how.add_argument("--rss-samples", type=int, metavar="N", help="RSS samples per trial (default: 200)")
    how.add_argument("--profile-duration", metavar="TIME", help="length of one profile (default: 100ms)")
    how.add_argument("--profile-gap", metavar="TIME", help="time between two profiles (default: 0)")
    how.add_argument("--interval", metavar="TIME", help="V8's sampling interval (default: 1ms)")
    how.add_argument("--connections", type=int, metavar="N", help="open connections of the load (default: 10)")
    how.add_argument("--rate", type=float, metavar="N", help="requests per second, instead of as fast as it can")
    how.add_argument(
        "--concurrent",
        action="store_true",
        default=None,
        help="run the variants of a block at the same time, as the original experiment did",
    )
    how.add_argument(
        "--seed", type=int, metavar="N", help="seed of the order within blocks (default: random, recorded)"
    )
    how.add_argument(
        "--keep-profiles",
        choices=experiment.KEEP_PROFILES,
        help="profiles in the results file (default: merged, one per trial)",
    )
    out = parser.add_argument_group("output and control")
    out.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE.pyprof",
        help="results file (default: results/NAME.pyprof; an older one there is renamed)",
    )
    out.add_argument(
        "--export",
        type=Path,
        action="append",
        default=[],
        metavar="FILE.md|.json|.csv|.svg",
        help="also write the report to this file; repeatable",
    )
    out.add_argument(
        "--json", action="store_true", help="the JSON document on standard output, all else on standard error"
    )
    out.add_argument(
        "--resume", type=Path, metavar="FILE.pyprof", help="run what is missing in an interrupted results file"
    )
    out.add_argument(
        "--add-blocks",
        type=int,
        metavar="N",
        help="go on with N more blocks in the results file that is named; since somebody looked in between, its "
        "verdicts then rest on wider limits, and one that was settled may have to be settled again",
    )
    out.add_argument(
        "--until-settled", action="store_true", help="go on, block by block, until every margin is settled"
    )
    out.add_argument(
        "--budget", default="2h", metavar="TIME", help="with --until-settled: the longest it may take (default: 2h)"
    )
    out.add_argument(
        "--dry-run", action="store_true", help="print the plan and what it needs; download, build and run nothing"
    )
    out.add_argument("--offline", action="store_true", help="use nothing but the cache")


def add_margin_arguments(group: argparse._ArgumentGroup) -> None:
    """Options that `pyprof report` has too."""
    group.add_argument(
        "--margin",
        action="append",
        dest="margins",
        metavar="METRIC=SIZE",
        help=f"costs at most that, as in rss=2%%, qps=2%%, leak=8KiB; or equal within it: rss=±2%%; repeatable "
        f"(metrics: {', '.join(all_metrics())})",
    )
    group.add_argument(
        "--inconclusive-exit",
        type=int,
        default=EXIT_INCONCLUSIVE,
        metavar="CODE",
        help="exit code where a margin cannot be settled (default: 3; 125 for git bisect run)",
    )


def run_comparison(args: argparse.Namespace, console: Console) -> Comparison:
    """Run or resume what the arguments ask for."""
    with ConsoleProgress(console) as progress:
        if args.resume is not None or args.add_blocks is not None:
            path = args.resume or Path(args.source)
            try:
                return extend(path, args.add_blocks or 0, offline=args.offline, progress=progress)
            except KeyboardInterrupt:
                console.print(Text(
                    f"what was finished is kept in {path}: go on with pyprof compare --resume {shlex.quote(str(path))}"
                ), soft_wrap=True)  # fmt: skip
                raise
        made = _experiment(args)
        path = args.output or _default_output(made)
        before = None if not path.exists() else path.stat().st_ino
        how: dict[str, Any] = {
            "offline": args.offline,
            "progress": progress,
            "make_way": args.output is None,
        }
        try:
            if args.until_settled:
                budget = parse_duration(args.budget, "--budget")
                return run_until_settled(made, path, budget=budget, **how)
            return run_experiment(made, path, **how)
        except (KeyboardInterrupt, PyprofError, OSError):
            kept = _kept(path) if path.exists() and path.stat().st_ino != before else 0
            if kept:
                quoted = shlex.quote(str(path))
                console.print(Text(
                    f"{kept} of {made.n_trials} trials are kept in {path}: see them with pyprof report {quoted}, "
                    f"go on with pyprof compare --resume {quoted}"
                ), soft_wrap=True)  # fmt: skip
            raise


def run(args: argparse.Namespace) -> int:
    """The subcommand."""
    console = make_console(stderr=args.json)
    for path in args.export:
        report.check_target(path, args.output)
    _check_together(args)
    if args.dry_run:
        return _dry_run(_experiment(args), console, offline=args.offline)
    comparison = run_comparison(args, console)
    return show(comparison, console, args)


def _check_together(args: argparse.Namespace) -> None:
    """UsageError where options contradict each other."""
    plan_given = args.quick or args.output or args.dry_run or args.until_settled or _settings(args)
    if args.resume is not None and (args.source or args.add_blocks is not None or plan_given):
        raise UsageError(
            "--resume takes the whole plan from its file: give it alone (with --export, --json, --offline)"
        )
    if args.add_blocks is not None:
        if args.source is None:
            raise UsageError("--add-blocks N FILE.pyprof: name the results file to go on with")
        if plan_given:
            raise UsageError(
                "--add-blocks N FILE.pyprof goes on with that file's plan: give nothing else of what to run"
            )
        if args.add_blocks < 1:
            raise UsageError(f"--add-blocks {args.add_blocks}: must be 1 or more")
    if args.until_settled and not _experiment(args).margins:
        raise UsageError("--until-settled needs something to settle: give --margin, as in --margin cpu_per_request=2%")


def show(comparison: Comparison, console: Console, args: argparse.Namespace) -> int:
    """Print the report and write the exports; returns the exit code."""
    text_report.show(comparison, console)
    if args.json:
        sys.stdout.write(json_report.render(comparison))
    for path in args.export:
        report.export(comparison, path)
    results = () if args.command == "report" else (comparison.path,)
    written = ", ".join(str(path) for path in (*results, *args.export) if path is not None)
    if written:
        console.print(Text(f"written: {written}"), soft_wrap=True)
    return exit_code(comparison, judge(comparison), args.inconclusive_exit)


def _settings(args: argparse.Namespace) -> dict[str, Any]:
    """The options that set a field of the experiment, where given."""
    fields = {field.name for field in dataclasses.fields(Experiment)}
    return {name: value for name, value in vars(args).items() if name in fields and value is not None}


def _experiment(args: argparse.Namespace) -> Experiment:
    return experiment.load(args.source, quick=args.quick, **_settings(args))


def _default_output(made: Experiment) -> Path:
    """results/NAME.pyprof, or another name while another pyprof is writing that one."""
    path = Path("results") / f"{made.name}.pyprof"
    return path.with_name(f"{made.name}-{os.getpid()}.pyprof") if path.exists() and in_use(path) else path


def _kept(path: Path) -> int:
    try:
        with ResultsFile.open_existing(path) as results:
            return sum(trial.ok for trial in results.trials())
    except PyprofError:
        return 0


def _dry_run(made: Experiment, console: Console, *, offline: bool) -> int:
    """What would run, in which order, and what would be downloaded and built for it."""
    with ConsoleProgress(console) as progress:
        store = open_store(offline=offline, progress=progress)
        variants = foresee(made, store)
        announce(made, store, progress)
    for spec, version in zip(made.nodes, dict.fromkeys(variant.node for variant in variants), strict=True):
        if spec != version:
            console.print(Text(f"Node {spec} is {version}"))
    console.print(f"seed {made.seed}")
    for trial in plan.discarded(variants):
        console.print(Text(f"  discarded: {trial.variant.name}"))
    for block in plan.make_plan(made, variants):
        names = ", ".join(trial.variant.name for trial in block)
        console.print(Text(f"  block {block[0].block}: {names}"), soft_wrap=True)
    if offline:
        check_offline(made, store)
    return EXIT_PASS
