"""Gets everything that an experiment needs, before its first trial: Nodes, tools, the app, addons and peers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pyprof import profilers, workloads
from pyprof.errors import UsageError
from pyprof.experiment import Experiment
from pyprof.nodes import Need, Node, Store, child_environment
from pyprof.results import Variant


@dataclass(frozen=True)
class Prepared:
    """All paths that trials need. ``variants`` are in the order of the experiment: by Node, then by profiler."""

    variants: list[Variant]
    script: str
    tool_node: str
    modules: str
    environment: Mapping[str, str]
    dropped: tuple[str, ...]
    logs: Path


def needs(experiment: Experiment, store: Store) -> list[Need]:
    """What would be fetched and built, for the outlook."""
    parsed = [profilers.parse(text) for text in experiment.profilers]
    return store.missing(
        nodes=list(experiment.nodes),
        addon=any(profiler.needs_addon for profiler in parsed),
        peers=sorted({(profiler.name, profiler.version) for profiler in parsed if profiler.version is not None}),
        workload=None if experiment.app else experiment.workload,
    )


def prepare(experiment: Experiment, store: Store, logs: Path) -> Prepared:
    """Fetch and build what is missing; errors name what failed and what to do."""
    nodes = _distinct(experiment, store)
    modules = store.tools()
    parsed = [profilers.parse(text) for text in experiment.profilers]
    peers = sorted({(profiler.name, profiler.version) for profiler in parsed if profiler.version is not None})
    store.prepare(list(nodes.values()), addon=any(profiler.needs_addon for profiler in parsed), peers=peers)
    if experiment.app:
        script = Path(experiment.app).resolve()
    else:
        script = store.workload(workloads.find(experiment.workload).name) / "app.js"
    environment, dropped = child_environment()
    single = len(nodes) == 1
    return Prepared(
        variants=[
            _variant(label, node, profiler, store, single=single)
            for label, node in nodes.items()
            for profiler in parsed
        ],
        script=str(script),
        tool_node=str(store.npm.node),
        modules=str(modules),
        environment=environment,
        dropped=tuple(dropped),
        logs=logs,
    )


def _distinct(experiment: Experiment, store: Store) -> dict[str, Node]:
    """The Nodes by a label that is unique: the version, with its path where two have the same."""
    found = [(spec, store.find(spec)) for spec in experiment.nodes]
    nodes: dict[str, Node] = {}
    for spec, node in found:
        if any(node.exec_path == other.exec_path for other in nodes.values()):
            raise UsageError(f"--node {spec} is the same Node as another --node ({node.exec_path}); name each once")
        same = [other for _, other in found if other.version == node.version and other.exec_path != node.exec_path]
        nodes[f"{node.version} ({node.exec_path})" if same else node.version] = node
    return nodes


def _variant(label: str, node: Node, profiler: profilers.Profiler, store: Store, *, single: bool) -> Variant:
    package = None
    if profiler.version is not None:
        package = str(store.peer(profiler.name, profiler.version, node))
    elif profiler.needs_addon:
        package = str(store.addon(node))
    details = {
        "exec_path": str(node.exec_path), "version": node.version, "v8": node.v8, "abi": node.abi, "arch": node.arch,
        "source": node.source, "package": package,
    }  # fmt: skip
    return Variant(profiler.text if single else f"{label} {profiler.text}", label, profiler.text, details)
