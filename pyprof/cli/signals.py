"""What SIGINT and SIGTERM do while a command runs."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from types import FrameType

from pyprof.errors import EXIT_INTERRUPTED

#: Seconds after the first signal in which others belong to it: people press Ctrl-C more than once.
ONE_REQUEST = 1.0
_SHOW_CURSOR = b"\x1b[?25h"


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """The first signal raises KeyboardInterrupt; a later one, while that is being handled, ends the process at once.

    That leaves nothing running: a `pyprof.guard.Guard` ends each child. After an interruption signals are ignored: the
    interpreter's own end, which puts the default back for every other handler, could be interrupted too.
    """
    first: float | None = None

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal first
        if first is None:
            first = time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - first > ONE_REQUEST:
            for stream in filter(os.isatty, (1, 2)):  # a live line may have hidden it
                os.write(stream, _SHOW_CURSOR)
            os._exit(EXIT_INTERRUPTED)

    # one that is ignored stays so: that is how a shell starts what runs in the background
    caught = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handle) for number in caught}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if first is None else signal.SIG_IGN)
