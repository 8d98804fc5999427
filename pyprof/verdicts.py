"""Verdicts: does a candidate keep within its margins? Pass, fail or inconclusive, each with its reason.

For "costs at most m" the block differences have an upper and a lower one-sided limit in the direction that is worse:
pass where the upper one (95 %) lies within the margin, fail where the lower one (1 - 0.05/k, k the number of rows with
a margin, so that all of them together fail wrongly in at most 5 %) lies beyond it, else inconclusive. For "equal within
m": pass where both 95 % limits lie within (two one-sided tests), fail where a 1 - 0.05/k limit lies wholly beyond a
bound. All must pass for the whole to pass (an intersection-union test: nothing to adjust); one that fails fails it.

The limits are Student's t on the paired differences. A file that was extended beyond its plan, or run until settled,
was looked at in between: there they are those of the t confidence sequence, which hold however often one looks, and the
first block at which they decide is the verdict.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from pyprof import settling, stats
from pyprof.comparison import Comparison
from pyprof.contrast import ALPHA, POWER, Contrast, share_of
from pyprof.errors import EXIT_INCONCLUSIVE, EXIT_NOT_MEASURED, EXIT_PASS, EXIT_REGRESSION
from pyprof.margins import Margin, parse
from pyprof.units import counted

#: Metrics that say nothing where the variants of a block ran at the same time.
SHARED = ("qps", "cpu_per_request", "latency_p50", "latency_p99")
#: A limit beyond ten times the baseline says nothing about the cost.
ANY = 10.0
#: The forecast of blocks takes the spread at both limits of this interval.
FORECAST_CONFIDENCE = 0.8


class Outcome(Enum):
    """What is known about a margin."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Verdict:
    """One margin of one candidate.

    ``low`` and ``high`` are the limits that decided, one-sided, as shares of the baseline for a ratio, else in the
    metric's unit; None where there are none.
    """

    margin: Margin
    node: str
    baseline: str
    candidate: str
    outcome: Outcome
    text: str
    n_blocks: int = 0
    low: float | None = None
    high: float | None = None
    more_blocks: tuple[int, int] | None = None
    sequential: bool = False
    given_later: bool = False


@dataclass(frozen=True)
class Judgement:
    """All verdicts of a comparison, and what they come to; ``outcome`` is None where no margin was given."""

    rows: tuple[Verdict, ...]

    @property
    def outcome(self) -> Outcome | None:
        """Fail where any row fails, pass where all pass, else inconclusive."""
        outcomes = [row.outcome for row in self.rows]
        if not outcomes:
            return None
        if Outcome.FAIL in outcomes:
            return Outcome.FAIL
        return Outcome.INCONCLUSIVE if Outcome.INCONCLUSIVE in outcomes else Outcome.PASS


def exit_code(comparison: Comparison, judgement: Judgement, inconclusive: int = EXIT_INCONCLUSIVE) -> int:
    """0 pass, 1 fail, ``inconclusive`` (3), or 4 where trials are missing and nothing has failed by its margin."""
    if judgement.outcome is Outcome.FAIL:
        return EXIT_REGRESSION
    if comparison.n_missing:
        return EXIT_NOT_MEASURED
    return inconclusive if judgement.outcome is Outcome.INCONCLUSIVE else EXIT_PASS


def judge(comparison: Comparison) -> Judgement:
    """The verdicts on the margins that the experiment recorded and on those given later (labelled so).

    Each candidate is judged against the first baseline of its Node; that baseline's second arm is no candidate.
    """
    recorded = comparison.experiment.margins
    rows = [
        (parse(text), text not in recorded, candidate.name, baseline)
        for text in comparison.margins
        for candidate in comparison.values()
        if candidate.name != (baseline := comparison.first_baseline(candidate.name)) and not candidate.again
    ]
    return Judgement(tuple(_judge(comparison, *row, n_rows=len(rows)) for row in rows))


def _judge(
    comparison: Comparison, margin: Margin, given_later: bool, candidate: str, baseline: str, *, n_rows: int
) -> Verdict:
    contrast = comparison.contrast(margin.metric.name, candidate, baseline)
    found = Verdict(margin, contrast.node, baseline, candidate, Outcome.INCONCLUSIVE, "", contrast.n_blocks)
    found = _with(found, given_later=given_later, sequential=comparison.sequential)
    # a trial that the machine may have spoilt is a gap; one that died by itself is an outcome
    died = [trial for trial in comparison[candidate].failed if not trial.voided]
    if died:
        first = str(died[0].error).splitlines()[0]
        what = f"{len(died)} of its trials died" if len(died) > 1 else f"a trial of it died: {first}"
        return _with(found, outcome=Outcome.FAIL, text=what)
    if comparison.experiment.concurrent and margin.metric.name in SHARED:
        return _with(found, text="cannot tell: the variants ran at the same time and took each other's CPU")
    if margin.metric.name == "leak":
        unsettled = settling.reason(comparison[candidate], comparison[baseline], margin.size)
        if unsettled:
            return _with(found, text=f"cannot tell: {unsettled}")
    if contrast.reason is not None and contrast.sd is None:
        return _with(found, text=f"cannot tell: {contrast.reason}")
    return _decide(found, contrast, n_rows)


