"""Lines of JSON from a child, read by a thread so that the measuring thread never waits for them."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
from collections.abc import Iterable
from typing import Any

from pyprof.errors import TrialError

Message = dict[str, Any]


class Channel:
    """Messages of one child. Reading ends with the child's end of the stream."""

    def __init__(self, lines: Iterable[bytes], who: str) -> None:
        self.who = who
        self._queue: queue.Queue[Message | None] = queue.Queue()
        self._closed = False
        self._thread = threading.Thread(target=self._read, args=(lines,), name=f"pyprof {who}", daemon=True)
        self._thread.start()

    def _read(self, lines: Iterable[bytes]) -> None:
        try:
            for line in lines:
                # a child that dies leaves half a line; an app may write to a descriptor that is not its own
                with contextlib.suppress(ValueError):
                    message = json.loads(line)
                    if isinstance(message, dict) and "type" in message:
                        self._queue.put(message)
        except (OSError, ValueError):  # the stream was closed under us
            pass
        self._queue.put(None)

    def next(self, timeout: float) -> Message | None:
        """The next message, or None where none came in ``timeout`` seconds or the stream has ended (see `closed`)."""
        if self._closed:
            return None
        try:
            message = self._queue.get(timeout=timeout) if timeout > 0 else self._queue.get_nowait()
        except queue.Empty:
            return None
        self._closed = message is None
        return message

    @property
    def closed(self) -> bool:
        """Whether everything was read and the stream has ended."""
        return self._closed


class ChannelClosed(TrialError):
    """The child has gone; the caller knows better why."""


def describe_error(who: str, message: Message) -> str:
    """One line out of a message of type ``error``."""
    where = f" in {message['where']}" if "where" in message else ""
    return f"{who} failed{where}: {str(message.get('message', '')).splitlines()[0] if message.get('message') else '?'}"
