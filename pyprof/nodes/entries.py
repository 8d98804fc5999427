"""One by one, what experiments need: Nodes, tools, addons, apps; found in the cache, or put there."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from pyprof import native, workloads
from pyprof.errors import BuildError, OfflineError, UsageError
from pyprof.nodes import fetch, hashing, versions
from pyprof.nodes.build import Builder, check_loads, gyp_module_arguments
from pyprof.nodes.cache import Cache
from pyprof.nodes.node import Node, describe
from pyprof.nodes.npm import Npm

TOOLS = Path(__file__).resolve().parent / "tools"


class Entries:
    """Makes what is missing, announces it, and finds what is there without network and without a word.

    ``announce`` gets one line at a time, also from the threads of `all_at_once`, never two at once.
    """

    def __init__(self, cache: Cache, npm: Npm, announce: Callable[[str], None]) -> None:
        self.cache = cache
        self.npm = npm
        self.jobs = os.cpu_count() or 1
        self._announce = announce
        self._announcing = threading.Lock()
        cache.use()

    def find(self, spec: str) -> Node:
        """The Node that a spec means; from npm if need be.

        ``spec``: a version (``12.19.0``), the beginning of one (``24``: the newest in the cache, else on npm), a path
        (of the program, or of a folder with `bin/node`), or ``system`` (the `node` of PATH, else the one that is
        installed beside this Python).

        Raises:
            UsageError: there is no such Node, or it is older than those that pyprof works with.
            NpmError, OfflineError: it cannot be fetched.
        """
        if wanted := versions.wanted(spec):
            version = fetch.choose(wanted, self.cache, self.npm, announce=self.announce)
            versions.check_supported(version)
            return fetch.install(version, self.cache, self.npm, announce=self.announce, cancelled=self._cancelled)
        node = self._installed(spec)
        versions.check_supported(node.version)
        return node

    def look_up(self, spec: str) -> str:
        """The version that a spec means, as `find` would give it, without a download. npm is asked if need be.

        Raises what `find` raises.
        """
        wanted = versions.wanted(spec)
        if wanted is None:
            return self.find(spec).version
        version = fetch.look_up(wanted, self.cache, self.npm, announce=self.announce)
        versions.check_supported(version)
        return version

    def _installed(self, spec: str) -> Node:
        if spec == "system":
            # A virtual environment that is not activated may hold one, too.
            program = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))
            if program is None:
                raise UsageError("there is no node on PATH: name a version, as in --node 24")
            return describe(Path(program).absolute(), self.npm.commands, "system")
        path = Path(spec).expanduser().absolute()
        if path.is_dir():
            path = next((found for found in (path / "bin/node", path / "node") if found.is_file()), path)
        if not path.is_file():
            kind = "a program" if path.exists() else "a version, a path or 'system'"
            raise UsageError(f"no such Node: {spec!r} is not {kind} (as in 12.19.0, 24, ./out/Release/node)")
        return describe(path, self.npm.commands, "path")

    def tools(self) -> Path:
        """`node_modules` with node-gyp, node-addon-api and autocannon."""

        def fill(staging: Path) -> None:
            self._offline_cannot("pyprof's tools are", "pyprof node install system")
            self.announce("downloading node-gyp, node-addon-api and autocannon")
            self._install(TOOLS, staging)

        return self._make("tools", self.tools_key(), fill) / "node_modules"

    def addon(self, node: Node) -> Path:
        """The folder to `require()`: pyprof's own addon, as this installation brings it, or built for that Node."""
        if shipped := self.shipped_addon(node):
            return shipped
        sources = native.sources()

        def fill(staging: Path) -> None:
            what = f"the addon for Node {node.version}"
            self.announce(f"building {what}")
            for name in ("csrc", "node_addon"):
                shutil.copytree(sources / name, staging / name, ignore=shutil.ignore_patterns(*hashing.LEFT_OUT))
            self._build(staging / "node_addon", node, "addon", what)

        return self._make("addons", self.addon_key(node), fill) / "node_addon"

    def workload(self, name: str) -> Path:
        """The folder of an app of pyprof's own, with its npm packages."""
        folder = workloads.find(name).folder
        if not (folder / "package-lock.json").is_file():
            return folder

        def fill(staging: Path) -> None:
            self._offline_cannot(f"the packages of {name} are", f"pyprof node install system --workload {name}")
            self.announce(f"downloading the packages of workload {name}")
            self._install(folder, staging)

        return self._make("workloads", self.workload_key(name), fill)

    def tools_key(self) -> str:
        """Key of the tools in the cache."""
        return hashing.tree(TOOLS)

    def shipped_addon(self, node: Node) -> Path | None:
        """The folder of the addon if it need not be built: for a released Node whose ABI this wheel was made for."""
        if versions.parse(node.version) is None:
            return None
        return native.prebuilt(f"{sys.platform}-{node.arch}", node.abi, addon_sources_key())

    def addon_key(self, node: Node) -> str:
        """Key of the addon in the cache."""
        return f"{hashing.node_key(node)}-{addon_sources_key()}"

    def workload_key(self, name: str) -> str:
        """Key of a workload in the cache."""
        return f"{name}-{hashing.tree(workloads.find(name).folder)}"

    def announce(self, line: str) -> None:
        """Pass a line on, one thread at a time."""
        with self._announcing:
            self._announce(line)

    def all_at_once(self, tasks: Sequence[Callable[[], object]]) -> None:
        """Do independent tasks, as many at a time as there are CPUs. The first that fails ends the others."""
        workers = min(len(tasks), os.cpu_count() or 1)
        self.jobs = max(1, (os.cpu_count() or 1) // max(1, workers))
        executor = ThreadPoolExecutor(max(1, workers))
        try:
            for future in as_completed([executor.submit(task) for task in tasks]):
                future.result()
        except BaseException:
            self.npm.commands.stop()
            raise
        finally:
            executor.shutdown(cancel_futures=True)
            self.npm.commands.resume()
            self.jobs = os.cpu_count() or 1

    def _make(self, part: str, key: str, fill: Callable[[Path], None]) -> Path:
        return self.cache.make(part, key, fill, announce=self.announce, cancelled=self._cancelled)

    def _cancelled(self) -> bool:
        return self.npm.commands.stopping

    def _install(self, project: Path, staging: Path, *, local: bool = False) -> None:
        shutil.copytree(project, staging, ignore=shutil.ignore_patterns(*hashing.LEFT_OUT), dirs_exist_ok=True)
        self.npm.ci(staging, local=local)

    def _build(self, folder: Path, node: Node, log_name: str, what: str) -> None:
        builder = Builder(self.npm.commands, self.npm.node, self.tools(), self.jobs)
        if (folder / "binding.gyp").is_file():
            log = self.cache.path("logs", f"{log_name}-node-{hashing.node_key(node)}.log")
            arguments = gyp_module_arguments(folder, node)
            builder.build(folder, node, self._headers(node), log, what=what, arguments=arguments)
        check_loads(folder, node, self.npm.commands, what)

    def _headers(self, node: Node) -> Path:
        if node.root is not None:
            return node.root
        try:
            return self.find(node.version).exec_path.parent.parent
        except UsageError as cause:
            raise BuildError(
                f"{node.exec_path} has no headers of its own in {node.exec_path.parent.parent / 'include/node'}, "
                f"and npm has none for it: {cause}"
            ) from cause

    def _offline_cannot(self, what: str, command: str) -> None:
        if self.npm.offline:
            raise OfflineError(f"{what} not in the cache; with network: `{command}`", command)


def addon_sources_key() -> str:
    """Key of what the addon is built from."""
    sources = native.sources()
    return hashing.tree(sources / "csrc", sources / "node_addon")
