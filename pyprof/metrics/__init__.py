"""The registry of metrics: every module in this folder is one.

A metric defines, at module level:

    TITLE    what the reports call it
    UNIT     its unit
    BETTER   "lower" or "higher"
    CONTRAST "ratio" (compared on logs) or "difference" (raw: it may be 0 or negative)
    ORDER    its place in reports
    value(trial) -> float | None    one value per process; None where the trial has none
    samples(trial) -> Sequence[float]    optional: the single samples behind the value (the original table's test)
    beside(value, trial, candidate) -> float    optional: the trial's value where it is the baseline of that candidate

Results files keep raw series, so that a metric added later works on files written before.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from pyprof.suggest import nearest
from pyprof.trials import Trial
from pyprof.units import plain


@dataclass(frozen=True)
class Metric:
    """One metric, as its module defines it."""

    name: str
    module: ModuleType

    @property
    def title(self) -> str:
        """What reports call it."""
        return str(self.module.TITLE)

    @property
    def unit(self) -> str:
        """The unit of its values."""
        return str(self.module.UNIT)

    @property
    def better(self) -> str:
        """``lower`` or ``higher``."""
        return str(self.module.BETTER)

    @property
    def contrast(self) -> str:
        """``ratio`` or ``difference``: how two variants are compared."""
        return str(self.module.CONTRAST)

    @property
    def relative(self) -> bool:
        """Whether differences are shares of the baseline, from logs, and not in `unit`."""
        return self.contrast == "ratio"

    def amount(self, difference: float, form: str = ".2g") -> str:
        """A difference for people: per cent where it is a share, else with the unit; ``form`` formats the number."""
        return f"{plain(difference * 100, form)} %" if self.relative else f"{plain(difference, form)} {self.unit}"

    @property
    def description(self) -> str:
        """One sentence: how it is measured."""
        return (self.module.__doc__ or "").strip().splitlines()[0]

    def value(self, trial: Trial) -> float | None:
        """The trial's value, in `unit`; None where it has none."""
        value = self.module.value(trial)
        return None if value is None else float(value)

    def samples(self, trial: Trial) -> Sequence[float]:
        """The single samples behind the value; empty where the metric has none."""
        found: Sequence[float] = self.module.samples(trial) if hasattr(self.module, "samples") else ()
        return found

    def beside(self, value: float, trial: Trial, candidate: Trial) -> float:
        """The ``value`` of ``trial`` as the baseline of ``candidate``, a trial of the same block."""
        return float(self.module.beside(value, trial, candidate)) if hasattr(self.module, "beside") else value


@cache
def all_metrics() -> dict[str, Metric]:
    """Every metric by name, in the order of reports."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")]
    metrics = [Metric(name, importlib.import_module(f"{__name__}.{name}")) for name in names]
    return {metric.name: metric for metric in sorted(metrics, key=lambda metric: (metric.module.ORDER, metric.name))}


def find(name: str) -> Metric:
    """The metric of that name; a KeyError that says which there are."""
    try:
        return all_metrics()[name]
    except KeyError:
        known = ", ".join(all_metrics())
        raise KeyError(f"there is no metric {name!r}{nearest(name, all_metrics())}; there are: {known}") from None
