"""`pyprof report`: the tables of a results file again."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyprof import margins, report
from pyprof.cli.compare import add_margin_arguments, show
from pyprof.cli.progress import make_console
from pyprof.comparison import Results

_EPILOG = """\
examples:
  pyprof report results/compare.pyprof
  pyprof report results/compare.pyprof --export table.md --export data.json
  pyprof report results/compare.pyprof --margin rss=2% --margin leak=8KiB
  pyprof report results/compare.pyprof --json | jq '.comparisons[] | select(.metric == "rss")'

exit codes: 0 measured (and within the margins), 1 beyond a margin, 2 usage, or no results file, 3 a margin cannot be
settled, 4 trials of the plan failed or are missing
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "report",
        help="show the tables of a results file again",
        description="Shows what a results file holds, computed anew from its raw series. Runs nothing.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE.pyprof", help="a results file, as pyprof compare writes it")
    parser.add_argument(
        "--export",
        type=Path,
        action="append",
        default=[],
        metavar="FILE.md|.json|.csv|.svg",
        help="write the report to this file; repeatable",
    )
    parser.add_argument(
        "--json", action="store_true", help="the JSON document on standard output, the tables on standard error"
    )
    add_margin_arguments(parser.add_argument_group("what it may cost (labelled as given after the run)"))


def run(args: argparse.Namespace) -> int:
    """The subcommand. Exit codes as those of `pyprof compare`; 4 where trials of the plan are missing or failed."""
    for path in args.export:
        report.check_target(path, args.file)
    comparison = Results.open(args.file)
    comparison.later_margins = tuple(str(margins.parse(text)) for text in args.margins or ())
    return show(comparison, make_console(stderr=args.json), args)
