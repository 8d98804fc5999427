"""The tables and sentences of a report, before any format: text, Markdown and HTML show the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from pyprof import noise
from pyprof.comparison import ALPHA, POWER, Comparison, Contrast, VariantResult
from pyprof.metrics import all_metrics
from pyprof.units import counted, decimals, format_duration, format_p, format_value
from pyprof.verdicts import judge

#: What the tables show; JSON has every metric.
SHOWN = ("rss", "qps", "cpu_per_request", "start_pause", "stop_pause", "leak")
#: Metrics for which the report says what the run could settle.
FORECAST = ("rss", "qps", "cpu_per_request")
#: With this many blocks or fewer a run is called quick.
QUICK_BLOCKS = 5

NOTE_SAMPLES = (
    "p, samples: Student's unpaired test on all single samples, as in the table that this experiment repeats. It takes "
    "samples of one process for independent, which they are not, and calls identical builds different more often than "
    "not; it is shown for comparison, decide nothing by it."
)
NOTE_PAIRED = (
    "Difference and p: paired by block, one value per process (RSS, QPS and CPU: Student's t on logs; pauses and "
    "growth: on the raw differences). p, Welch: over processes, without pairs. Each interval and p stands alone."
)
NOTE_GROWTH = (
    "RSS growth per profile: slope of RSS over the window per turn of the profile loop; `none` and "
    "idle variants run the same loop without profiles, so that a leak is the difference to them."
)


@dataclass(frozen=True)
class Table:
    """A table of finished text. The first ``labels`` columns are text, the others numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 2
    notes: tuple[str, ...] = field(default=())


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
    """The verdicts, then by Node the measured values and each baseline's comparison, then what the run could settle."""
    made = _verdicts(comparison)
    for node in comparison.nodes:
        made.append(_values(comparison, node))
        made += [_against(comparison, node, baseline) for baseline in _baselines(comparison, node)]
    if any(rows := _forecast_rows(comparison)):
        made.append(
            Table(
                "What this run could settle",
                ("metric", "Node", "blocks", "smallest cost settled", "blocks to settle 2 %"),
                tuple(rows),
                notes=(
                    f"The smallest margin m for which “costs at most m” would be settled with power {POWER:g} "
                    f"(one-sided {ALPHA:g}, true cost 0), from the spread of this run's block differences. A forecast "
                    "from few blocks is good to a factor of two either way.",
                ),
            )
        )
    made.append(_noise(comparison))
    return [table for table in made if table.rows]


def _noise(comparison: Comparison) -> Table:
    """What identical variants would show in this run."""
    rows = []
    for node in comparison.nodes:
        for name in _metrics(comparison, node):
            metric = all_metrics()[name]
            half = noise.band(comparison, node, name)
            if half is not None:
                rows.append((metric.title, node, f"±{metric.amount(half)}"))
    pairs = noise.naive_pairs(comparison, "rss")
    notes = []
    if pairs.pairs:
        notes.append(
            f"The test on single samples calls {pairs.different} of {pairs.pairs} pairs of processes of one and the "
            "same variant different in RSS."
        )
    return Table(
        "Noise: the difference that identical variants would show in 95 % of such runs",
        ("metric", "Node", "difference"),
        tuple(rows),
        notes=tuple(notes),
    )


def _verdicts(comparison: Comparison) -> list[Table]:
    judgement = judge(comparison)
    if judgement.outcome is None:
        return []
    rows = [
        (
            row.outcome.value.upper(),
            row.candidate,
            f"{row.margin}{' (given later)' if row.given_later else ''}",
            row.text,
            str(row.n_blocks),
        )
        for row in judgement.rows
    ]
    notes = [
        "Each candidate against the first baseline of its Node. Pass: the one-sided 95 % limit lies within the margin. "
        f"Fail: the one-sided limit at 1 - 0.05/{len(rows)} lies beyond it."
    ]
    if any(row.sequential for row in judgement.rows):
        notes.append(
            "Blocks were added after the plan's: the limits are a confidence sequence's, which allow for that."
        )
    if any(row.given_later for row in judgement.rows):
        notes.append("A margin given later was chosen after the run could be seen.")
    return [
        Table(
            f"Verdict: {judgement.outcome.value}",
            ("verdict", "profiler", "margin", "what is known", "blocks"),
            tuple(rows),
            labels=4,
            notes=tuple(notes),
        )
    ]


