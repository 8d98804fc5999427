"""What an experiment showed: each variant's metrics, and each candidate against each baseline.

The unit of replication is the process, never the sample. Variants of one Node are compared paired by block: on logs
where a metric is a ratio (Student's t on the differences of the logs), else on the raw differences. Beside it stand
Welch's test over processes, and Student's test on the single samples, as in the table that pyprof began with; that
one takes samples for independent which are not, and is shown for comparison only.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyprof import stats
from pyprof.errors import ResultsError
from pyprof.experiment import Experiment
from pyprof.metrics import Metric, all_metrics
from pyprof.results import ResultsFile
from pyprof.suggest import nearest
from pyprof.trials import Trial, Variant

#: One-sided level of the verdicts, and the power for which blocks are forecast.
ALPHA, POWER = 0.05, 0.9
FEW = "fewer than two blocks have both: two or more are needed"
#: exp() of more overflows a double.
MAX_LOG = 709.0


@dataclass(frozen=True)
class MetricValues:
    """One metric of one variant. ``values`` has one value per process, ``blocks`` the block of each."""

    metric: Metric
    values: tuple[float, ...]
    blocks: tuple[int, ...]

    @property
    def n(self) -> int:
        """Number of processes."""
        return len(self.values)

    @property
    def mean(self) -> float:
        """Mean over processes; NaN without any."""
        return stats.describe(self.values).mean if self.values else math.nan

    @property
    def se(self) -> float:
        """Standard error of the mean over processes; NaN under two."""
        return stats.describe(self.values).se if self.n > 1 else math.nan


@dataclass(frozen=True, repr=False)
class VariantResult:
    """One variant: ``trials`` are those that gave a valid measurement, ``failed`` those that did not."""

    variant: Variant
    trials: tuple[Trial, ...]
    failed: tuple[Trial, ...]
    metrics: Mapping[str, MetricValues]

    def __repr__(self) -> str:
        return f"<VariantResult {self.name!r}: {len(self.trials)} trials, {len(self.failed)} failed>"

    @property
    def name(self) -> str:
        """The variant's unique name."""
        return self.variant.name

    @property
    def node(self) -> str:
        """The Node's version (with its path where two have the same)."""
        return self.variant.node

    @property
    def profiler(self) -> str:
        """The profiler as it was named."""
        return self.variant.profiler


@dataclass(frozen=True)
class Contrast:
    """One metric, candidate against baseline on one Node.

    Where ``relative``, ``difference`` and its limits are shares of the baseline (0.02 is 2 % more), from the mean of
    the differences of the logs; else they are in the metric's unit. ``p`` is two-sided; the limits are of a 95 %
    interval, each alone. All are None where the data cannot tell; ``reason`` then says why.
    """

    node: str
    metric: Metric
    baseline: str
    candidate: str
    n_blocks: int
    relative: bool
    difference: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    p: float | None = None
    log_p: float | None = None
    sd: float | None = None  # of the block differences, on logs where relative
    p_welch: float | None = None
    p_samples: float | None = None
    log_p_samples: float | None = None
    n_samples: tuple[int, int] = (0, 0)
    blocks: tuple[int, ...] = ()  # those with both
    x: tuple[float, ...] = ()  # the candidate's value in each of them; its logarithm where relative
    y: tuple[float, ...] = ()  # the baseline's
    reason: str | None = None

    @property
    def differences(self) -> tuple[float, ...]:
        """Candidate minus baseline in each block; of the logarithms where relative."""
        return tuple(a - b for a, b in zip(self.x, self.y, strict=True))

    @property
    def settleable(self) -> float | None:
        """The smallest cost margin that this many blocks settle with power 0.9 when there is no cost; relative only."""
        if not self.relative or not self.sd or self.n_blocks < 2:
            return None
        return share_of(stats.settleable_margin(self.sd, self.n_blocks, alpha=ALPHA, power=POWER))

    def blocks_needed(self, margin: float) -> int | None:
        """Blocks that settle "costs at most ``margin``" (0.02 is 2 %) with power 0.9 when there is no cost.

        None where the metric is no ratio, its spread is not known, or more than a million blocks were needed.
        """
        if not self.relative or not self.sd:
            return None
        try:
            return stats.required_blocks(self.sd, math.log1p(margin), alpha=ALPHA, power=POWER)
        except ValueError:
            return None


