"""The command line. Each module here with `add_parser` and `run` is a subcommand; only this package prints."""

from __future__ import annotations

import argparse
import contextlib
import errno
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib import metadata

from pyprof.cli.signals import interruptible
from pyprof.errors import EXIT_INTERRUPTED, EXIT_NOT_MEASURED, EXIT_USAGE, PyprofError

_EPILOG = """\
examples:
  pyprof compare                                     none against recreate on your Node, in about a minute
  pyprof compare recreate-cpu-profiler --quick       the experiment that pyprof began with
  pyprof compare --node 24 --profiler none --profiler keep --app server.js
  pyprof report results/compare.pyprof               the tables again, without running anything
  pyprof profiles results/compare.pyprof recreate    its CPU profiles, for go tool pprof

exit codes: 0 pass, 1 regression or failed check, 2 usage, 3 inconclusive, 4 could not measure, 130 interrupted
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    with interruptible():
        try:
            return _run(arguments)
        except PyprofError as error:
            _say(str(error))
            return error.exit_code
        except KeyboardInterrupt:
            _say("interrupted")
            return EXIT_INTERRUPTED
        except BrokenPipeError:  # the reader of our output, such as `head`, has enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return EXIT_NOT_MEASURED
        except OSError as error:
            _say(f"{error.filename or 'the system'}: {error.strerror or error}")
            return EXIT_USAGE if error.filename and error.errno != errno.ENOSPC else EXIT_NOT_MEASURED


def _run(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(
        prog="pyprof",
        description="Measures what a Node.js CPU profiler costs in memory, throughput and event-loop time, "
        "and whether it leaks.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pyprof {metadata.version('pyprof-node')}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    commands = {}
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        module = importlib.import_module(f"{__name__}.{name}")
        if hasattr(module, "add_parser"):
            module.add_parser(subparsers)
            commands[name] = module.run
    _prepare_streams()
    parsed = parser.parse_args(arguments)
    return int(commands[parsed.command](parsed))


def _say(line: str) -> None:
    with contextlib.suppress(OSError):  # nobody may be reading any more
        print(f"pyprof: {line}", file=sys.stderr)


def _prepare_streams() -> None:
    """A closed standard output is no error, and a character that the terminal cannot show is no reason to die."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
