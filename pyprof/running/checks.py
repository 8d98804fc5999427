"""Whether a trial's profiles show what ran: a profiler that records nothing costs nothing, and must not win by that."""

from __future__ import annotations

from collections.abc import Sequence

from pyprof.cpuprofile import as_pprof
from pyprof.errors import ProfileFormatError, ProfileLimitError, TrialError, VoidedError
from pyprof.profile import Profile

#: At full load the app is busy all the time, so that the samples must cover nearly all of a profile's time.
MIN_COVERAGE = 0.6


def check_and_merge(
    profiles: Sequence[bytes], profiled: Sequence[float], *, busy_function: str | None, full_load: bool
) -> bytes | None:
    """The profiles, in any format that an adapter may give, as one pprof profile; None where there are none.

    ``profiled`` are the seconds that each covers. Raises TrialError for a profile that cannot be read. Raises
    VoidedError for one without the busy function and, at full load, for one whose values sum to under `MIN_COVERAGE` of
    its time: a machine that stalls for the length of a profile does the same as a profiler that records nothing. At a
    fixed rate a single profile may lie between two requests, so the merged profile must have the busy function.
    """
    if not profiles:
        return None
    parsed = []
    for number, (data, seconds) in enumerate(zip(profiles, profiled, strict=True), 1):
        which = f"profile {number} of {len(profiles)}"
        try:
            profile = Profile.read(as_pprof(data))
        except (ProfileFormatError, ProfileLimitError) as error:
            raise TrialError(f"{which} is not a valid pprof profile: {error}") from error
        if full_load:
            _check_busy(profile, busy_function, which)
            _check_coverage(profile, seconds, which)
        parsed.append(profile)
    merged = Profile.merge(parsed)
    _check_busy(merged, busy_function, f"none of the {len(profiles)} profiles has")
    return merged.encode()


def _check_busy(profile: Profile, busy_function: str | None, which: str) -> None:
    if busy_function is None or any(row.name == busy_function for row in profile.top()):
        return
    verb = "" if which.endswith("has") else " does not have"
    raise VoidedError(
        f"{which}{verb} the workload's busy function {busy_function!r}: the profiler misses what ran"
        f" ({len(profile)} samples)"
    )


def _check_coverage(profile: Profile, seconds: float, which: str) -> None:
    wall = next((i for i, (_, unit) in enumerate(profile.sample_types) if unit == "nanoseconds"), None)
    if wall is None:
        return
    share = profile.total(wall) / 1e9 / seconds
    if share < MIN_COVERAGE:
        raise VoidedError(
            f"{which}: its values sum to {share:.0%} of the {seconds * 1000:.0f} ms that it covers, under the "
            f"{MIN_COVERAGE:.0%} that a busy app must show: the profiler loses samples, or the machine is too busy"
        )
