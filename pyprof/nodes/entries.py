"""One by one, what experiments need: Nodes, tools, addons, packages, apps; found in the cache, or put there."""

from __future__ import annotations

import json
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
from pyprof.nodes.build import Builder, gyp_module_arguments
from pyprof.nodes.cache import Cache
from pyprof.nodes.node import Node, describe
from pyprof.nodes.npm import NotOnNpmError, Npm

TOOLS = Path(__file__).resolve().parent / "tools"
_PINNED = Path(__file__).resolve().parent.parent / "profilers/npm"


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
        """The folder to `require()`: pyprof's own addon, built for that Node."""
        sources = native.sources()

        def fill(staging: Path) -> None:
            what = f"the addon for Node {node.version}"
            self.announce(f"building {what}")
            for name in ("csrc", "node_addon"):
                shutil.copytree(sources / name, staging / name, ignore=shutil.ignore_patterns(*hashing.LEFT_OUT))
            self._build(staging / "node_addon", node, "addon", what)

        return self._make("addons", self.addon_key(node), fill) / "node_addon"

    def peer(self, package: str, version: str, node: Node) -> Path:
        """The folder to `require()`: an npm package, built from source for that Node where it has any.

        Its dependencies are pinned by a lock in `pyprof/profilers/npm/PACKAGE/VERSION`, else by npm's resolution of
        today, which the cache keeps.
        """
        spec = node.version if node.source == "npm" else str(node.exec_path)
        locked = self.known_lock(package, version) or self._make_lock(package, version, spec)

        def fill(staging: Path) -> None:
            pristine = self.package(package, version, spec)
            what = f"{package}@{version} for Node {node.version}"
            self.announce(f"building {what}")
            shutil.copytree(pristine, staging, symlinks=True, dirs_exist_ok=True)
            self._build(staging / "node_modules" / package, node, _file_name(package, version), what)

        return self._make("peers", self.peer_key(package, version, locked, node), fill) / "node_modules" / package

    def package(self, package: str, version: str, spec: str) -> Path:
        """The folder whose `node_modules` holds an npm package with its dependencies, as downloaded.

        ``spec`` is the Node that it is wanted for, to name it in errors.
        """
        name = f"{package}@{version}"
        locked = self.known_lock(package, version) or self._make_lock(package, version, spec)

        def fill(staging: Path) -> None:
            self._offline_cannot(f"{name} is", f"pyprof node install {spec} --profiler {name}")
            self.announce(f"downloading {name}")
            self._install(locked, staging)

        return self._make("packages", self.package_key(package, version, locked), fill)

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

    def known_lock(self, package: str, version: str) -> Path | None:
        """The folder with package.json and package-lock.json for a package: shipped with pyprof, or made earlier."""
        shipped, made = _PINNED / package / version, self.cache.path("lockfiles", _file_name(package, version))
        return next((folder for folder in (shipped, made) if (folder / "package-lock.json").is_file()), None)

    def tools_key(self) -> str:
        """Key of the tools in the cache."""
        return hashing.tree(TOOLS)

    def addon_key(self, node: Node) -> str:
        """Key of the addon in the cache."""
        sources = native.sources()
        return f"{hashing.node_key(node)}-{hashing.tree(sources / 'csrc', sources / 'node_addon')}"

    def package_key(self, package: str, version: str, locked: Path) -> str:
        """Key of a downloaded package in the cache; ``locked`` is its `known_lock`."""
        return f"{_file_name(package, version)}-{hashing.tree(locked)}"

    def peer_key(self, package: str, version: str, locked: Path, node: Node) -> str:
        """Key of a package that was built for a Node."""
        return f"{self.package_key(package, version, locked)}-node-{hashing.node_key(node)}"

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

    def _make_lock(self, package: str, version: str, spec: str) -> Path:
        name = f"{package}@{version}"

        def fill(staging: Path) -> None:
            self._offline_cannot(f"{name} is", f"pyprof node install {spec} --profiler {name}")
            project = {"name": "pyprof-profiler", "private": True, "dependencies": {package: version}}
            (staging / "package.json").write_text(json.dumps(project), encoding="utf-8")
            try:
                self.npm.lock(staging)
            except NotOnNpmError as cause:
                raise self._no_package(package, version) from cause
            self.announce(f"{name} is not pinned by pyprof: npm chose its dependencies; the cache keeps their lock")

        return self._make("lockfiles", _file_name(package, version), fill)

    def _install(self, project: Path, staging: Path) -> None:
        shutil.copytree(project, staging, ignore=shutil.ignore_patterns(*hashing.LEFT_OUT), dirs_exist_ok=True)
        self.npm.ci(staging)

    def _build(self, folder: Path, node: Node, log_name: str, what: str) -> None:
        builder = Builder(self.npm.commands, self.npm.node, self.tools(), self.jobs)
        if (folder / "binding.gyp").is_file():
            log = self.cache.path("logs", f"{log_name}-node-{hashing.node_key(node)}.log")
            arguments = gyp_module_arguments(folder, node)
            builder.build(folder, node, self._headers(node), log, what=what, arguments=arguments)
        builder.check_loads(folder, node, what)

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

    def _no_package(self, package: str, version: str) -> UsageError:
        try:
            near = versions.nearest(version, self.npm.versions(package)) if versions.parse(version) else []
        except NotOnNpmError:
            return UsageError(f"npm has no package {package!r} that can be used here")
        return UsageError(f"{package}@{version} is not on npm" + (f"; nearest: {', '.join(near)}" if near else ""))


def _file_name(package: str, version: str) -> str:
    return f"{package}@{version}".replace("/", "+")