def share_of(log: float) -> float:
    """The difference as a share of the baseline, from the difference of the logs; infinite beyond a double."""
    return math.expm1(log) if log < MAX_LOG else math.inf


@dataclass(repr=False)
class Comparison(Mapping[str, VariantResult]):
    """What one results file shows. A mapping from a variant's name to its results."""

    experiment: Experiment
    environment: dict[str, Any]
    variants: dict[str, VariantResult]
    comparisons: list[Contrast]
    path: Path | None = None
    sequential: bool = False  # somebody may have looked between blocks: limits must allow for that
    later_margins: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> VariantResult:
        try:
            return self.variants[name]
        except KeyError:
            known = ", ".join(repr(key) for key in self.variants)
            raise KeyError(f"there is no variant {name!r}{nearest(name, self.variants)}; there are: {known}") from None

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(map(repr, self))} in {self.experiment.blocks} blocks>"

    def __iter__(self) -> Iterator[str]:
        return iter(self.variants)

    def __len__(self) -> int:
        return len(self.variants)

    def contrast(self, metric: str, candidate: str, baseline: str | None = None) -> Contrast:
        """The comparison of two variants by name in one metric; the first baseline of that Node where none is named."""
        for contrast in self.comparisons:
            if (contrast.metric.name, contrast.candidate) == (metric, candidate) and baseline in (
                None,
                contrast.baseline,
            ):
                return contrast
        return compare_variants(
            all_metrics()[metric], self[candidate], self[baseline or self.first_baseline(candidate)]
        )

    def interaction(self, metric: str, profiler: str, baseline: str, node: str, other: str) -> Contrast:
        """How much more ``profiler`` differs from ``baseline`` on ``node`` than it does on ``other``.

        "Leaks here, not there" as one test: the difference of the two differences, paired by block. For a ratio it is
        the ratio of the ratios.
        """
        here, there = (self.contrast(metric, f"{where} {profiler}", f"{where} {baseline}") for where in (node, other))
        pairs = [
            (here.differences[i], there.differences[there.blocks.index(block)])
            for i, block in enumerate(here.blocks)
            if block in there.blocks
        ]
        name = f"{profiler} - {baseline}"
        if len(pairs) < 2:
            return Contrast(
                node, here.metric, f"{other} {name}", f"{node} {name}", len(pairs), here.relative, reason=FEW
            )
        found = _paired_test([a for a, _ in pairs], [b for _, b in pairs], here.relative)
        return Contrast(node, here.metric, f"{other} {name}", f"{node} {name}", len(pairs), here.relative, **found)

    def first_baseline(self, candidate: str) -> str:
        """The name of the first baseline on the candidate's Node."""
        node, profiler = self[candidate].node, self.experiment.baselines[0]
        return next(v.name for v in self.variants.values() if (v.node, v.profiler) == (node, profiler))

    @property
    def nodes(self) -> list[str]:
        """The Nodes in their order."""
        return list(dict.fromkeys(variant.node for variant in self.variants.values()))

    @property
    def failed(self) -> list[Trial]:
        """The trials that gave no valid measurement."""
        return [trial for variant in self.variants.values() for trial in variant.failed]

    @property
    def n_missing(self) -> int:
        """Trials of the plan that were not run or failed."""
        return self.experiment.blocks * len(self.variants) - sum(len(v.trials) for v in self.variants.values())

    def _repr_html_(self) -> str:
        from pyprof.report import html

        return html.render(self)


