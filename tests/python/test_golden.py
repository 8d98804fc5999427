"""A profile that the addon wrote is read back: what an independent reader found in it is in the JSON beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyprof import Profile

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def profile() -> Profile:
    return Profile.read(GOLDEN / "addon.pb.gz")


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    content: dict[str, Any] = json.loads((GOLDEN / "addon.json").read_text())
    return content


def test_head(profile: Profile, expected: dict[str, Any]) -> None:
    assert len(profile) == expected["n_samples"]
    assert [list(names) for names in profile.sample_types] == expected["sample_types"]
    assert profile.sample_types[profile.default_sample_type][0] == expected["default_sample_type"]
    assert list(profile.period_type) == expected["period_type"]
    assert profile.period == expected["period"]
    assert profile.time_nanos // 1_000_000 == expected["time_ms"]
    assert profile.duration_nanos == expected["duration_nanos"]


@pytest.mark.parametrize("column", [0, 1])
def test_flat_and_cum(column: int, profile: Profile, expected: dict[str, Any]) -> None:
    rows = {row.name: (row.flat, row.cum) for row in profile.top(column)}
    assert rows == {
        name: (values["flat"][column], values["cum"][column]) for name, values in expected["functions"].items()
    }


def test_merged_with_itself_all_values_double(profile: Profile) -> None:
    merged = Profile.merge([profile, profile])
    # Two closures of one line are two functions to the addon, but equal in what the format can say of them.
    assert len(merged) == len(profile) - 1
    assert [(row.name, row.flat, row.cum) for row in merged.top()] == [
        (row.name, 2 * row.flat, 2 * row.cum) for row in profile.top()
    ]