def _decide(found: Verdict, contrast: Contrast, n_rows: int) -> Verdict:
    bounds, outer_alpha = found.margin.bounds, ALPHA / n_rows
    limits = _sequence if found.sequential else _fixed
    for n, inner, outer in zip(  # noqa: B007 - n is used after the loop
        _looks(contrast, found), limits(contrast, ALPHA), limits(contrast, outer_alpha), strict=True
    ):
        outcome = _outcome(inner, outer, bounds)
        if outcome is not Outcome.INCONCLUSIVE:
            break
    # what is printed are the limits that decide: the inner ones towards a pass, the outer ones towards a fail
    low, high = outer if outcome is Outcome.FAIL else inner
    scaled = _with(
        found, outcome=outcome, n_blocks=n, low=share_of(low) if contrast.relative else low,
        high=share_of(high) if contrast.relative else high,
    )  # fmt: skip
    if outcome is Outcome.INCONCLUSIVE and not found.sequential:  # the forecast is Student's, whose limits are narrower
        scaled = _with(scaled, more_blocks=_forecast(contrast, bounds))
    return _with(scaled, text=_words(scaled))


def _looks(contrast: Contrast, found: Verdict) -> Sequence[int]:
    """After how many blocks somebody looked."""
    n = len(contrast.differences)
    return range(2, n + 1) if found.sequential else (n,)


def _fixed(contrast: Contrast, alpha: float) -> list[tuple[float, float]]:
    """The lower and the upper limit, each one-sided at ``alpha``, after all blocks."""
    try:
        test = stats.paired(contrast.x, contrast.y, confidence=1 - 2 * alpha)
    except ValueError:  # the differences have no spread: how far chance reaches cannot be told
        return [(-math.inf, math.inf)]
    return [(test.ci_low, test.ci_high)]


def _sequence(contrast: Contrast, alpha: float) -> list[tuple[float, float]]:
    """The same after 2, 3, ... blocks, such that all of them hold together."""
    sequence = stats.confidence_sequence(contrast.differences, alpha=alpha)
    return list(zip(sequence.ci_lows, sequence.ci_highs, strict=True))[1:]


def _outcome(inner: tuple[float, float], outer: tuple[float, float], bounds: tuple[float, float]) -> Outcome:
    if bounds[0] < inner[0] and inner[1] < bounds[1]:
        return Outcome.PASS
    if outer[0] > bounds[1] or outer[1] < bounds[0]:
        return Outcome.FAIL
    return Outcome.INCONCLUSIVE


def _forecast(contrast: Contrast, bounds: tuple[float, float]) -> tuple[int, int] | None:
    """How many more blocks would settle it if the difference is as seen; a range, from the spread's own limits."""
    n, mean = len(contrast.differences), math.fsum(contrast.differences) / len(contrast.differences)
    distance = min(abs(bound - mean) for bound in bounds if math.isfinite(bound))
    if not contrast.sd or distance <= 0 or n < 2:
        return None
    spread = stats.sd_limits(contrast.sd, n, confidence=FORECAST_CONFIDENCE)
    try:
        needed = [
            stats.required_blocks(sd, distance, alpha=ALPHA, power=POWER) for sd in (spread.ci_low, spread.ci_high)
        ]
    except ValueError:  # more than a million
        return None
    return max(1, needed[0] - n), max(1, needed[1] - n)


def _words(verdict: Verdict) -> str:
    """The verdict as a reviewer reads it."""
    margin, worse = verdict.margin, _size(verdict, verdict.margin.metric.better == "lower")
    name = margin.metric.title
    if margin.both:
        limits = f"{name} differs by {_signed(verdict.low, margin)} to {_signed(verdict.high, margin)}"
        if verdict.outcome is Outcome.PASS:
            return f"equal within {margin.shown}: {limits}"
        if verdict.outcome is Outcome.FAIL:
            return f"not equal within {margin.shown}: {limits}"
        return f"cannot tell: {limits}; {_more(verdict)}"
    least, most = worse
    if verdict.outcome is Outcome.PASS:
        return f"costs at most {_amount(most, margin)} {name}" if most > 0 else f"costs no {name}"
    if verdict.outcome is Outcome.FAIL:
        return f"costs at least {_amount(least, margin)} {name}, more than {margin.shown}"
    if most >= (ANY if margin.metric.relative else math.inf):
        return f"cannot tell: may cost any amount of {name}; {_more(verdict)}"
    return f"cannot tell: costs up to {_amount(most, margin)} {name}; {_more(verdict)}"


def _size(verdict: Verdict, lower_is_better: bool) -> tuple[float, float]:
    """The least and the most that the candidate costs; a cost that is none is 0 or negative."""
    low, high = verdict.low or 0.0, verdict.high or 0.0
    return (low, high) if lower_is_better else (-high, -low)


def _amount(value: float, margin: Margin) -> str:
    return margin.metric.amount(value) + ("" if margin.metric.relative else " of")


def _signed(value: float | None, margin: Margin) -> str:
    if value is None or not math.isfinite(value):
        return "any amount"
    return margin.metric.amount(value, "+.2g")


def _more(verdict: Verdict) -> str:
    if verdict.sequential:
        return f"more blocks may settle {verdict.margin.shown}"
    if verdict.more_blocks is None:
        return f"more blocks than can be foreseen would be needed to settle {verdict.margin.shown}"
    low, high = verdict.more_blocks
    blocks = counted(low, "more block") if low == high else f"{low} to {high} more blocks"
    return f"if the difference is as seen, {blocks} would settle {verdict.margin.shown}"


def _with(verdict: Verdict, **changes: object) -> Verdict:
    return replace(verdict, **changes)  # type: ignore[arg-type]