class Results:
    """Opens results files."""

    @staticmethod
    def open(path: str | Path) -> Comparison:
        """The comparison that a results file holds. ResultsError where it is no such file."""
        with ResultsFile.open_existing(Path(path)) as results:
            try:
                return from_results(results)
            except (AttributeError, KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
                raise ResultsError(f"{path} is damaged: {error!r}") from error


def from_results(results: ResultsFile) -> Comparison:
    """Compute the comparison anew from the raw series."""
    experiment, variants = results.experiment(), results.variants()
    by_variant: dict[str, list[Trial]] = {variant.name: [] for variant in variants}
    for trial in results.trials():
        by_variant[trial.variant].append(trial)
    shown = {variant.name: _variant_result(variant, by_variant[variant.name]) for variant in variants}
    return Comparison(
        experiment,
        results.read_document("environment", {}),
        shown,
        list(_contrasts(experiment, shown)),
        results.path,
        results.read_document("sequential", False),
    )


def _variant_result(variant: Variant, trials: Sequence[Trial]) -> VariantResult:
    good = tuple(trial for trial in trials if trial.ok)
    values = {}
    for name, metric in all_metrics().items():
        pairs = [(value, trial.block) for trial in good if (value := metric.value(trial)) is not None]
        values[name] = MetricValues(metric, tuple(v for v, _ in pairs), tuple(b for _, b in pairs))
    return VariantResult(variant, good, tuple(trial for trial in trials if not trial.ok), values)


def _contrasts(experiment: Experiment, variants: Mapping[str, VariantResult]) -> Iterator[Contrast]:
    for baseline in variants.values():
        if baseline.profiler not in experiment.baselines:
            continue
        for candidate in variants.values():
            if candidate.node != baseline.node or candidate is baseline:
                continue
            for metric in all_metrics().values():
                if candidate.metrics[metric.name].n and baseline.metrics[metric.name].n:
                    yield compare_variants(metric, candidate, baseline)


def compare_variants(metric: Metric, candidate: VariantResult, baseline: VariantResult) -> Contrast:
    """Candidate against baseline in one metric, paired by block."""
    x, y = candidate.metrics[metric.name], baseline.metrics[metric.name]
    of_x, of_y = dict(zip(x.blocks, x.values, strict=True)), dict(zip(y.blocks, y.values, strict=True))
    blocks = [block for block in x.blocks if block in of_y]
    relative = metric.relative
    pairs = [(of_x[block], of_y[block]) for block in blocks]
    found: dict[str, Any] = {}
    if len(pairs) < 2:
        found["reason"] = FEW
    elif relative and any(a <= 0 or b <= 0 for a, b in pairs):
        found["reason"] = "a value of 0 has no ratio"
    else:
        found |= _paired(pairs, relative) | {"blocks": tuple(blocks)}
    found |= _samples(metric, candidate, baseline)
    return Contrast(candidate.node, metric, baseline.name, candidate.name, len(pairs), relative, **found)


def _paired(pairs: Sequence[tuple[float, float]], relative: bool) -> dict[str, Any]:
    """The paired test and Welch's beside it; on logs where ``relative``."""
    x = [math.log(a) if relative else a for a, _ in pairs]
    y = [math.log(b) if relative else b for _, b in pairs]
    return _paired_test(x, y, relative)


def _paired_test(x: Sequence[float], y: Sequence[float], relative: bool) -> dict[str, Any]:
    scale = share_of if relative else float
    described = stats.describe([a - b for a, b in zip(x, y, strict=True)])
    found = {"difference": scale(described.mean), "sd": described.sd, "x": tuple(x), "y": tuple(y)}
    try:
        test = stats.paired(x, y)
    except ValueError as error:
        return found | {"reason": str(error)}
    found |= {
        "ci_low": scale(test.ci_low),
        "ci_high": scale(test.ci_high),
        "p": test.pvalue,
        "log_p": test.log_pvalue,
    }
    with contextlib.suppress(ValueError):
        found["p_welch"] = stats.welch(x, y).pvalue
    return found


def _samples(metric: Metric, candidate: VariantResult, baseline: VariantResult) -> dict[str, Any]:
    """Student's unpaired test on all single samples, as in the original table."""
    x = [value for trial in candidate.trials for value in metric.samples(trial)]
    y = [value for trial in baseline.trials for value in metric.samples(trial)]
    if len(x) < 2 or len(y) < 2:
        return {}
    try:
        test = stats.student(x, y)
    except ValueError:
        return {"n_samples": (len(x), len(y))}
    return {"p_samples": test.pvalue, "log_p_samples": test.log_pvalue, "n_samples": (len(x), len(y))}
