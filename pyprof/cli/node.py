"""`pyprof node`: the Node versions in the cache."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from pyprof import profilers
from pyprof.errors import EXIT_PASS, UsageError
from pyprof.nodes import Cache, Node, Npm, Store, fetch, versions

_EPILOG = """\
examples:
  pyprof node install 12.14.1 12.19.0                Node binaries and headers, from npm
  pyprof node install 24                             the newest 24
  pyprof node install 24 --profiler recreate --profiler pprof@3.0.0 --workload express
                                                     and all that --offline will need
  pyprof node list --json
  pyprof node remove 12.14.1

exit codes: 0 done, 2 usage or no such version, 4 npm, a download or a build failed, 130 interrupted
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "node",
        help="install, list or remove Node versions in the cache",
        description="Node versions come from npm (by your npm, with its configuration), are checked by npm's "
        "integrity hash, and are kept in pyprof's cache.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument("--json", action="store_true", help="print the data as JSON")

    install = actions.add_parser("install", parents=[data], help="fetch Node versions and pyprof's tools, if missing")
    install.add_argument(
        "specs", nargs="+", metavar="VERSION", help="as in 12.19.0; 24: the newest in the cache or on npm"
    )
    install.add_argument(
        "--profiler", action="append", default=[], metavar="NAME", help="build this profiler for them too; repeatable"
    )
    install.add_argument(
        "--workload", action="append", default=[], metavar="NAME", help="fetch this workload's packages too; repeatable"
    )
    install.add_argument(
        "--offline", action="store_true", help="use nothing but the cache; fail where it lacks something"
    )

    actions.add_parser("list", parents=[data], help="the Node versions in the cache")

    remove = actions.add_parser("remove", help="remove Node versions from the cache")
    remove.add_argument("specs", nargs="+", metavar="VERSION", help="a full version, as `pyprof node list` prints it")


def run(args: argparse.Namespace) -> int:
    """The subcommand. 0, or the exit code of the error that it raises."""
    cache = Cache()
    if args.action == "install":
        _show(_install(args, cache), as_json=args.json)
    elif args.action == "list":
        _show([fetch.load(cache, version) for version in fetch.cached(cache)], as_json=args.json)
    else:
        _remove(args.specs, cache)
    return EXIT_PASS


def _install(args: argparse.Namespace, cache: Cache) -> list[Node]:
    wanted = [profilers.parse(text) for text in args.profiler]

    def announce(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    store = Store(cache, Npm(cache, args.offline, announce=announce), announce)
    nodes = store.prepare(
        args.specs,
        addon=any(profiler.needs_addon for profiler in wanted),
        peers=list(dict.fromkeys(profiler.package for profiler in wanted if profiler.package)),
    )
    for name in args.workload:
        store.workload(name)
    return nodes


def _remove(specs: list[str], cache: Cache) -> None:
    there = fetch.cached(cache)
    chosen = [versions.wanted(spec) or spec for spec in specs]
    for version in chosen:
        if version not in there:
            raise UsageError(f"Node {version} is not in the cache {cache.root}; it holds {', '.join(there) or 'none'}")
    for version in dict.fromkeys(chosen):
        cache.remove("nodes", version)
        print(f"removed Node {version}", file=sys.stderr)


def _show(nodes: list[Node], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([_as_data(node) for node in nodes], indent=2))
        return
    for node in nodes:
        print(f"{node.version:<10} ABI {node.abi:<4} V8 {node.v8:<22} {node.exec_path}")


def _as_data(node: Node) -> dict[str, Any]:
    return {
        "version": node.version, "exec_path": str(node.exec_path), "abi": node.abi, "v8": node.v8, "arch": node.arch,
        "source": node.source,
    }  # fmt: skip
