"""Starting and ending the children: the app under test and the load generator. No child outlives its trial."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import psutil

from pyprof.guard import Guard
from pyprof.running.channel import Channel

_AGENT = Path(__file__).resolve().parent.parent / "agent"
#: In the environment of the app under test, with a value of its own for each: what it starts inherits it.
_MARK = "PYPROF_TRIAL"


class Child:
    """A child process in a session of its own, and the messages that it sends.

    It ends when this process does: it cannot notice that by itself while its event loop is blocked.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], channel: Channel, link: socket.socket | IO[bytes], mark: str = ""
    ) -> None:
        self.process = process
        self.channel = channel
        self._link = link
        self._guard = Guard(process.pid, mark)

    def send(self, kind: str) -> None:
        """Send a message of that type; a child that has gone is noticed by its channel."""
        line = json.dumps({"type": kind}).encode() + b"\n"
        with contextlib.suppress(OSError):
            if isinstance(self._link, socket.socket):
                self._link.sendall(line)

    def end(self) -> None:
        """Kill the child with all that it started, and reap it."""
        with contextlib.suppress(psutil.Error):  # by descent first: one may have neither its group nor its environment
            for process in psutil.Process(self.process.pid).children(recursive=True):
                process.kill()
        self._guard.close()
        self.process.kill()  # the guard may have been killed, too
        self.process.wait()
        self._link.close()
        for stream in (self.process.stdout, self.process.stdin):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def start_app(
    command: Sequence[str],
    agent: Mapping[str, Any],
    *,
    environment: Mapping[str, str],
    log: IO[bytes],
    cpus: Iterable[int],
) -> Child:
    """Start an app under the agent. ``command``: Node and its arguments before ``--require``, then the script last."""
    ours, theirs = socket.socketpair()
    *node, script = command
    mark = uuid.uuid4().hex
    with theirs, affinity(cpus):
        process = subprocess.Popen(
            [*node, "--require", str(_AGENT / "agent.js"), script],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, pass_fds=(theirs.fileno(),),
            env={**environment, "PYPROF_AGENT": json.dumps({**agent, "fd": theirs.fileno()}), _MARK: mark},
        )  # fmt: skip
    return Child(process, Channel(ours.makefile("rb"), "the app"), ours, f"{_MARK}={mark}")


def start_load(
    node: Path, options: Mapping[str, Any], *, environment: Mapping[str, str], log: IO[bytes], cpus: Iterable[int]
) -> Child:
    """Start the load generator. It ends by itself when its standard input is closed."""
    with affinity(cpus):
        process = subprocess.Popen(
            [str(node), str(_AGENT / "load.js"), json.dumps(options)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, start_new_session=True, env=dict(environment),
        )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    return Child(process, Channel(process.stdout, "the load generator"), process.stdin)


@contextlib.contextmanager
def affinity(cpus: Iterable[int]) -> Iterator[None]:
    """This thread, and the children that it starts within, run on these CPUs; no CPUs: nothing changes.

    A child inherits the mask, so that all of V8's threads have it (set afterwards, only the main thread would).
    """
    wanted = set(cpus)
    if not wanted:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, wanted)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def split_cpus() -> tuple[list[int], list[int]]:
    """CPUs for the app and for everything else; two empty lists (no pinning) where there is only one."""
    if not hasattr(os, "sched_getaffinity"):
        return [], []
    cpus = sorted(os.sched_getaffinity(0))
    return ([cpus[0]], cpus[1:]) if len(cpus) > 1 else ([], [])


def tail(path: Path, lines: int = 16) -> str:
    """The last lines of a log, for an error message; empty where there are none."""
    try:
        with path.open("rb") as log:
            log.seek(0, os.SEEK_END)
            log.seek(max(0, log.tell() - 4096))
            text = log.read().decode(errors="replace")
    except OSError:
        return ""
    return "\n".join(f"    {line}" for line in text.strip().splitlines()[-lines:])
