from __future__ import annotations

import math

import pytest

from pyprof.errors import UsageError
from pyprof.units import decimals, format_duration, format_p, format_value, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("200ms", 0.2), ("8s", 8.0), ("2m", 120.0), ("1.5h", 5400.0), ("8", 8.0), (8, 8.0), (0.5, 0.5), (" 10 us ", 1e-5)],
)
def test_durations_take_a_unit_and_bare_numbers_are_seconds(text: str | float, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "s", "-1s", "8 parsecs", "1:30", "nan", float("nan"), float("inf"), -1, True])
def test_what_is_no_duration_is_refused_with_an_example(text: str | float) -> None:
    with pytest.raises(UsageError, match=r"--gap: .*(8s|finite)"):
        parse_duration(text, "--gap")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.1, "100 ms"),
        (0, "0 ms"),
        (1.5, "1.5 s"),
        (8, "8 s"),
        (59.7, "60 s"),
        (400, "6 min 40 s"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations_for_people(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


def test_values_have_two_significant_digits_of_their_standard_error() -> None:
    assert format_value(63.12345, 0.34) == "63.12"
    assert format_value(402.345, 12.3) == "402"
    assert format_value(0.00123456, 0.0000123) == "0.001235"
    assert format_value(-0.0001, 0.3) == "0.00"
    assert format_value(None, 1.0) == "–"
    assert format_value(math.nan, 1.0) == "–"
    assert decimals(0.0) == decimals(None) == decimals(math.nan) == 2
    assert decimals(3.0, 1) == 0


@pytest.mark.parametrize(
    ("p", "log_p", "text"),
    [
        (0.5, None, "0.50"),
        (0.0123, None, "0.012"),
        (2e-5, None, "2.0e-05"),
        (0.0, -800.0, "1e-348"),
        (0.0, None, "< 1e-300"),
        (None, None, "–"),
    ],
)
def test_p_is_never_shown_as_zero(p: float | None, log_p: float | None, text: str) -> None:
    assert format_p(p, log_p) == text
