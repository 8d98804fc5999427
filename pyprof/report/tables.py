"""The tables and sentences of a report, before any format: text, Markdown and HTML show the same."""

from __future__ import annotations

from collections.abc import Iterator

from pyprof import noise
from pyprof.comparison import Comparison
from pyprof.measured import VariantResult
from pyprof.report import cells, sections
from pyprof.report.cells import Table
from pyprof.units import counted, format_duration

#: What the tables show; JSON has every metric.
SHOWN = ("cpu_per_request", "rss", "qps", "start_pause", "stop_pause", "leak")
#: With this many blocks or fewer a run is called quick.
QUICK_BLOCKS = 5

NOTE_SAMPLES = (
    "p, samples: Student's unpaired test on all single samples, as in the table that this experiment repeats. It takes "
    "samples of one process for independent, which they are not, and calls identical builds different more often than "
    "not; it is shown for comparison, decide nothing by it."
)
NOTE_PAIRED = (
    "Difference and p: paired by block, one value per process (RSS, QPS and CPU: Student's t on logs; pauses and "
    "growth: on the raw differences). Hodges-Lehmann: the median of the means of any two blocks' differences, by which "
    "single odd blocks move less; its 95 % interval takes 6 blocks. p, Welch: over processes, without pairs. Each "
    "interval and p stands alone."
)
NOTE_GROWTH = (
    "RSS growth per profile: slope of RSS over the window per turn of the profile loop; `none` and "
    "idle variants run the same loop without profiles, so that a leak is the difference to them."
)


def headline(comparison: Comparison) -> str:
    """One line: what was run."""
    e = comparison.experiment
    what = e.app if e.app else e.workload
    load = f"{e.rate:g} requests/s" if e.rate is not None else f"{e.connections} connections, as fast as it can"
    return (
        f"{what} under load ({load}): {counted(len(comparison.variants), 'variant')} × {counted(e.blocks, 'block')} of "
        f"{format_duration(e.duration)} after {format_duration(e.warmup)} of warm-up, profiles of "
        f"{format_duration(e.profile_duration)} {_gap(e.profile_gap)}, seed {e.seed}"
    )


def _gap(gap: float) -> str:
    return f"every {format_duration(gap)}" if gap else "without a gap"


def tables(comparison: Comparison) -> list[Table]:
    """The verdicts, what differs, by Node the values and each baseline's comparison, what could be settled."""
    shown = [name for name in SHOWN if any(variant.metrics[name].n for variant in comparison.values())]
    made = [*sections.verdicts(comparison), *sections.summary(comparison, shown)]
    for node in comparison.nodes:
        made.append(_values(comparison, node))
        made += [_against(comparison, node, baseline) for baseline in _baselines(comparison, node)]
    made += sections.leak(comparison)
    made += sections.forecast(comparison)
    made += sections.band(comparison, shown)
    made += sections.identical(comparison, shown)
    return [table for table in made if table.rows]


def _of_node(comparison: Comparison, node: str) -> list[VariantResult]:
    return [variant for variant in comparison.variants.values() if variant.node == node]


def _baselines(comparison: Comparison, node: str) -> list[VariantResult]:
    return [v for v in _of_node(comparison, node) if v.profiler in comparison.experiment.baselines and not v.again]


def _metrics(comparison: Comparison, node: str) -> Iterator[str]:
    for name in SHOWN:
        if any(variant.metrics[name].n for variant in _of_node(comparison, node)):
            yield name


def _values(comparison: Comparison, node: str) -> Table:
    rows = []
    for name in _metrics(comparison, node):
        for variant in _of_node(comparison, node):
            values = variant.metrics[name]
            if values.n:
                label = f"{values.metric.title} ({values.metric.unit})"
                rows.append((label, variant.profiler, cells.mean_and_error(values.mean, values.se), str(values.n)))
    return Table(f"Node {node}", ("metric", "profiler", "mean ± standard error", "processes"), tuple(rows))


def _against(comparison: Comparison, node: str, baseline: VariantResult) -> Table:
    rows = [
        (sections.label(contrast), comparison[contrast.candidate].profiler, *cells.difference(contrast),
         cells.robust(contrast), *cells.p_values(contrast), str(contrast.n_blocks))
        for name in _metrics(comparison, node)
        for contrast in comparison.comparisons
        if (contrast.metric.name, contrast.baseline) == (name, baseline.name)
    ]  # fmt: skip
    return Table(
        f"Node {node}: change against {baseline.profiler}",
        ("metric", "profiler", "difference", "95 % CI", "Hodges-Lehmann", "p", "p, Welch", "p, samples", "blocks"),
        tuple(rows),
    )


def notes(comparison: Comparison) -> list[str]:
    """Sentences under the tables: how to read them, and what limits them."""
    e = comparison.experiment
    found = []
    if e.blocks <= QUICK_BLOCKS:
        found.append(
            f"Quick: {counted(e.blocks, 'block')}. Intervals from so few rest on normality and settle large "
            "differences only."
        )
    if e.concurrent:
        found.append(
            "The variants of a block ran at the same time, as the original experiment did: they take each other's CPU, "
            "so read nothing into QPS and CPU per request."
        )
    if e.rate is not None:
        found.append("The load was paced: every variant did equal work, so QPS is no result and is left out.")
    if comparison.failed:
        found += [f"Failed: {trial.variant}, block {trial.block}: {trial.error}" for trial in comparison.failed]
    if comparison.n_missing > len(comparison.failed):
        found.append(f"{comparison.n_missing} trials of the plan are missing: the run was not finished.")
    found += noise.warnings(comparison)
    dropped = comparison.environment.get("dropped")
    if dropped:
        found.append(f"Kept from the children: {', '.join(dropped)}.")
    found += [NOTE_PAIRED, NOTE_SAMPLES, NOTE_GROWTH]
    return found


def environment_line(comparison: Comparison) -> str:
    """One line: where it ran."""
    e = comparison.environment
    parts = [
        f"pyprof {e.get('pyprof')}",
        e.get("system"),
        f"kernel {e.get('kernel')}",
        e.get("cpu"),
        f"{e.get('cpus')} CPUs",
    ]
    parts += [f"{e['memory_mib']} MiB"] if e.get("memory_mib") else []
    return ", ".join(str(part) for part in parts if part) + (f", {e['started']}" if e.get("started") else "")
