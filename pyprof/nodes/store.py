"""Everything that an experiment needs on this machine: what of it is missing, how long that takes, and making it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pyprof import workloads
from pyprof.errors import OfflineError
from pyprof.nodes import fetch, versions
from pyprof.nodes.entries import TOOLS
from pyprof.nodes.node import Node
from pyprof.nodes.packages import Packages
from pyprof.profilers import Package

# Measured on two shared cores and a fast network, two at a time: what each adds to the whole.
_MEGABYTES_PER_SECOND = 20.0
_SECONDS_PER_INSTALL = 2.5
_SECONDS_PER_ADDON = 7.0
_SECONDS_PER_PEER = 3.0
# A guess, for a package that pyprof does not pin.
_MEGABYTES_PER_PACKAGE = 2.0


@dataclass(frozen=True)
class Need:
    """Something that is not in the cache: the MB to download for it, and the seconds that it adds."""

    what: str
    megabytes: float
    seconds: float


class Store(Packages):
    """The entries of an experiment together. A workload is named; a peer is a profiler's package."""

    def missing(
        self, nodes: Sequence[str], *, addon: bool = False, peers: Sequence[Package] = (),
        workload: str | None = None,
    ) -> list[Need]:  # fmt: skip
        """What `prepare` would make. Uses no network."""
        needs = []
        if not self.cache.has("tools", self.tools_key()):
            needs.append(_download("node-gyp and autocannon", _declared(TOOLS)))
        if workload and self._workload_missing(workload):
            needs.append(_download(f"workload {workload}", _declared(workloads.find(workload).folder)))
        known = {spec: self._known(spec) for spec in dict.fromkeys(nodes)}
        needs += [
            _download(f"Node {spec}", versions.megabytes(versions.wanted(spec) or spec))
            for spec, node in known.items()
            if node is None
        ]
        for package in peers:
            needs += self._peer_needs(package, known)
        if addon:
            needs += [
                Need(f"addon for Node {spec}", 0.0, _SECONDS_PER_ADDON)
                for spec, node in known.items()
                if node is None or not self._has_addon(node)
            ]
        return needs

    def prepare(
        self, nodes: Sequence[str | Node], *, addon: bool = False, peers: Sequence[Package] = (),
        workload: str | None = None,
    ) -> list[Node]:  # fmt: skip
        """Make what is missing: first all downloads, then all builds, as many at a time as there are CPUs.

        ``nodes`` has one Node or spec at least; they are returned in the order given. Afterwards `addon`, `peer` and
        the others answer at once.
        """
        specs = [node if isinstance(node, str) else str(node.exec_path) for node in nodes]
        if self.npm.offline:
            self.check_offline(specs, addon=addon, peers=peers, workload=workload)
        found: dict[str | Node, Node] = {node: node for node in nodes if isinstance(node, Node)}

        def find(spec: str) -> None:
            found[spec] = self.find(spec)

        downloads: list[Callable[[], object]] = [partial(find, spec) for spec in set(nodes) if isinstance(spec, str)]
        downloads.append(self.tools)
        downloads += [partial(self.package, package, specs[0]) for package in peers]
        if workload:
            downloads.append(partial(self.workload, workload))
        self.all_at_once(downloads)
        distinct = list(dict.fromkeys(found[node] for node in nodes))
        for node in distinct:
            if versions.untested(node.version):
                self.announce(f"Node {node.version} is newer than those that pyprof is tested with: trying it")
        # The addon takes longest, so it goes first.
        builds: list[Callable[[], object]] = [partial(self.addon, node) for node in distinct] if addon else []
        builds += [partial(self.peer, package, node) for package in peers for node in distinct]
        self.all_at_once(builds)
        return [found[node] for node in nodes]

    def check_offline(
        self, specs: Sequence[str], *, addon: bool, peers: Sequence[Package], workload: str | None
    ) -> None:
        """OfflineError where something must be downloaded: it names all of that, and the one command that does it."""
        lacking = [
            need.what for need in self.missing(specs, addon=addon, peers=peers, workload=workload) if need.megabytes
        ]
        if not lacking:
            return
        command = ["pyprof", "node", "install", *specs, *(["--profiler", "recreate"] if addon else [])]
        for package in peers:
            command += ["--profiler", str(package)]
        command += ["--workload", workload] if workload else []
        what = shlex.join(command)
        raise OfflineError(f"not in the cache {self.cache.root}: {', '.join(lacking)}; with network: `{what}`", what)

    def _known(self, spec: str) -> Node | None:
        """The Node of a spec, if it can be had without npm."""
        wanted = versions.wanted(spec)
        if wanted is None:
            return self.find(spec)
        version = versions.newest_match(wanted, fetch.cached(self.cache))
        return fetch.load(self.cache, version) if version else None

    def _has_addon(self, node: Node) -> bool:
        return self.shipped_addon(node) is not None or self.cache.has("addons", self.addon_key(node))

    def _workload_missing(self, name: str) -> bool:
        locked = workloads.find(name).folder / "package-lock.json"
        return locked.is_file() and not self.cache.has("workloads", self.workload_key(name))

    def _peer_needs(self, package: Package, nodes: Mapping[str, Node | None]) -> list[Need]:
        locked = self.known_lock(package)
        needs = []
        if package.folder is None and not (locked and self.cache.has("packages", self.package_key(package, locked))):
            needs.append(_download(str(package), _declared(locked) if locked else _MEGABYTES_PER_PACKAGE))
        needs += [
            Need(f"{package} for Node {spec}", 0.0, _SECONDS_PER_PEER)
            for spec, node in nodes.items()
            if not (locked and node and self.cache.has("peers", self.peer_key(package, locked, node)))
        ]
        return needs


def _download(what: str, megabytes: float) -> Need:
    return Need(what, megabytes, _SECONDS_PER_INSTALL + megabytes / _MEGABYTES_PER_SECOND)


def _declared(folder: Path) -> float:
    about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    return float(about.get("pyprof", {}).get("downloadMB", 0.0))
