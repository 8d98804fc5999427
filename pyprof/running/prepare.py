"""Gets everything that an experiment needs, before its first trial: Nodes, tools, the app, addons and peers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from pyprof import profilers
from pyprof.errors import UsageError
from pyprof.experiment import Experiment
from pyprof.nodes import Need, Node, Store, child_environment
from pyprof.trials import Variant


@dataclass(frozen=True)
class Prepared:
    """All paths that trials need. ``variants`` are in the order of the experiment: by Node, then by profiler.

    ``environment`` is what the children get; ``dropped`` are the caller's variables that they do not.
    """

    variants: list[Variant]
    script: str
    tool_node: str
    modules: str
    environment: Mapping[str, str]
    dropped: tuple[str, ...]
    logs: Path


class _Wants(TypedDict):
    addon: bool
    peers: list[profilers.Package]
    workload: str | None


def _wants(experiment: Experiment) -> _Wants:
    parsed = [profilers.parse(text) for text in experiment.profilers]
    return {
        "addon": any(profiler.needs_addon for profiler in parsed),
        "peers": list(dict.fromkeys(profiler.package for profiler in parsed if profiler.package)),
        "workload": experiment.workload,
    }


def needs(experiment: Experiment, store: Store) -> list[Need]:
    """What is missing. Uses no network."""
    return store.missing(experiment.nodes, **_wants(experiment))


def foresee(experiment: Experiment, store: Store) -> list[Variant]:
    """The variants that `prepare` would give, without details. Downloads nothing, but may ask npm for versions.

    Offline, a Node that is not in the cache keeps the name that it was given.
    """
    if store.npm.offline:
        lacking = {need.what for need in store.missing(experiment.nodes)}
        labels = [spec if f"Node {spec}" in lacking else store.look_up(spec) for spec in experiment.nodes]
    else:
        labels = [store.look_up(spec) for spec in experiment.nodes]
    unique = [
        label if labels.count(label) == 1 else f"{label} ({spec})"
        for label, spec in zip(labels, experiment.nodes, strict=True)
    ]
    return [
        Variant(profiler if len(unique) == 1 else f"{label} {profiler}", label, profiler)
        for label in unique
        for profiler in experiment.profilers
    ]


def check_offline(experiment: Experiment, store: Store) -> None:
    """OfflineError where the experiment needs a download."""
    store.check_offline(experiment.nodes, **_wants(experiment))


def prepare(experiment: Experiment, store: Store, logs: Path) -> Prepared:
    """Fetch and build what is missing; errors name what failed and what to do."""
    labelled = _labels(experiment.nodes, store.prepare(experiment.nodes, **_wants(experiment)))
    script = (
        store.workload(experiment.workload) / "app.js" if experiment.workload else Path(str(experiment.app)).resolve()
    )
    environment, dropped = child_environment()
    parsed = [profilers.parse(text) for text in experiment.profilers]
    single = len(labelled) == 1
    return Prepared(
        variants=[
            _variant(label, node, profiler, store, single=single)
            for label, node in labelled.items()
            for profiler in parsed
        ],
        script=str(script),
        tool_node=str(store.npm.node),
        modules=str(store.tools()),
        environment=environment,
        dropped=tuple(dropped),
        logs=logs,
    )


def _labels(specs: Sequence[str], found: Sequence[Node]) -> dict[str, Node]:
    """The Nodes by a label that is unique: the version, with its path where two have the same."""
    labelled: dict[str, Node] = {}
    for spec, node in zip(specs, found, strict=True):
        if any(node.exec_path == other.exec_path for other in labelled.values()):
            raise UsageError(f"--node {spec} is the same Node as another --node ({node.exec_path}); name each once")
        alone = sum(node.version == other.version for other in found) == 1
        labelled[node.version if alone else f"{node.version} ({node.exec_path})"] = node
    return labelled


def _variant(label: str, node: Node, profiler: profilers.Profiler, store: Store, *, single: bool) -> Variant:
    package = package_for(profiler, node, store)
    details = {
        "exec_path": str(node.exec_path),
        "version": node.version,
        "v8": node.v8,
        "abi": node.abi,
        "arch": node.arch,
        "source": node.source,
        "package": package,
    }
    if profiler.is_local:
        store.check_adapter(profiler, package, node)
        details["contents"] = store.contents(profiler)
    return Variant(profiler.text if single else f"{label} {profiler.text}", label, profiler.text, details)


def package_for(profiler: profilers.Profiler, node: Node, store: Store) -> str | None:
    """What the adapter gets to `require()`."""
    if profiler.package is not None:
        return str(store.peer(profiler.package, node))
    if profiler.needs_addon:
        return str(store.addon(node))
    return str(profiler.adapter.parent) if profiler.is_local else None
