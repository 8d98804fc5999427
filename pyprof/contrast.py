"""One metric of one variant against another's: the paired test, and what stands beside it.

The unit of replication is the process, never the sample. Variants of one Node are compared paired by block: on logs
where a metric is a ratio (Student's t on the differences of the logs), else on the raw differences. Beside it stand
Hodges and Lehmann's estimate from the same differences, Welch's test over processes, and Student's test on the single
samples, as in the table that pyprof began with; that one takes samples for independent which are not, and is shown for
comparison only.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyprof import stats
from pyprof.measured import VariantResult
from pyprof.metrics import Metric

#: One-sided level of the verdicts, and the power for which blocks are forecast.
ALPHA, POWER = 0.05, 0.9
FEW = "fewer than two blocks have it in both arms: two or more are needed"
#: exp() of more overflows a double.
MAX_LOG = 709.0


@dataclass(frozen=True)
class Contrast:
    """One metric, candidate against baseline on one Node.

    Where ``relative``, ``difference`` and its limits are shares of the baseline (0.02 is 2 % more), from the mean of
    the differences of the logs; else they are in the metric's unit. ``p`` is two-sided; the limits are of a 95 %
    interval, each alone. ``center`` is the Hodges-Lehmann estimate, by which single odd blocks move less; its limits
    are infinite under 6 blocks. All are None where the data cannot tell; ``reason`` then says why.
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
    center: float | None = None
    center_low: float | None = None
    center_high: float | None = None
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
        """The smallest cost margin that this many blocks settle with power 0.9 when there is no cost.

        A share where the contrast is relative, else in the metric's unit. Since the t-test of "none" against that cost
        is the same seen from the other side, it is also the smallest cost that is told from none with that power.
        """
        if not self.sd or self.n_blocks < 2:
            return None
        found = stats.settleable_margin(self.sd, self.n_blocks, alpha=ALPHA, power=POWER)
        return share_of(found) if self.relative else found

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


def compare_variants(
    metric: Metric, candidate: VariantResult, baseline: VariantResult, again: VariantResult | None = None
) -> Contrast:
    """Candidate against baseline in one metric, paired by block.

    Where the baseline ran twice in a block (``again`` is its second arm), the candidate meets the mean of the two (on
    logs where relative).
    """
    arms = [baseline] if again is None else [baseline, again]
    of_x, of_arms = candidate.metrics[metric.name].by_block, [arm.metrics[metric.name].by_block for arm in arms]
    blocks = [block for block in of_x if any(block in found for found in of_arms)]
    trials = [{trial.block: trial for trial in variant.trials} for variant in (candidate, *arms)]
    pairs = [
        (of_x[block], [
            metric.beside(values[block], trials_of_arm[block], trials[0][block])
            for values, trials_of_arm in zip(of_arms, trials[1:], strict=True) if block in values
        ])
        for block in blocks
    ]  # fmt: skip
    found: dict[str, Any] = {}
    if len(pairs) < 2:
        found["reason"] = FEW
    elif metric.relative and any(a <= 0 or min(b) <= 0 for a, b in pairs):
        found["reason"] = "a value of 0 has no ratio"
    else:
        x = [_scaled(metric, a) for a, _ in pairs]
        y = [math.fsum(_scaled(metric, value) for value in b) / len(b) for _, b in pairs]
        found |= paired_test(x, y, metric.relative) | {"blocks": tuple(blocks)}
    found |= _samples(metric, candidate, baseline)
    return Contrast(candidate.node, metric, baseline.name, candidate.name, len(pairs), metric.relative, **found)


def _scaled(metric: Metric, value: float) -> float:
    return math.log(value) if metric.relative else value


def paired_test(x: Sequence[float], y: Sequence[float], relative: bool) -> dict[str, Any]:
    """The fields of a `Contrast` that x and y give, which are logarithms where ``relative``."""
    scale = share_of if relative else float
    differences = [a - b for a, b in zip(x, y, strict=True)]
    described = stats.describe(differences)
    center = stats.pseudomedian(differences)
    found = {
        "difference": scale(described.mean), "sd": described.sd, "x": tuple(x), "y": tuple(y),
        "center": scale(center.estimate), "center_low": scale(center.ci_low), "center_high": scale(center.ci_high),
    }  # fmt: skip
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
