"""What a trial's profiles must show."""

from __future__ import annotations

import pytest
from helpers import pprof

from pyprof.errors import TrialError, VoidedError
from pyprof.profile import Profile
from pyprof.running.checks import check_and_merge

BUSY, OTHER = ("fibonacci", "app.js", 9), ("(program)", "", 0)
SHORT, LONG = 0.015, 0.1


def _profile(function: tuple[str, str, int], milliseconds: float) -> bytes:
    return pprof.profile([([function], [1, round(milliseconds * 1e6)])])


GOOD, IDLE, EMPTY = (_profile(BUSY, 15), _profile(OTHER, 15), _profile(BUSY, 0))


def _check(profiles: list[bytes], seconds: float, *, full_load: bool = True) -> Profile | None:
    merged = check_and_merge(profiles, [seconds] * len(profiles), busy_function="fibonacci", full_load=full_load)
    return None if merged is None else Profile.read(merged)


def test_all_are_merged() -> None:
    merged = _check([GOOD] * 12, SHORT)
    assert merged is not None
    assert merged.total(0) == 12
    assert _check([], SHORT) is None


def test_a_short_profile_may_lie_between_two_requests() -> None:
    """At full load, too: over few connections the app waits for a busy load generator as long as one of them lasts."""
    assert _check([GOOD, IDLE, GOOD, GOOD, GOOD, IDLE] * 20, SHORT) is not None


def test_a_profiler_that_misses_what_ran_is_found_in_short_profiles() -> None:
    with pytest.raises(VoidedError, match=r"profiles 7 to 12 of 18 do not have the workload's busy function"):
        _check([GOOD] * 6 + [IDLE] * 6 + [GOOD] * 6, SHORT)
    with pytest.raises(VoidedError, match=r"profiles 1 to 6 of 12: the values sum to 50% of the 90 ms covered"):
        _check([GOOD, EMPTY] * 6, SHORT)


def test_a_long_profile_is_judged_alone() -> None:
    good, idle = _profile(BUSY, 95), _profile(OTHER, 95)
    assert _check([good] * 3, LONG) is not None
    with pytest.raises(VoidedError, match=r"profile 2 of 3 does not have the workload's busy function"):
        _check([good, idle, good], LONG)
    with pytest.raises(VoidedError, match=r"profile 3 of 3: the values sum to 15% of the 100 ms covered"):
        _check([good, good, GOOD], LONG)


def test_so_few_short_ones_that_they_make_no_group_are_one() -> None:
    assert _check([GOOD, IDLE, GOOD], SHORT) is not None
    with pytest.raises(VoidedError, match=r"profiles 1 to 2 of 2 do not have"):
        _check([IDLE, IDLE], SHORT)


def test_at_a_fixed_rate_the_merged_profile_must_have_it() -> None:
    assert _check([IDLE, IDLE, GOOD], LONG, full_load=False) is not None
    with pytest.raises(VoidedError, match=r"none of the 2 profiles has the workload's busy function"):
        _check([IDLE, IDLE], LONG, full_load=False)


def test_what_is_no_profile_is_an_error_by_itself() -> None:
    with pytest.raises(TrialError, match=r"profile 2 of 2 is not a valid pprof profile") as caught:
        _check([GOOD, b"\x1f\x8bnothing"], SHORT)
    assert not isinstance(caught.value, VoidedError)
