"""An app under the agent, for tests that are its parent."""

from __future__ import annotations

import json
import socket
import subprocess
from pathlib import Path
from typing import Any

from helpers import javascript_coverage

AGENT = Path(__file__).resolve().parents[2] / "pyprof" / "agent" / "agent.js"
TIMEOUT = 20.0

Message = dict[str, Any]


class Child:
    """An app under the agent, and the parent's end of the pipe."""

    def __init__(self, node: Path, script: Path, adapter: Path, options: Message) -> None:
        self.pipe, theirs = socket.socketpair()
        self.pipe.settimeout(TIMEOUT)
        self.rest = b""
        config = {"fd": theirs.fileno(), "adapter": str(adapter), "package": "DIR", "idle": False, "duration_ms": 50,
                  "gap_ms": 0, "interval_us": 1000} | options  # fmt: skip
        with theirs:
            self.process = subprocess.Popen(
                [node, "--require", AGENT, script],
                pass_fds=[theirs.fileno()],
                env={"PYPROF_AGENT": json.dumps(config), **javascript_coverage.environment()},
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip

    def receive(self) -> Message | None:
        """The next message, or None at the end."""
        while b"\n" not in self.rest:
            data = self.pipe.recv(1 << 20)
            if not data:
                return None
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        message: Message = json.loads(line)
        return message

    def until(self, kind: str) -> list[Message]:
        """Messages up to the first of that type, which is the last of the list."""
        messages: list[Message] = []
        while not messages or messages[-1]["type"] != kind:
            message = self.receive()
            assert message is not None, f"no {kind!r}, but {messages} and {self.process.communicate(timeout=TIMEOUT)}"
            assert kind == "error" or message["type"] != "error", message
            messages.append(message)
        return messages

    def send(self, *kinds: str) -> None:
        self.pipe.sendall(b"".join(json.dumps({"type": kind}).encode() + b"\n" for kind in kinds))

    def output(self) -> str:
        """What the app printed, after it ended by itself."""
        out, err = self.process.communicate(timeout=TIMEOUT)
        assert self.process.returncode == 0, err
        assert err == ""
        return out

    def end(self) -> None:
        """End the app, if it has not ended by itself."""
        with self.pipe:
            javascript_coverage.end(self.process)
