"""Running other programs: always with a time limit, never left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pyprof.errors import PyprofError
from pyprof.guard import Guard

#: Seconds after which whoever waits should hear why.
LATE = 15.0


class Commands:
    """Runs programs, each in a process group of its own, and can end all that run, from any thread.

    What a program leaves running in its group ends with it; all of it ends when this process does.
    """

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopping = False

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called; whoever waits for something should give up."""
        return self._stopping

    def run(
        self, argv: Sequence[str | Path], *, environment: Mapping[str, str], timeout: float, folder: Path | None = None,
        log: Path | None = None, error: type[PyprofError] = PyprofError, what: str | None = None,
        late: Callable[[], None] = lambda: None,
    ) -> subprocess.CompletedProcess[str]:  # fmt: skip
        """Run a program to its end, with empty standard input. With ``log``, all output goes to that file instead.

        ``timeout`` is in seconds. Raises ``error`` when the program cannot be started or takes longer: the whole group
        is killed then. An exit code other than 0 is the caller's to judge. ``what`` names it in errors; ``late`` is
        called if it runs for longer than `LATE` seconds.
        """
        with contextlib.ExitStack() as stack:
            out = stack.enter_context(log.open("w", encoding="utf-8")) if log else subprocess.PIPE
            with self._lock:
                if self._stopping:
                    raise error(f"{argv[0]} was not started: pyprof is stopping")
                try:
                    process = subprocess.Popen(
                        argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT if log else out,
                        cwd=folder, env=dict(environment), text=True, encoding="utf-8", errors="replace",
                        start_new_session=True,
                    )  # fmt: skip
                except OSError as cause:
                    raise error(f"cannot run {argv[0]}: {cause.strerror}") from cause
                self._running.add(process)
            try:
                with contextlib.closing(Guard(process.pid)):
                    try:
                        stdout, stderr = process.communicate(timeout=min(timeout, LATE))
                    except subprocess.TimeoutExpired:
                        late()
                        stdout, stderr = process.communicate(timeout=max(0.0, timeout - LATE))
            except subprocess.TimeoutExpired as cause:
                raise error(f"{what or argv[0]} did not finish within {timeout:g} s and was killed") from cause
            finally:
                self._end(process)
            return subprocess.CompletedProcess(argv, process.returncode, stdout or "", stderr or "")

    def stop(self) -> None:
        """Kill everything that runs, and start nothing until `resume`."""
        with self._lock:
            self._stopping = True
            running = list(self._running)
        for process in running:
            _kill_group(process)

    def resume(self) -> None:
        """Allow programs to be started again."""
        self._stopping = False

    def _end(self, process: subprocess.Popen[str]) -> None:
        if process.returncode is None:
            _kill_group(process)
            process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        with self._lock:
            self._running.discard(process)


def _kill_group(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
