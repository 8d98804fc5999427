"""Margins: what a candidate may cost, as people write them: ``rss=2%``, ``qps=2%``, ``leak=8KiB``, ``rss=±2%``."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from pyprof.errors import UsageError
from pyprof.metrics import Metric, all_metrics
from pyprof.suggest import nearest

_FORM = re.compile(r"([a-z0-9_]+)\s*=\s*(±|\+-|\+/-)?\s*([0-9]*\.?[0-9]+)\s*(%|[A-Za-z]+)")


@dataclass(frozen=True)
class Margin:
    """``size`` is a share of the baseline (0.02 for 2 %) where the metric is a ratio, else in the metric's unit.

    ``both`` asks for "equal within it" instead of "costs at most that".
    """

    metric: Metric
    size: float
    both: bool

    def __str__(self) -> str:
        return f"{self.metric.name}={'±' if self.both else ''}{self.shown.replace(' ', '')}"

    @property
    def shown(self) -> str:
        """The size for people: ``2 %``, ``8 KiB``."""
        return self.metric.amount(self.size, ".12g")

    @property
    def bounds(self) -> tuple[float, float]:
        """Low and high for candidate minus baseline, on the scale of the block differences (logs for a ratio).

        "Costs at most" has one finite bound, on the side that is worse.
        """
        low, high = -self.size, self.size
        if self.metric.relative:
            low = math.log1p(-self.size) if self.size < 1 else -math.inf
            high = math.log1p(self.size)
        if self.both:
            return low, high
        return (-math.inf, high) if self.metric.better == "lower" else (low, math.inf)


def parse(text: str) -> Margin:
    """A margin. UsageError names what is wrong with it and how to write it."""
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"--margin {text}: write METRIC=SIZE, as in rss=2%, qps=2%, leak=8KiB or rss=±2%")
    name, sign, number, unit = match.groups()
    if name not in all_metrics():
        known = ", ".join(all_metrics())
        raise UsageError(f"--margin {text}: unknown metric {name!r}{nearest(name, all_metrics())}; there are: {known}")
    metric = all_metrics()[name]
    wanted = "%" if metric.relative else metric.unit
    if unit.lower() != wanted.lower():
        raise UsageError(f"--margin {text}: {name} takes {wanted}, as in {name}={number}{wanted}")
    size = float(number) / (100 if unit == "%" else 1)
    if size <= 0:
        raise UsageError(f"--margin {text}: must be more than 0")
    if unit == "%" and size >= 1 and (sign is not None or metric.better == "higher"):
        raise UsageError(f"--margin {text}: must be less than 100 %: {name} cannot fall by more")
    return Margin(metric, size, sign is not None)
