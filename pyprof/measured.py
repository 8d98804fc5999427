"""What a variant's trials gave: one value per process and metric."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyprof import metrics, stats
from pyprof.metrics import Metric
from pyprof.trials import Trial, Variant


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

    @property
    def by_block(self) -> dict[int, float]:
        """The value of each block that has one."""
        return dict(zip(self.blocks, self.values, strict=True))


class MetricTable(dict[str, MetricValues]):
    """A variant's metrics by name. A name that is none raises a KeyError that says which there are."""

    def __missing__(self, name: str) -> MetricValues:
        metrics.find(name)
        raise KeyError(name)  # a metric that was added to the registry since


@dataclass(frozen=True, repr=False)
class VariantResult:
    """One variant: ``trials`` are those that gave a valid measurement, ``failed`` those that did not."""

    variant: Variant
    trials: tuple[Trial, ...]
    failed: tuple[Trial, ...]
    metrics: MetricTable

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

    @property
    def again(self) -> bool:
        """Whether this is the baseline's second arm, which ``--aa`` adds: no candidate."""
        return self.variant.again


def measure(variant: Variant, trials: list[Trial]) -> VariantResult:
    """Every metric of every good trial."""
    good = tuple(trial for trial in trials if trial.ok)
    table = MetricTable()
    for name, metric in metrics.all_metrics().items():
        pairs = [(value, trial.block) for trial in good if (value := metric.value(trial)) is not None]
        table[name] = MetricValues(metric, tuple(v for v, _ in pairs), tuple(b for _, b in pairs))
    return VariantResult(variant, good, tuple(trial for trial in trials if not trial.ok), table)
