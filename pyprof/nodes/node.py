"""One Node: what it is, asked of itself."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from pyprof.errors import UsageError
from pyprof.nodes.commands import Commands
from pyprof.nodes.environment import child_environment

_ASK = (
    "process.stdout.write(JSON.stringify({exec_path: process.execPath, version: process.versions.node, "
    "abi: process.versions.modules, v8: process.versions.v8, arch: process.arch}))"
)
_TIMEOUT = 20.0
_MACRO = re.compile(r"^\s*#define\s+(NODE_(?:MAJOR|MINOR|PATCH)_VERSION)\s+([0-9]+)", re.MULTILINE)


@dataclass(frozen=True)
class Node:
    """A Node that can be run.

    ``exec_path`` is what really runs (`process.execPath`), absolute. ``root`` is the folder with `include/node` of
    exactly this version, or None. ``abi`` is `process.versions.modules`, as in ``72``. ``source`` is ``npm``,
    ``path`` or ``system``.
    """

    version: str
    exec_path: Path
    root: Path | None
    abi: str
    v8: str
    arch: str
    source: str

    @property
    def label(self) -> str:
        """How reports name it."""
        return self.version


def describe(program: Path, commands: Commands, source: str) -> Node:
    """Ask the program what it is. A version manager's shim answers for the Node that it would run here.

    Raises:
        UsageError: it does not run, does not answer, or is no Node.
    """
    environment, _ = child_environment()
    done = commands.run([program, "-e", _ASK], environment=environment, timeout=_TIMEOUT, error=UsageError)
    try:
        answer = json.loads(done.stdout)
        exec_path = Path(answer["exec_path"])
        version, abi, v8, arch = (str(answer[key]) for key in ("version", "abi", "v8", "arch"))
    except (ValueError, KeyError, TypeError) as cause:
        said = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[0]
        raise UsageError(f"{program} is not a Node that runs here: {said[:200]}") from cause
    return Node(version, exec_path, headers(exec_path.parent.parent, version), abi, v8, arch, source)


def headers(root: Path, version: str) -> Path | None:
    """``root`` if its `include/node` is of that version: another version's headers would build a wrong addon."""
    try:
        found = dict(_MACRO.findall((root / "include/node/node_version.h").read_text(encoding="utf-8")))
    except OSError:
        return None
    numbers = [found.get(f"NODE_{part}_VERSION") for part in ("MAJOR", "MINOR", "PATCH")]
    return root if ".".join(str(number) for number in numbers) == version else None
