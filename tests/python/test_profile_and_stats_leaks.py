"""Every function of the extension, called thousands of times, on its good and its bad ways out, keeps nothing."""

from __future__ import annotations

import array
import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from helpers.pprof import profile

from pyprof import Profile, _core, stats

FUNCTIONS = [(f"function {i}", "app.js", i + 1) for i in range(50)]
DATA = profile([([f, FUNCTIONS[0]], [1, 1]) for f in FUNCTIONS], comments=["a comment"])
PROFILE = Profile.read(DATA)
OTHER = Profile.read(profile([], sample_types=[("cpu", "nanoseconds")]))
LIST = [float(i * i % 97) for i in range(60)]
ARRAY = array.array("d", range(2000))
SHORT = array.array("d", range(60))
BAD = [*LIST, None]

GOOD: dict[str, Callable[[], object]] = {
    "describe": partial(stats.describe, ARRAY),
    "describe a list": partial(stats.describe, LIST),
    "student": partial(stats.student, ARRAY, ARRAY),
    "welch": partial(stats.welch, ARRAY, LIST),
    "paired": partial(stats.paired, SHORT, LIST),
    "tost": partial(stats.tost, ARRAY, LIST, -1, 1),
    "noninferiority": partial(stats.noninferiority, SHORT, LIST, 1, design="paired"),
    "mannwhitneyu": partial(stats.mannwhitneyu, SHORT, LIST),
    "hodges_lehmann": partial(stats.hodges_lehmann, SHORT, LIST),
    "pseudomedian": partial(stats.pseudomedian, SHORT),
    "permutation_test": partial(stats.permutation_test, SHORT[:8], LIST[:8], seed=1),
    "confidence_sequence": partial(stats.confidence_sequence, SHORT),
    "bootstrap": partial(stats.bootstrap, [LIST, SHORT], [SHORT, LIST], seed=1, n_resamples=100),
    "autocorrelation": partial(stats.autocorrelation, ARRAY),
    "holm": partial(stats.holm, [0.1] * 100),
    "benjamini_hochberg": partial(stats.benjamini_hochberg, [0.1] * 100),
    "linregress": partial(stats.linregress, SHORT, LIST),
    "power": partial(stats.power, 0.1, 20, 0.05),
    "sd_limits": partial(stats.sd_limits, 0.1, 20),
    "theil_sen": partial(stats.theil_sen, SHORT, LIST),
    "effective_sample_size": partial(stats.effective_sample_size, ARRAY),
    "required_blocks": partial(stats.required_blocks, 0.1, 0.05),
    "settleable_margin": partial(stats.settleable_margin, 0.1, 20),
    "t_quantile": partial(stats.t_quantile, 0.01, 5),
    "log_two_sided_t": partial(stats.log_two_sided_t, 3, 5),
    "read": partial(Profile.read, DATA),
    "merge": partial(Profile.merge, [PROFILE, PROFILE]),
    "encode": PROFILE.encode,
    "top": PROFILE.top,
    "total": PROFILE.total,
    "build": partial(_core.build, [(b"f", b"app.js", 1, 2)] * 50, [(list(range(50)), 1, 1000)] * 20, 1000, 20_000),
    "repr": lambda: repr(PROFILE),
    "attributes": lambda: [getattr(PROFILE, name) for name in dir(Profile) if not name.startswith("_")],
}
BAD_CALLS: dict[str, Callable[[], object]] = {
    "list item": partial(stats.welch, ARRAY, BAD),
    "not a sequence": partial(stats.welch, ARRAY, 3),  # type: ignore[arg-type]
    "core's error": partial(stats.student, [1, 1], [2, 2]),
    "number": partial(stats.welch, ARRAY, ARRAY, confidence="x"),  # type: ignore[arg-type]
    "choice": partial(stats.welch, ARRAY, ARRAY, alternative="more"),  # type: ignore[arg-type]
    "no seed": partial(stats.bootstrap, [LIST, SHORT]),
    "list item of a group": partial(stats.bootstrap, [LIST, BAD], seed=1),
    "second groups": partial(stats.bootstrap, [LIST, LIST], [LIST, 3], seed=1),
    "core's error with lists": partial(stats.holm, [2.0] * 100),
    "unequal length": partial(stats.paired, ARRAY, LIST),
    "not a profile": partial(Profile.read, DATA[:-1]),
    "not a list of profiles": partial(Profile.merge, [PROFILE, 3]),  # type: ignore[list-item]
    "no merge": partial(Profile.merge, [PROFILE, OTHER]),
    "no level": partial(PROFILE.encode, 99),
    "no such frame": partial(_core.build, [(b"f", b"", 1, 2)], [([0, 1], 1, 1000)], 0, 0),
    "half a frame": partial(_core.build, [(b"f", b"")], [([0], 1, 1000)], 0, 0),  # type: ignore[list-item]
    "half a stack": partial(_core.build, [(b"f", b"", 1, 2)], [([0], 1)], 0, 0),  # type: ignore[list-item]
    "a negative line": partial(_core.build, [(b"f", b"", -1, 2)], [([0], 1, 1000)], 0, 0),
}


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def repeat(call: Callable[[], object], times: int) -> None:
    for _ in range(times):
        with suppress(ValueError, TypeError):
            call()
    gc.collect()


@pytest.mark.parametrize("name", [*GOOD, *BAD_CALLS])
def test_nothing_is_kept(name: str) -> None:
    call = (GOOD | BAD_CALLS)[name]
    if name in BAD_CALLS:
        with pytest.raises((ValueError, TypeError)):
            call()
    repeat(call, 300)
    blocks, before = sys.getallocatedblocks(), resident()
    repeat(call, 1000)
    assert sys.getallocatedblocks() - blocks < 200, "one Python object in five calls"
    assert resident() - before < 2 << 20, "2 KiB a call"
