"""CPU profiles in JSON become pprof profiles with the same stacks and times."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyprof import Profile
from pyprof.cpuprofile import as_pprof
from pyprof.errors import ProfileFormatError


def node(key: int, name: str, line: int, *children: int, url: str = "app.js") -> dict[str, Any]:
    call = {"functionName": name, "scriptId": "1", "url": url, "lineNumber": line, "columnNumber": 0}
    return {"id": key, "callFrame": call, "hitCount": 0, "children": list(children)}


#: (root) → main → work → main; the times are microseconds.
INSPECTOR = {
    "nodes": [
        node(1, "(root)", -1, 2, 5, url=""),
        node(2, "main", 0, 3),
        node(3, "work", 9, 4),
        node(4, "main", 0),
        node(5, "", 4),
    ],
    "startTime": 1000,
    "endTime": 2000,
    "samples": [2, 3, 4, 3, 5],
    "timeDeltas": [100, 100, 300, 200, 200],
}
SENTRY = {
    "frames": [
        {"function": "(root)", "lineno": 0, "colno": 0},
        {"function": "main", "abs_path": "/app.js", "lineno": 7, "colno": 1},
        {"function": "work", "abs_path": "/app.js", "lineno": 12, "colno": 1},
    ],
    "stacks": [[1, 0], [2, 1, 0]],
    "samples": [
        {"stack_id": 0, "thread_id": "0", "elapsed_since_start_ns": "0"},
        {"stack_id": 1, "thread_id": "0", "elapsed_since_start_ns": "10000000"},
        {"stack_id": 1, "thread_id": "0", "elapsed_since_start_ns": "30000000"},
    ],
}


def read(document: dict[str, Any]) -> Profile:
    return Profile.read(as_pprof(json.dumps(document).encode()))


def values(profile: Profile, sample_type: str) -> dict[str, tuple[int, int]]:
    return {row.name: (row.flat, row.cum) for row in profile.top(sample_type)}


def test_an_inspector_profile() -> None:
    profile = read(INSPECTOR)
    assert profile.sample_types == [("samples", "count"), ("wall", "nanoseconds")]
    assert profile.duration_nanos == 1_000_000
    assert values(profile, "samples") == {"main": (2, 4), "work": (2, 3), "(anonymous)": (1, 1)}
    # A sample lasts until the next one, the last until the end.
    wall = {"main": (300_000, 800_000), "work": (500_000, 700_000), "(anonymous)": (100_000, 100_000)}
    assert values(profile, "wall") == wall
    assert {row.filename for row in profile.top(granularity="files")} == {"app.js"}


def test_times_that_run_backwards_lose_nothing() -> None:
    profile = read({**INSPECTOR, "timeDeltas": [100, 500, -300, 200, 200]})
    assert profile.total("wall") == 900_000
    assert profile.total("samples") == 5


def test_a_profile_of_sentry() -> None:
    profile = read(SENTRY)
    assert values(profile, "samples") == {"main": (1, 3), "work": (2, 2)}
    # The last sample stands for the mean distance of the samples, 15 ms.
    assert values(profile, "wall") == {"main": (10_000_000, 45_000_000), "work": (35_000_000, 35_000_000)}
    assert profile.period == 15_000_000
    assert {(row.name, row.line) for row in profile.top("wall", "lines")} == {("main", 7), ("work", 12)}


@pytest.mark.parametrize(
    "document", [{**INSPECTOR, "samples": [], "timeDeltas": []}, {**SENTRY, "samples": [], "stacks": []}]
)
def test_a_profile_without_samples(document: dict[str, Any]) -> None:
    assert len(read(document)) == 0


def test_names_of_any_kind() -> None:
    profile = read({**INSPECTOR, "nodes": [node(1, "(root)", -1, 2), node(2, "\ud800 <a;b>\n\0 é", 0)], "samples": [2],
                    "timeDeltas": [0]})  # fmt: skip
    assert profile.top()[0].name.endswith(" <a;b>\n\0 é")


def test_what_is_not_json_stays_as_it_is() -> None:
    assert as_pprof(b"\x1f\x8bsomething") == b"\x1f\x8bsomething"


@pytest.mark.parametrize(
    "data",
    [b"{", b"{}", b'{"nodes": 3}', b'{"stacks": [[1]], "frames": [], "samples": []}',
     json.dumps({**INSPECTOR, "samples": [2]}).encode(), json.dumps({**INSPECTOR, "samples": [9] * 5}).encode()],
)  # fmt: skip
def test_other_json_is_refused(data: bytes) -> None:
    with pytest.raises(ProfileFormatError, match=r"JSON"):
        as_pprof(data)
