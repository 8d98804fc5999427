"""npm packages that profilers come in: downloaded, or packed out of a folder, once; then built for each Node."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from pyprof import profilers
from pyprof.errors import UsageError
from pyprof.nodes import hashing, versions
from pyprof.nodes.build import load_error, script_error
from pyprof.nodes.cache import Cache
from pyprof.nodes.entries import Entries
from pyprof.nodes.node import Node
from pyprof.nodes.npm import NotOnNpmError, Npm
from pyprof.profilers import Package, Profiler

_TARBALL = "package.tgz"
_ADAPTERS = Path(__file__).resolve().parent.parent / "agent/adapter.js"


class Packages(Entries):
    """Entries for the packages of profilers.

    What a package depends on is pinned by a lock: the one in `pyprof/profilers/npm/PACKAGE/VERSION`, else by npm's
    resolution of today, which the cache keeps. No package's scripts are run.
    """

    def __init__(self, cache: Cache, npm: Npm, announce: Callable[[str], None]) -> None:
        super().__init__(cache, npm, announce)
        self._projects: dict[Package, Path] = {}

    def peer(self, package: Package, node: Node) -> Path:
        """The folder to `require()`: with the binaries that it carries, where they load, else built from source."""
        spec = node.version if node.source == "npm" else str(node.exec_path)
        locked = self.known_lock(package) or self._make_lock(package, spec)

        def fill(staging: Path) -> None:
            pristine = self.package(package, spec)
            what = f"{package} for Node {node.version}"
            self.announce(f"getting {what} ready")
            shutil.copytree(pristine, staging, symlinks=True, dirs_exist_ok=True)
            folder = staging / "node_modules" / package.name
            carried = any(folder.rglob("*.node"))
            if not carried or load_error(folder, node, self.npm.commands):
                self._build(folder, node, self._entry_name(package), what)

        return self._make("peers", self.peer_key(package, locked, node), fill) / "node_modules" / package.name

    def package(self, package: Package, spec: str) -> Path:
        """The folder whose `node_modules` holds the package with its dependencies, not yet built.

        ``spec`` is the Node that it is wanted for, to name it in errors.
        """
        locked = self.known_lock(package) or self._make_lock(package, spec)

        def fill(staging: Path) -> None:
            if package.folder is None:
                self._offline_cannot(f"{package} is", f"pyprof node install {spec} --profiler {package}")
                self.announce(f"downloading {package}")
            self._install(locked, staging, local=package.folder is not None)

        return self._make("packages", self.package_key(package, locked), fill)

    def check_adapter(self, profiler: Profiler, package: str | None, node: Node) -> None:
        """Load a profiler of the user's own as a trial would.

        Raises:
            UsageError: it has no adapter that can serve it.
        """
        load, adapter, directory = (json.dumps(path) for path in (str(_ADAPTERS), str(profiler.adapter), package))
        cause = script_error(f"require({load})({adapter}, {directory}, 1000)", node, self.npm.commands)
        if cause is not None:
            raise UsageError(f"profiler {profiler.text!r} cannot be used in Node {node.version}: {cause}")

    def contents(self, profiler: Profiler) -> str:
        """What a profiler of the user's own is made of, so that two states of it are told apart."""
        adapter = hashlib.sha256(profiler.adapter.read_bytes()).hexdigest()[:12]
        return f"{self._entry_name(profiler.package)}, adapter {adapter}" if profiler.package else f"adapter {adapter}"

    def known_lock(self, package: Package) -> Path | None:
        """The folder with package.json and package-lock.json for a package: shipped with pyprof, or made earlier."""
        made = self.cache.path("lockfiles", self._entry_name(package))
        shipped = [] if package.folder else [profilers.lock(package.name, package.version)]
        return next((folder for folder in (*shipped, made) if (folder / "package-lock.json").is_file()), None)

    def package_key(self, package: Package, locked: Path) -> str:
        """Key of a downloaded package in the cache; ``locked`` is its `known_lock`."""
        return f"{self._entry_name(package)}-{hashing.tree(locked)}"

    def peer_key(self, package: Package, locked: Path, node: Node) -> str:
        """Key of a package that was built for a Node."""
        return f"{self.package_key(package, locked)}-node-{hashing.node_key(node)}"

    def _entry_name(self, package: Package) -> str:
        if package.folder is not None:
            return self._project(package).name
        return _file_name(package)

    def _project(self, package: Package) -> Path:
        """An npm project that depends on the package in a folder as `npm pack` makes it now; named by its contents."""
        if package not in self._projects:
            assert package.folder is not None
            with tempfile.TemporaryDirectory(prefix="pyprof-") as temporary:
                tarball = self.npm.pack(str(package.folder), Path(temporary), local=True)
                digest = hashlib.sha256(tarball.read_bytes()).hexdigest()[:12]  # npm pack leaves times and owners out

                def fill(staging: Path) -> None:
                    shutil.move(tarball, staging / _TARBALL)
                    _write_project(staging, package.name, f"file:{_TARBALL}")

                self._projects[package] = self._make("checkouts", f"{_file_name(package)}-{digest}", fill)
        return self._projects[package]

    def _make_lock(self, package: Package, spec: str) -> Path:
        def fill(staging: Path) -> None:
            if package.folder is not None:
                shutil.copytree(self._project(package), staging, dirs_exist_ok=True)
                self.npm.lock(staging, local=True)
                return
            self._offline_cannot(f"{package} is", f"pyprof node install {spec} --profiler {package}")
            _write_project(staging, package.name, package.version)
            try:
                self.npm.lock(staging)
            except NotOnNpmError as cause:
                raise self._no_package(package) from cause
            self.announce(f"{package} is not pinned by pyprof: npm chose its dependencies; the cache keeps their lock")

        return self._make("lockfiles", self._entry_name(package), fill)

    def _no_package(self, package: Package) -> UsageError:
        try:
            near = versions.nearest(package.version, self.npm.versions(package.name))
        except (NotOnNpmError, ValueError):  # a pre-release has no neighbours
            return UsageError(f"npm has no package {package.name!r} that can be used here")
        return UsageError(f"{package} is not on npm" + (f"; nearest: {', '.join(near)}" if near else ""))


def _write_project(folder: Path, name: str, version: str) -> None:
    project = {"name": "pyprof-profiler", "private": True, "dependencies": {name: version}}
    (folder / "package.json").write_text(json.dumps(project), encoding="utf-8")


def _file_name(package: Package) -> str:
    return f"{package.name}@{package.version}".replace("/", "+")
