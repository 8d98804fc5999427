"""The tables that judge: verdicts, leaks, what the run could settle, and its noise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from pyprof import noise
from pyprof.comparison import Comparison
from pyprof.contrast import ALPHA, POWER, Contrast
from pyprof.leaks import leaks
from pyprof.metrics import all_metrics
from pyprof.report import cells
from pyprof.report.cells import Table
from pyprof.units import plain
from pyprof.verdicts import judge

#: Metrics for which the report says what the run could settle.
FORECAST = ("cpu_per_request", "rss", "qps")


def verdicts(comparison: Comparison) -> Iterator[Table]:
    """What is known about each margin."""
    judgement = judge(comparison)
    if judgement.outcome is None:
        return
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
        f"Fail: the one-sided {100 * (1 - ALPHA / len(rows)):.4g} % limit lies beyond it"
        f"{' (all verdicts together fail wrongly in at most 5 %)' if len(rows) > 1 else ''}."
    ]
    if any(row.sequential for row in judgement.rows):
        notes.append(
            "Blocks were added after the plan's: the limits are a confidence sequence's, which allow for that."
        )
    if any(row.given_later for row in judgement.rows):
        notes.append("A margin given later was chosen after the run could be seen.")
    yield Table(
        f"Verdict: {judgement.outcome.value}",
        ("verdict", "profiler", "margin", "what is known", "blocks"),
        tuple(rows),
        labels=4,
        notes=tuple(notes),
    )


def summary(comparison: Comparison, shown: Iterable[str]) -> Iterator[Table]:
    """For each candidate, in which of the metrics ``shown`` its 95 % interval leaves 0 out, and in which it does not.

    Growth is left to the table of leaks, which says whether it is settled.
    """
    rows = []
    for name in comparison:
        found = [
            contrast for contrast in comparison.comparisons
            if (contrast.candidate, contrast.baseline) == (name, comparison.first_baseline(name))
            and contrast.metric.name in shown and contrast.metric.name != "leak" and contrast.ci_low is not None
        ]  # fmt: skip
        if found:
            clear = [contrast for contrast in found if not _holds_zero(contrast)]
            open_ = [contrast.metric.title for contrast in found if _holds_zero(contrast)]
            rows.append(
                (name, found[0].baseline, "; ".join(map(_said, clear)) or cells.NONE, ", ".join(open_) or cells.NONE)
            )
    yield Table(
        "In short",
        ("profiler", "differs from", "in (95 % CI)", "not shown to differ in"),
        tuple(rows),
        labels=4,
    )


def _holds_zero(contrast: Contrast) -> bool:
    return (contrast.ci_low or 0.0) <= 0.0 <= (contrast.ci_high or 0.0)


def _said(contrast: Contrast) -> str:
    difference, interval = cells.difference(contrast)
    return f"{contrast.metric.title} {difference} {_unit(contrast)} ({interval})"


def leak(comparison: Comparison) -> Iterator[Table]:
    """Growth per profile beyond the baseline's, and the smallest leak that the run could have found."""
    rows, reasons = [], []
    for found in leaks(comparison):
        contrast = found.contrast
        smallest = cells.NONE if found.smallest is None else plain(found.smallest)
        state = "settled" if found.unsettled is None else found.unsettled.partition(",")[0]
        heap, _ = cells.difference(found.heap)
        rows.append((contrast.candidate, contrast.baseline, state, *cells.difference(contrast), heap, smallest))
        if found.unsettled is not None:
            reasons.append(f"{contrast.candidate}: {found.unsettled}.")
    yield Table(
        "Leak: growth per profile beyond the baseline's, in KiB",
        ("profiler", "baseline", "state", "leak", "95 % CI", "in V8's heap", "smallest detectable leak"),
        tuple(rows),
        labels=3,
        notes=(
            f"Smallest detectable leak: what would be told from none with power {POWER:g} (one-sided {ALPHA:g}) in "
            "such a run. Where the state is not “settled”, growth may be no leak, and none no proof.",
            *_once(reasons),
        ),
    )