def _of_node(comparison: Comparison, node: str) -> list[VariantResult]:
    return [variant for variant in comparison.variants.values() if variant.node == node]


def _baselines(comparison: Comparison, node: str) -> list[VariantResult]:
    return [v for v in _of_node(comparison, node) if v.profiler in comparison.experiment.baselines]


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
                rows.append((label, variant.profiler, _mean_se(values.mean, values.se), str(values.n)))
    return Table(f"Node {node}", ("metric", "profiler", "mean ± standard error", "processes"), tuple(rows))


def _mean_se(mean: float, se: float) -> str:
    if not math.isfinite(se) or se <= 0:
        return f"{mean:.4g}"
    return f"{format_value(mean, se)} ± {se:.{decimals(se)}f}"


def _against(comparison: Comparison, node: str, baseline: VariantResult) -> Table:
    rows = []
    for name in _metrics(comparison, node):
        for contrast in comparison.comparisons:
            if (contrast.metric.name, contrast.baseline) == (name, baseline.name):
                profiler = comparison[contrast.candidate].profiler
                label = f"{contrast.metric.title} ({'%' if contrast.relative else contrast.metric.unit})"
                rows.append((label, profiler, *contrast_cells(contrast)))
    return Table(
        f"Node {node}: change against {baseline.profiler}",
        ("metric", "profiler", "difference", "95 % CI", "p", "p, Welch", "p, samples", "blocks"),
        tuple(rows),
    )


def contrast_cells(contrast: Contrast) -> tuple[str, ...]:
    """Difference, interval and the three p-values as text; per cent where the metric is relative."""
    scale = 100 if contrast.relative else 1
    if contrast.ci_low is None or contrast.ci_high is None:
        difference = "–" if contrast.difference is None else f"{contrast.difference * scale:+.3g}"
        low_high = "–"
    else:
        # the interval's quarter stands for a standard error: digits follow the spread, never the value
        se = (contrast.ci_high - contrast.ci_low) * scale / 4
        places = decimals(se, 1) if se >= 10 else decimals(se)
        difference = _signed(contrast.difference, scale, places)
        low_high = f"{_signed(contrast.ci_low, scale, places)} to {_signed(contrast.ci_high, scale, places)}"
    return (
        difference, low_high, format_p(contrast.p, contrast.log_p), format_p(contrast.p_welch),
        format_p(contrast.p_samples, contrast.log_p_samples), str(contrast.n_blocks),
    )  # fmt: skip


def _signed(value: float | None, scale: float, places: int) -> str:
    if value is None:
        return "–"
    text = f"{value * scale:+.{places}f}"
    return text[1:] if float(text) == 0 else text


def _forecast_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """One row per metric and Node, from the root mean square of the candidates' spreads against the first baseline."""
    rows: list[tuple[str, ...]] = []
    for name in FORECAST:
        for node in comparison.nodes:
            baselines = _baselines(comparison, node)
            found = [
                contrast for contrast in comparison.comparisons
                if contrast.metric.name == name and baselines and contrast.baseline == baselines[0].name and contrast.sd
            ]  # fmt: skip
            if not found:
                continue
            sd = math.sqrt(sum((contrast.sd or 0) ** 2 for contrast in found) / len(found))
            n_blocks = min(contrast.n_blocks for contrast in found)
            typical = Contrast(node, found[0].metric, found[0].baseline, "", n_blocks, True, sd=sd)
            settleable, needed = typical.settleable, typical.blocks_needed(0.02)
            rows.append((
                found[0].metric.title, node, str(n_blocks),
                _percent(settleable), "–" if needed is None else str(needed),
            ))  # fmt: skip
    return rows


def _percent(share: float | None) -> str:
    if share is None:
        return "–"
    return f"{share * 100:.2g} %" if share < 1 else "over 100 %"


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
