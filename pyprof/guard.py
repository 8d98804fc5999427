"""Ends what pyprof started, also when pyprof is killed and can end nothing any more."""

from __future__ import annotations

import os
import subprocess

# The end of its standard input comes when `close` closes it, and when the process that holds it is gone. A process that
# is being killed keeps its environment for a moment, and others may start new ones meanwhile: hence the repetition.
_SCRIPT = r"""
read -r _
kill -s KILL -- "-$1"
[ -n "$2" ] || exit 0
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  found=$(grep -lzsxF -- "$2" /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do
    process=${file#/proc/}
    kill -s KILL "${process%/environ}"
  done
  sleep 0.02
done
"""


class Guard:
    """A process that kills a process group when it is closed or when this process has gone, however that happened.

    ``mark`` is a setting ``NAME=value`` in the environment of the group's leader, which what it starts inherits: those
    with it are killed too, since a child in a session of its own is not in the group (Linux only).
    """

    def __init__(self, group: int, mark: str = "") -> None:
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "sh", str(group), mark],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={"PATH": os.pathsep.join([os.environ.get("PATH", ""), os.defpath])},
        )  # fmt: skip

    def close(self) -> None:
        """Kill them now; returns when that is done."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