def _once(reasons: list[str]) -> Iterable[str]:
    """Reasons that are the same for all are said once."""
    whats = {text.partition(": ")[2] for text in reasons}
    return reasons if len(whats) > 1 or len(reasons) < 2 else [f"All: {whats.pop()}"]


def forecast(comparison: Comparison) -> Iterator[Table]:
    """What the run could settle."""
    yield Table(
        "What this run could settle",
        ("metric", "Node", "blocks", "smallest cost settled", "blocks to settle 2 %"),
        tuple(_forecast_rows(comparison)),
        notes=(
            f"The smallest margin m for which “costs at most m” would be settled with power {POWER:g} "
            f"(one-sided {ALPHA:g}, true cost 0), from the spread of this run's block differences. A forecast "
            "from few blocks is good to a factor of two either way.",
        ),
    )


def _forecast_rows(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """One row per metric and Node, from the root mean square of the candidates' spreads against the first baseline."""
    for name in FORECAST:
        for node in comparison.nodes:
            found = [
                contrast for contrast in comparison.comparisons
                if (contrast.metric.name, contrast.node) == (name, node) and contrast.sd
                and contrast.baseline == comparison.first_baseline(contrast.candidate)
            ]  # fmt: skip
            if not found:
                continue
            sd = math.sqrt(sum((contrast.sd or 0) ** 2 for contrast in found) / len(found))
            n_blocks = min(contrast.n_blocks for contrast in found)
            typical = Contrast(node, found[0].metric, found[0].baseline, "", n_blocks, True, sd=sd)
            needed = typical.blocks_needed(0.02)
            yield (
                found[0].metric.title, node, str(n_blocks),
                cells.percent(typical.settleable), cells.NONE if needed is None else str(needed),
            )  # fmt: skip


def band(comparison: Comparison, shown: Iterable[str]) -> Iterator[Table]:
    """What identical variants would show in this run, in the metrics ``shown``."""
    rows = [
        (all_metrics()[name].title, node, f"±{all_metrics()[name].amount(half)}")
        for node in comparison.nodes
        for name in shown
        if (half := noise.band(comparison, node, name)) is not None
    ]
    notes = []
    pairs = noise.naive_pairs(comparison, "rss")
    if pairs.pairs:
        notes.append(
            f"The test on single samples calls {pairs.different} of {pairs.pairs} pairs of processes of one and the "
            "same variant different in RSS."
        )
    worth = noise.effective_samples(comparison, "rss")
    if worth is not None:
        notes.append(f"The {worth[0]} RSS samples of a process are worth {plain(worth[1])} independent ones.")
    yield Table(
        "Noise: identical variants would differ by less than this in 95 % of such runs",
        ("metric", "Node", "difference"),
        tuple(rows),
        notes=tuple(notes),
    )


def identical(comparison: Comparison, shown: Iterable[str]) -> Iterator[Table]:
    """What a baseline showed against itself (``--aa``)."""
    says = {None: cells.NONE, True: "different", False: "no difference"}
    for node in comparison.nodes:
        found = [contrast for name in shown for contrast in comparison.identical
                 if (contrast.node, contrast.metric.name) == (node, name)]  # fmt: skip
        if not found:
            continue
        different = [noise.calls_different(contrast) for contrast in found]
        tested, wrong = sum(call is not None for call in different), sum(map(bool, different))
        yield Table(
            f"A/A, Node {node}: {comparison[found[0].baseline].profiler} against itself",
            ("metric", "single samples say", "difference", "95 % CI", "p", "p, Welch", "p, samples", "blocks"),
            tuple(
                (label(contrast), says[call], *cells.difference(contrast), *cells.p_values(contrast),
                 str(contrast.n_blocks))
                for contrast, call in zip(found, different, strict=True)
            ),
            notes=(
                f"Both arms do the very same: what differs is noise. The test on single samples calls them different "
                f"in {wrong} of the {tested} metrics that have samples. The other variants are held against the mean "
                "of both arms.",
            ),
        )  # fmt: skip


def label(contrast: Contrast) -> str:
    """A metric with the unit of its differences."""
    return f"{contrast.metric.title} ({_unit(contrast)})"


def _unit(contrast: Contrast) -> str:
    return "%" if contrast.relative else contrast.metric.unit
