"""Addons built from source by node-gyp, each for exactly one Node."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from pyprof.errors import BuildError, DiskFullError
from pyprof.nodes.commands import Commands
from pyprof.nodes.environment import child_environment
from pyprof.nodes.node import Node

_BUILD_TIMEOUT = 900.0
_LOAD_TIMEOUT = 30.0
#: Bytes under which a disk is full for a compiler. Its words cannot tell: its log is on that disk, too.
_ROOM = 4 << 20
# What the compiler misses, and the Debian package that has it.
_MISSING = (
    (re.compile(r"protobuf-c/protobuf-c\.h|-lprotobuf-c|libprotobuf-c"), "libprotobuf-c-dev"),
    (re.compile(r"(?:make|cc|gcc|[cg]\+\+): (?:command )?not found|not found: make|g\+\+: No such"), "build-essential"),
    (re.compile(r"fatal error: (?:c?stdlib|c?stdint|stdio|string|memory)(?:\.h)?: No such file"), "build-essential"),
    (re.compile(r"zlib\.h: No such file"), "zlib1g-dev"),
)
_CAUSE = re.compile(r"error[: ]|undefined reference|cannot find|No such file|not found", re.IGNORECASE)


class Builder:
    """Runs node-gyp. ``tool_node`` is the Node that runs it; ``tools`` the `node_modules` that holds it."""

    def __init__(self, commands: Commands, tool_node: Path, tools: Path, jobs: int) -> None:
        self._commands = commands
        self._tool_node = tool_node
        self._tools = tools
        self._jobs = jobs

    def build(self, folder: Path, node: Node, root: Path, log: Path, *, what: str, arguments: Sequence[str]) -> None:
        """Build the addon whose `binding.gyp` is in ``folder`` with the headers of ``root``; output goes to ``log``.

        Raises:
            BuildError: with the compiler's own words, the path of the log, and what to install where that is missing.
            DiskFullError: there was no space left.
        """
        _require_compiler(what)
        log.parent.mkdir(parents=True, exist_ok=True)
        gyp = self._tools / "node-gyp/bin/node-gyp.js"
        done = self._commands.run(
            [
                self._tool_node, gyp, "rebuild", f"--nodedir={root}", f"--target={node.version}", f"--arch={node.arch}",
                f"--python={sys.executable}", f"--jobs={self._jobs}", *arguments,
            ],
            environment=self._environment(root), timeout=_BUILD_TIMEOUT, folder=folder, log=log, error=BuildError,
        )  # fmt: skip
        if done.returncode:
            if shutil.disk_usage(folder).free < _ROOM:
                raise DiskFullError(
                    f"cannot build {what}: no space left in the cache: `pyprof cache clean`, or set PYPROF_CACHE"
                )
            raise BuildError(_explain(what, log))
        check_headers(folder, root, what, log)
        for intermediate in ("obj.target", ".deps"):
            shutil.rmtree(folder / "build/Release" / intermediate, ignore_errors=True)

    def _environment(self, root: Path) -> dict[str, str]:
        environment, _ = child_environment()
        environment = {name: value for name, value in environment.items() if not name.startswith("npm_package_")}
        # node-gyp lets npm_config_nodedir win over its own --nodedir.
        environment["npm_config_nodedir"] = str(root)
        environment["npm_config_python"] = environment["PYTHON"] = sys.executable
        # A binding.gyp runs plain `node -p "require('node-addon-api')…"`.
        environment["NODE_PATH"] = str(self._tools)
        environment["PATH"] = os.pathsep.join([str(self._tool_node.parent), environment.get("PATH", os.defpath)])
        return environment


def script_error(script: str, node: Node, commands: Commands) -> str | None:
    """Why a line of JavaScript fails in that very Node, in one line; None where it does not."""
    environment, _ = child_environment()
    argv: list[str | Path] = [node.exec_path, "-e", f"{script}; process.exit(0)"]
    done = commands.run(argv, environment=environment, timeout=_LOAD_TIMEOUT, error=BuildError)
    if not done.returncode:
        return None
    error = re.search(r"^\w*Error.*", done.stderr, re.MULTILINE)
    return error[0] if error else done.stderr.strip()[-300:] or f"exit code {done.returncode}"


def load_error(folder: Path, node: Node, commands: Commands) -> str | None:
    """Why that very Node cannot load the folder as a module; None where it can."""
    return script_error(f"require({json.dumps(str(folder))})", node, commands)


def check_loads(folder: Path, node: Node, commands: Commands, what: str) -> None:
    """Load the folder as a module in that very Node.

    Raises:
        BuildError: it cannot be loaded; with the Nodes that its package.json asks for.
    """
    cause = load_error(folder, node, commands)
    if cause is None:
        return
    about = folder / "package.json"
    manifest = json.loads(about.read_text(encoding="utf-8")) if about.is_file() else {}
    wanted = (manifest.get("engines") or {}).get("node")
    hint = f" (its package.json asks for Node {wanted}: choose one with --node, or leave it out)" if wanted else ""
    raise BuildError(f"{what} cannot be loaded by Node {node.version} ({node.exec_path}): {cause}{hint}")


def gyp_module_arguments(package: Path, node: Node) -> list[str]:
    """node-gyp's arguments for a package that expects node-pre-gyp: its `binary` field says where it will look.

    Raises:
        BuildError: the field has a part that only node-pre-gyp itself knows.
    """
    about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    binary = about.get("binary") or {}
    if not {"module_name", "module_path"} <= binary.keys():
        return []
    values = {
        "module_name": binary["module_name"], "version": about["version"], "node_abi": f"node-v{node.abi}",
        "platform": sys.platform, "arch": node.arch, "libc": "glibc" if sys.platform == "linux" else "unknown",
        "configuration": "Release",
    }  # fmt: skip
    try:
        where = re.sub(r"\{(\w+)\}", lambda match: str(values[match[1]]), binary["module_path"])
    except KeyError as cause:
        raise BuildError(f"cannot build {about['name']}@{about['version']}: its module_path needs {cause}") from cause
    # Relative, gyp would take it from its own build folder.
    return [f"--module_name={binary['module_name']}", f"--module_path={package / where}"]


def check_headers(folder: Path, root: Path, what: str, log: Path) -> None:
    """Loading does not show which headers were used (Node-API addons load into any Node); gyp's record does."""
    record = (folder / "build/config.gypi").read_text(encoding="utf-8")
    used = re.search(r'"nodedir": "([^"]*)"', record)
    if used is None or Path(used[1]) != root:
        raise BuildError(f"{what} was built with the headers of {used and used[1]} instead of {root}; full log: {log}")


def _require_compiler(what: str) -> None:
    compiler = os.environ.get("CXX", "").split()[:1] or ["g++"]
    for program in ("make", compiler[0]):
        if shutil.which(program) is None:
            raise BuildError(f"cannot build {what}: there is no {program}: `apt-get install build-essential` brings it")


def _explain(what: str, log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    output = [line for line in lines if not line.startswith(("gyp info", "gyp ERR! ", "gyp verb"))] or lines
    told = [line for line in output if _CAUSE.search(line)][:6] or output[-10:]
    text = "\n".join(lines)
    packages = [package for pattern, package in _MISSING if pattern.search(text)]
    hint = f": `apt-get install {' '.join(dict.fromkeys(packages))}` brings what is missing" if packages else ""
    return "\n".join([f"cannot build {what}{hint}; full log: {log}", *(f"    {line[:300]}" for line in told)])
