"""Whether a trial's profiles show what ran: a profiler that records nothing costs nothing, and must not win by that."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from pyprof.cpuprofile import as_pprof
from pyprof.errors import ProfileFormatError, ProfileLimitError, TrialError, VoidedError
from pyprof.profile import Profile

#: At full load the app is busy all the time, so that the samples must cover nearly all of a profile's time.
MIN_COVERAGE = 0.6
#: Seconds: shorter profiles are judged together. The app may wait for its next request as long as one of them lasts.
JUDGED_TOGETHER = 0.09


def check_and_merge(
    profiles: Sequence[bytes], profiled: Sequence[float], *, busy_function: str | None, full_load: bool
) -> bytes | None:
    """The profiles, in any format that an adapter may give, as one pprof profile; None where there are none.

    ``profiled`` are the seconds that each covers. Raises TrialError for a profile that cannot be read. Raises
    VoidedError for one without the busy function and, at full load, for one whose values sum to under `MIN_COVERAGE` of
    its time: a machine that stalls for the length of a profile does the same as a profiler that records nothing.
    Profiles shorter than `JUDGED_TOGETHER` are held to that in groups of as many as last so long. At a fixed rate a
    single profile may lie between two requests, so the merged profile must have the busy function.
    """
    if not profiles:
        return None
    parsed = []
    for number, data in enumerate(profiles, 1):
        try:
            parsed.append(Profile.read(as_pprof(data)))
        except (ProfileFormatError, ProfileLimitError) as error:
            raise TrialError(f"profile {number} of {len(profiles)} is not a valid pprof profile: {error}") from error
    for first, last in _groups(profiled) if full_load else ():
        numbers = f"profile {last}" if last == first + 1 else f"profiles {first + 1} to {last}"
        profile = parsed[first] if last == first + 1 else Profile.merge(parsed[first:last])
        _check_busy(profile, busy_function, f"{numbers} of {len(profiles)}")
        _check_coverage(profile, math.fsum(profiled[first:last]), f"{numbers} of {len(profiles)}")
    merged = Profile.merge(parsed)
    _check_busy(merged, busy_function, f"none of the {len(profiles)} profiles has")
    return merged.encode()


def _groups(profiled: Sequence[float]) -> Iterator[tuple[int, int]]:
    """First and one past the last of each group; what is left over at the end is too short to be judged."""
    enough = min(JUDGED_TOGETHER, math.fsum(profiled))
    first = 0
    for last in range(1, len(profiled) + 1):
        if math.fsum(profiled[first:last]) >= enough:
            yield first, last
            first = last


def _check_busy(profile: Profile, busy_function: str | None, which: str) -> None:
    if busy_function is None or any(row.name == busy_function for row in profile.top()):
        return
    verb = "" if which.endswith("has") else " do not have" if which.startswith("profiles") else " does not have"
    raise VoidedError(
        f"{which}{verb} the workload's busy function {busy_function!r}: the profiler misses what ran, or the machine "
        f"is too busy ({len(profile)} stacks)"
    )


def _check_coverage(profile: Profile, seconds: float, which: str) -> None:
    wall = next((i for i, (_, unit) in enumerate(profile.sample_types) if unit == "nanoseconds"), None)
    if wall is None:
        return
    share = profile.total(wall) / 1e9 / seconds
    if share < MIN_COVERAGE:
        raise VoidedError(
            f"{which}: the values sum to {share:.0%} of the {seconds * 1000:.0f} ms covered, under the "
            f"{MIN_COVERAGE:.0%} that a busy app must show: the profiler loses samples, or the machine is too busy"
        )
