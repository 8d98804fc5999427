"""Hand-made edge cases beside the checkout, with the verdict that google/pprof has on each."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pyprof import Profile
from pyprof.errors import ProfileFormatError

CRAFTED = Path(__file__).parents[3] / "shared" / "crafted"
PROFILES = CRAFTED.parent / "profiles"


def verdicts() -> list[tuple[str, bool]]:
    """File name, and whether google/pprof (its newest version) accepts it."""
    table = CRAFTED / "VERDICTS.tsv"
    if not table.exists():
        return []
    with table.open(newline="") as lines:
        return [(row[0], row[2] == "ACCEPT") for row in list(csv.reader(lines, delimiter="\t"))[1:]]


@pytest.mark.parametrize(("name", "accepted"), verdicts())
def test_verdict(name: str, accepted: bool) -> None:
    if accepted:
        profile = Profile.read(CRAFTED / name)
        again = Profile.read(profile.encode())
        assert len(again) == len(profile)
        assert again.sample_types == profile.sample_types
        assert again.comments == profile.comments
    else:
        with pytest.raises(ProfileFormatError) as caught:
            Profile.read(CRAFTED / name)
        assert name in str(caught.value)
        assert 0 <= caught.value.offset <= 500


@pytest.mark.parametrize(
    ("path", "what"),
    [
        (CRAFTED / "gz_double.pb.gz", "compressed twice"),
        (CRAFTED / "ok.pb.zst", "zstd"),
        (CRAFTED / "text_garbage.pb", "text"),
        (CRAFTED / "empty.pb", "empty"),
        (CRAFTED / "gz_two_profiles_concat.pb.gz", "second profile"),
        (CRAFTED / "gz_bad_crc.pb.gz", "incorrect data check"),
        (CRAFTED / "gz_missing_crc_trailer.pb.gz", "too early"),
        (CRAFTED / "gz_trailing_garbage.pb.gz", "8 bytes that are not gzip"),
        (PROFILES / "google-pprof__cppbench.cpu", "legacy binary profile of gperftools"),
        (PROFILES / "google-pprof__gobench.heap", "legacy text profile"),
        (PROFILES / "google-pprof__java.contention", "legacy text profile"),
        (PROFILES / "speedscope__chrome65_simple.cpuprofile", "JSON"),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else None,
)
def test_the_error_names_what_it_is(path: Path, what: str) -> None:
    if not path.exists():
        pytest.skip(f"{path} is not there")
    with pytest.raises(ProfileFormatError, match=what):
        Profile.read(path)
