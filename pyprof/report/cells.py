"""Numbers and sentences as the cells of tables, before any format."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from pyprof.contrast import Contrast
from pyprof.units import MAX_SHOWN, decimals, format_p, format_value, plain

NONE = "–"


@dataclass(frozen=True)
class Table:
    """A table of finished text. The first ``labels`` columns are text, the others numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 2
    notes: tuple[str, ...] = field(default=())


def mean_and_error(mean: float, se: float) -> str:
    """A mean with its standard error, both with two significant digits of the error."""
    if not math.isfinite(se) or se <= 0 or max(abs(mean), se) > MAX_SHOWN:
        return plain(mean, ".4g")
    return f"{format_value(mean, se)} ± {se:.{decimals(se)}f}"


def difference(contrast: Contrast) -> tuple[str, str]:
    """The difference and its 95 % interval; per cent where the metric is relative, else in its unit."""
    scale = 100 if contrast.relative else 1
    if contrast.ci_low is None or contrast.ci_high is None:
        return NONE if contrast.difference is None else plain(contrast.difference * scale, "+.3g"), NONE
    places = _places(contrast.ci_low, contrast.ci_high, scale)
    return (
        signed(contrast.difference, scale, places),
        f"{signed(contrast.ci_low, scale, places)} to {signed(contrast.ci_high, scale, places)}",
    )


def robust(contrast: Contrast) -> str:
    """Hodges and Lehmann's estimate, with its 95 % interval where that is finite."""
    scale = 100 if contrast.relative else 1
    low, high = contrast.center_low, contrast.center_high
    if contrast.center is None or low is None or high is None:
        return NONE
    if not math.isfinite(high):
        alone = (contrast.center, contrast.center) if contrast.ci_low is None else (contrast.ci_low, contrast.ci_high)
        return signed(contrast.center, scale, _places(*alone, scale))
    places = _places(low, high, scale)
    return f"{signed(contrast.center, scale, places)} ({signed(low, scale, places)} to {signed(high, scale, places)})"


def _places(low: float | None, high: float | None, scale: float) -> int:
    """Decimals of an interval: its quarter stands for a standard error."""
    se = ((high or 0.0) - (low or 0.0)) * scale / 4
    if not math.isfinite(se):
        return 0
    return decimals(se, 1) if se >= 10 else decimals(se)


def p_values(contrast: Contrast) -> tuple[str, str, str]:
    """The paired test's, Welch's, and the one on single samples."""
    return (
        format_p(contrast.p, contrast.log_p),
        format_p(contrast.p_welch),
        format_p(contrast.p_samples, contrast.log_p_samples),
    )


def signed(value: float | None, scale: float, places: int) -> str:
    """A difference with its sign; 0 has none."""
    if value is None:
        return NONE
    if abs(value * scale) > MAX_SHOWN:
        return plain(value * scale, "+.2g")
    text = f"{value * scale:+.{places}f}"
    return text[1:] if float(text) == 0 else text


def percent(share: float | None) -> str:
    """A share for a column of its own."""
    if share is None:
        return NONE
    return f"{plain(share * 100)} %" if share < 1 else "over 100 %"
