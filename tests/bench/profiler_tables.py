"""What the benchmark of profilers measured, as tables with ratios to the best peer, and what it must show."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bench.profiler_trials import ARMS, HEAPS, MANY_PATHS, NEW, OWN, Result, Trial

from pyprof import stats

Results = Sequence[tuple[Trial, Result]]
Values = dict[str, float]  # by arm


def of_profiles(results: Results, node: str, heap: int, name: str, many: bool = False) -> Values:
    """Median over all profiles of all blocks, ms."""
    found: dict[str, list[float]] = {}
    for trial, result in results:
        if (trial.node, trial.scenario, trial.heap) == (node, "pauses", heap) and is_many(trial) == many:
            values = [profile[name] for profile in result["profiles"] if name in profile]
            found.setdefault(trial.arm, []).extend(values)
    return {arm: median(values) for arm, values in found.items() if values}


def cpu_while_profiling(results: Results, node: str) -> Values:
    """CPU time per request from one profile's start to the next one's, against none in the same block."""
    return _against_none(
        results, node, "pauses", lambda result: median(profile["cpu_per_request"] for profile in result["profiles"])
    )


def cpu_while_idle(results: Results, node: str) -> Values:
    """CPU time per request on warm code while no profile runs, against before in the same process, and none's."""
    return _against_none(results, node, "warm", lambda result: float(result["idle"]))


def cpu_making_code(results: Results, node: str) -> Values:
    """The same while code is made without end."""
    return _against_none(results, node, "making", lambda result: median(result["idle"]))


def growth(results: Results, node: str) -> Values:
    """KB of RSS per profile over the second half of the process' life, more than without profiler."""
    slopes = {}
    for trial, result in results:
        if (trial.node, trial.scenario) == (node, "memory"):
            half = result["rss"][len(result["rss"]) // 2 :]
            slopes[trial.arm] = stats.theil_sen([n for n, _ in half], [kib for _, kib in half]).slope
    return {arm: slope - slopes["none"] for arm, slope in slopes.items() if arm != "none" and "none" in slopes}


def is_many(trial: Trial) -> bool:
    """Whether the profiles have some 300,000 nodes."""
    return trial.settings.get("paths") == MANY_PATHS


def _against_none(results: Results, node: str, scenario: str, value: Callable[[Result], float]) -> Values:
    """Median over heaps and blocks of the ratio to `none` at the same heap in the same block."""
    groups: dict[tuple[int, int], Values] = {}
    for trial, result in results:
        if (trial.node, trial.scenario) == (node, scenario) and not is_many(trial):
            groups.setdefault((trial.block, trial.heap), {})[trial.arm] = value(result)
    ratios: dict[str, list[float]] = {}
    for group in groups.values():
        for arm in group.keys() - {"none"}:
            if "none" in group:
                ratios.setdefault(arm, []).append(group[arm] / group["none"])
    return {arm: median(values) for arm, values in ratios.items()}


@dataclass(frozen=True)
class Column:
    """A table's column; ``with_ratio``: to the best peer, beside each value."""

    title: str
    values: Values
    with_ratio: bool = False
    form: str = "{:.3g}"

    def cell(self, arm: str) -> str:
        """The value and the ratio of one arm."""
        if arm not in self.values:
            return "–"
        text = self.form.format(self.values[arm])
        peers = [value for name, value in self.values.items() if name not in (*OWN, "none")]
        if not self.with_ratio or arm == "none" or not peers:
            return text
        ratio = self.values[arm] / min(peers)
        return f"{text} ({ratio:.2g})" if ratio < 100 else f"{text} ({ratio:,.0f})"


def n_nodes(results: Results, node: str, many: bool = False) -> str:
    """Of a profile's tree, as the inspector's profiles tell, in words."""
    found = [
        result["nodes"]
        for trial, result in results
        if (trial.node, trial.arm, trial.scenario) == (node, "inspector", "pauses") and is_many(trial) == many
    ]
    return f"{median(found):,.0f}" if found else "an unknown number of"


def tables(results: Results, nodes: Sequence[str], versions: Mapping[str, str]) -> str:
    """All tables, in Markdown."""
    lines: list[str] = []
    for node in nodes:
        title = f"**Node {versions[node]}, heap of 80 MB, profiles of {n_nodes(results, node)} nodes**"
        lines += _table(title, node, _pauses(results, node, 80))
        heaps = [
            Column(f"loop paused at {heap} MB, ms", of_profiles(results, node, heap, "pause"), True) for heap in HEAPS
        ]
        costs = [
            Column("CPU per request, profiling", cpu_while_profiling(results, node), form="{:.2f}"),
            Column("idle", cpu_while_idle(results, node), form="{:.2f}"),
            Column("idle, code made without end", cpu_making_code(results, node), form="{:.2f}"),
            Column("RSS growth, KB per profile", growth(results, node), form="{:.1f}"),
        ]
        lines += _table(f"**Node {versions[node]}, by heap, CPU and memory**", node, heaps + costs)
    if NEW in nodes:
        title = f"**Node {versions[NEW]}, profiles of {n_nodes(results, NEW, many=True)} nodes**"
        lines += _table(title, NEW, _pauses(results, NEW, 5, many=True))
    return "\n".join(lines).strip() + "\n"


def _pauses(results: Results, node: str, heap: int, many: bool = False) -> list[Column]:
    def column(title: str, name: str, with_ratio: bool = False) -> Column:
        return Column(f"{title}, ms", of_profiles(results, node, heap, name, many), with_ratio)

    return [
        column("start", "start"), column("stop", "stop"), column("encode", "encode"),
        column("encoded after", "encoded"), column("loop paused", "pause", True),
        column("longest gap", "longest", True),
    ]  # fmt: skip


def _table(title: str, node: str, columns: Sequence[Column]) -> list[str]:
    """Nothing where nothing was measured."""
    if not any(column.values for column in columns):
        return []
    head = ["| profiler | " + " | ".join(column.title for column in columns) + " |"]
    head.append("|---|" + "---:|" * len(columns))
    rows = [f"| {arm} | " + " | ".join(column.cell(arm) for column in columns) + " |" for arm in ARMS[node]]
    return ["", title, "", *head, *rows]


def wanted(results: Results) -> list[tuple[str, float, float]]:
    """What `auto` must show on the newest Node: the claim, the value (NaN: not measured), the most that it may be."""

    def auto(values: Values) -> float:
        return values.get("auto", math.nan)

    def start_and_stop(heap: int) -> float:
        return sum(auto(of_profiles(results, NEW, heap, name)) for name in ("start", "stop"))

    paused = of_profiles(results, NEW, 80, "pause")
    making = cpu_making_code(results, NEW)
    limits = {"pprof@5.0.0": 1 / 50, "@datadog/pprof@5.20.0": 1 / 50, "@datadog/pprof@5.20.0:restart": 1 / 7}
    claims = [
        (f"loop paused, against {peer}", auto(paused) / paused.get(peer, math.nan), most)
        for peer, most in limits.items()
    ]
    longest = of_profiles(results, NEW, 5, "longest", many=True)
    return [
        *claims,
        ("start + stop at 400 MB, against 5 MB", start_and_stop(400) / start_and_stop(5), 1.5),
        ("longest gap with the many nodes, ms", auto(longest), 60),
        (
            "what idling costs while code is made, against eager",
            (auto(making) - 1) / (making.get("eager", math.nan) - 1),
            0.5,
        ),
        ("CPU per request of warm code, idle", auto(cpu_while_idle(results, NEW)), 1.03),
    ]
