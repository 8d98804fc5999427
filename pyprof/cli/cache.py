"""`pyprof cache`: where downloads and builds are kept, how large they are, and removing them."""

from __future__ import annotations

import argparse
import json
import sys

from pyprof.errors import EXIT_PASS
from pyprof.nodes import Cache
from pyprof.nodes.cache import PARTS

_EPILOG = """\
examples:
  pyprof cache path
  pyprof cache size --json
  pyprof cache clean                                 everything
  pyprof cache clean addons peers                    only what was built

The cache is $PYPROF_CACHE, else $XDG_CACHE_HOME/pyprof, else ~/.cache/pyprof.

exit codes: 0 done, 2 usage, or another pyprof is using it
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "cache",
        help="show or clean what pyprof downloaded and built",
        description="What pyprof keeps: Node versions, tools, npm packages, and addons built for a Node version.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("--json", action="store_true", help="print the data as JSON")
    actions.add_parser("path", parents=[data], help="the folder")
    actions.add_parser("size", parents=[data], help="disk space of each part")
    clean = actions.add_parser("clean", help="remove parts of it, or all; refused while a pyprof uses it")
    listed = "; ".join(f"{part}: {meaning}" for part, meaning in PARTS.items())
    clean.add_argument("parts", nargs="*", metavar="PART", help=f"all by default. {listed}")


def run(args: argparse.Namespace) -> int:
    """The subcommand. 0, or the exit code of the error that it raises."""
    cache = Cache()
    if args.action == "path":
        print(json.dumps({"path": str(cache.root)}) if args.json else cache.root)
    elif args.action == "size":
        _show_size(cache, as_json=args.json)
    else:
        freed = cache.clean(args.parts or None)
        print(f"freed {_megabytes(freed)} of {cache.root}", file=sys.stderr)
    return EXIT_PASS


def _show_size(cache: Cache, *, as_json: bool) -> None:
    sizes = cache.size()
    if as_json:
        print(json.dumps({"path": str(cache.root), "bytes": sizes, "total": sum(sizes.values())}, indent=2))
        return
    for part, size in sizes.items():
        print(f"{_megabytes(size):>11}  {part:<10}  {PARTS.get(part, 'left by an interruption')}")
    print(f"{_megabytes(sum(sizes.values())):>11}  {cache.root}")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
