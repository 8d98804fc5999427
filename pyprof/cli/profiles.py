"""`pyprof profiles`: the CPU profiles in a results file, for `go tool pprof` and other readers of pprof."""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import sys
from pathlib import Path

from pyprof import report
from pyprof.errors import EXIT_PASS, ProfileFormatError, ProfileLimitError, ResultsError, UsageError
from pyprof.profile import Profile
from pyprof.results import ResultsFile
from pyprof.suggest import nearest

_EPILOG = """\
examples:
  pyprof profiles results/compare.pyprof                   which trials have profiles
  pyprof profiles results/compare.pyprof recreate          all of recreate's as one, in recreate.pb.gz
  pyprof profiles results/compare.pyprof recreate --block 2 -o second.pb.gz
  go tool pprof -top recreate.pb.gz

exit codes: 0 done, 2 usage, or the file has no such profiles
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "profiles",
        help="list the CPU profiles in a results file, or take them out",
        description="Lists the CPU profiles that a results file keeps (see --keep-profiles of pyprof compare), or "
        "writes those of one variant, merged into one, as a gzip'ed pprof file.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE.pyprof", help="a results file, as pyprof compare writes it")
    parser.add_argument("variant", nargs="?", metavar="VARIANT", help="its name in the list and in the report's JSON")
    parser.add_argument("--block", type=int, metavar="N", help="of this block's trial alone (default: of all trials)")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE.pb.gz", help="where to write it (default: VARIANT.pb.gz)"
    )
    parser.add_argument("--json", action="store_true", help="print the data as JSON")


def run(args: argparse.Namespace) -> int:
    """The subcommand. 0, or the exit code of the error that it raises."""
    if args.variant is None and (args.output is not None or args.block is not None):
        raise UsageError("--output and --block need a VARIANT: pyprof profiles FILE VARIANT")
    with ResultsFile.open_existing(args.file) as results:
        if args.variant is None:
            _show(results, as_json=args.json)
        else:
            _extract(results, args)
    return EXIT_PASS


def _show(results: ResultsFile, *, as_json: bool) -> None:
    stored = results.stored_profiles()
    if as_json:
        print(json.dumps([dataclasses.asdict(trial) for trial in stored], indent=2))
        return
    for trial in stored:
        kept = "merged into one" if trial.kept < trial.taken else "each kept"
        size = f"{trial.n_bytes / 1e3:.1f} kB"
        print(f"block {trial.block:<4} {trial.variant:<30} {trial.taken:>6} profiles, {kept}, {size}")
    if not stored:
        print(f"{results.path} has no profiles", file=sys.stderr)


def _extract(results: ResultsFile, args: argparse.Namespace) -> None:
    names = [variant.name for variant in results.variants()]
    if args.variant not in names:
        raise UsageError(
            f"{results.path} has no variant {args.variant!r}{nearest(args.variant, names)}; it has: {', '.join(names)}"
        )
    data = results.read_profiles(args.variant, args.block)
    if not data:
        where = "" if args.block is None else f" in block {args.block}"
        raise ResultsError(f"{results.path} has no profiles of {args.variant!r}{where}; see: pyprof profiles FILE")
    try:
        merged = Profile.merge([Profile.read(one) for one in data])
    except (ProfileFormatError, ProfileLimitError, ValueError) as error:
        raise ResultsError(
            f"{results.path} is damaged: a profile of {args.variant!r} cannot be read: {error}"
        ) from error
    path = args.output or Path(re.sub(r"[^\w.@+-]+", "-", args.variant).lstrip(".-") + ".pb.gz")
    report.check_not_results(path, results.path)
    try:
        path.write_bytes(merged.encode())
    except OSError as error:
        raise ResultsError(f"{path} cannot be written ({error.strerror}): choose another with -o") from error
    about = {"path": str(path), "variant": args.variant, "profiles": len(data), "samples": len(merged)}
    print(json.dumps(about) if args.json else f"written: {path} ({merged!r})")
