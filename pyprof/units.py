"""Durations as people write them, and numbers with the digits that their standard error supports."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from pyprof.errors import UsageError

_SECONDS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "": 1.0}
MAX_NUMBER = 1e300
#: Numbers for people are not written out beyond it.
MAX_SHOWN = 1_000_000
_DURATION = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*([a-zµ]*)\s*")


def parse_duration(value: str | float, what: str = "duration") -> float:
    """Seconds out of ``200ms``, ``8s``, ``2m``, ``1h`` or a bare number of seconds. Never negative."""
    if isinstance(value, bool):
        raise UsageError(f"{what}: {value!r} is not a duration: write 200ms, 8s or 2m")
    if isinstance(value, int | float):
        seconds = float(value) if abs(value) < MAX_NUMBER else math.inf
    else:
        match = _DURATION.fullmatch(value)
        if match is None or match[2] not in _SECONDS:
            raise UsageError(f"{what}: {value!r} is not a duration: write 200ms, 8s or 2m (a bare number is seconds)")
        seconds = float(match[1]) * _SECONDS[match[2]]
    if not math.isfinite(seconds) or seconds < 0:
        raise UsageError(f"{what}: {value!r} is not a duration: it must be finite and not negative")
    return seconds


def format_duration(seconds: float) -> str:
    """A duration for people, in two units at most: ``100 ms``, ``8 s``, ``6 min 40 s``, ``2 h 5 min``."""
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms"
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def counted(number: int, word: str) -> str:
    """``1 block``, ``3 blocks``."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def decimals(standard_error: float | None, significant: int = 2) -> int:
    """Decimal places that show ``significant`` digits of a standard error; 0 and more. Without a usable error: 2."""
    if standard_error is None or not math.isfinite(standard_error) or standard_error <= 0:
        return 2
    return min(12, max(0, significant - 1 - math.floor(math.log10(standard_error))))


def format_value(value: float | None, standard_error: float | None) -> str:
    """``value`` rounded to two significant digits of its standard error; an en dash where there is no value."""
    if value is None or not math.isfinite(value):
        return "–"
    text = f"{value:.{decimals(standard_error)}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def plain(value: float, form: str = ".2g") -> str:
    """``value`` by a format of its significant digits, such as ``.2g`` or ``+.2g``, but never with an exponent.

    Beyond a million it is "over 1,000,000": what is so large is not known better.
    """
    if abs(value) > MAX_SHOWN:
        sign = "-" if value < 0 else "+" if form.startswith("+") else ""
        return f"over {sign}{MAX_SHOWN:,}"
    text = f"{value:{form}}"
    return format(Decimal(text), "+,f" if form.startswith("+") else ",f") if "e" in text else text


def format_p(p: float | None, log_p: float | None = None) -> str:
    """A p-value in two digits; never 0: where it underflows, the exponent is taken from its logarithm."""
    if p is None or math.isnan(p):
        return "–"
    if p >= 0.001:
        return f"{p:.2g}" if p < 0.1 else f"{p:.2f}"
    if p > 0:
        return f"{p:.1e}"
    if log_p is None or not math.isfinite(log_p):
        return "< 1e-300"
    return f"1e{math.floor(log_p / math.log(10))}"
