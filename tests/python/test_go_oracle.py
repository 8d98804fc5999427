"""`go tool pprof` as the judge of flat, cum and merge, on public profiles that lie beside the checkout."""

from __future__ import annotations

import os
import posixpath
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pyprof import Profile
from pyprof.errors import ProfileFormatError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyprof.profile import GranularityName, TopRow

PROFILES = Path(__file__).parents[3] / "shared" / "profiles"
GO = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")

pytestmark = pytest.mark.skipif(GO is None, reason="Go is not installed")

Key = tuple[str, str, int, int]
"""Name, file name, line and address of a row."""


def readable() -> list[Path]:
    found = []
    for path in sorted(PROFILES.glob("*")):
        try:
            Profile.read(path)
        except ProfileFormatError:
            continue
        found.append(path)
    return found


FILES = readable()


def go(tmp_path: Path, *arguments: str | Path) -> Profile:
    """The profile that `go tool pprof` writes."""
    out = tmp_path / "out.pb.gz"
    command = [str(GO), "tool", "pprof", "-symbolize=none", "-trim=false", f"-output={out}", *map(str, arguments)]
    environment = os.environ | {"PPROF_TMPDIR": str(tmp_path)}
    subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return Profile.read(out)


def key(row: TopRow) -> Key:
    # Go tidies file names ("a/../b.go")
    return row.name, posixpath.normpath(row.filename) if row.filename else "", row.line, row.address


def named(values: dict[Key, tuple[int, int]]) -> dict[Key, tuple[int, int]]:
    """Without what has no function: Go's answer has lost the mapping that such a row is named by."""
    return {k: v for k, v in values.items() if any(v) and not k[0].startswith(("[", "<unknown>"))}


def by_go(tmp_path: Path, column: int, granularity: GranularityName, *files: Path) -> dict[Key, tuple[int, int]]:
    unit = Profile.read(files[0]).sample_types[column][1]
    answer = go(tmp_path, "-topproto", f"-{granularity}", f"-unit={unit}", f"-sample_index={column}", *files)
    # one sample per row: the first value is cum, the second flat
    cum = {key(row): row.flat for row in answer.top(0, granularity)}
    flat = {key(row): row.flat for row in answer.top(1, granularity)}
    return named({k: (flat.get(k, 0), cum.get(k, 0)) for k in cum | flat})


def by_pyprof(rows: Iterable[TopRow]) -> dict[Key, tuple[int, int]]:
    return named({key(row): (row.flat, row.cum) for row in rows})


@pytest.mark.skipif(not FILES, reason=f"there are no profiles in {PROFILES}")
def test_there_are_enough_files() -> None:
    assert len(FILES) >= 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
class TestTop:
    def test_functions_of_every_sample_type(self, path: Path, tmp_path: Path) -> None:
        profile = Profile.read(path)
        for column in range(len(profile.sample_types)):
            assert by_pyprof(profile.top(column)) == by_go(tmp_path, column, "functions", path)

    @pytest.mark.parametrize("granularity", ["filefunctions", "lines", "addresses"])
    def test_granularity(self, path: Path, granularity: GranularityName, tmp_path: Path) -> None:
        profile = Profile.read(path)
        column = profile.default_sample_type
        ours = by_pyprof(profile.top(column, granularity))
        theirs = by_go(tmp_path, column, granularity, path)
        if granularity == "addresses":  # where there is none, Go tells rows apart by the line
            ours, theirs = ({k: v for k, v in rows.items() if k[3]} for rows in (ours, theirs))
        assert ours == theirs

    def test_go_reads_what_is_written(self, path: Path, tmp_path: Path) -> None:
        written = tmp_path / "written.pb.gz"
        written.write_bytes(Profile.read(path).encode())
        column = Profile.read(path).default_sample_type
        assert by_go(tmp_path, column, "lines", written) == by_go(tmp_path, column, "lines", path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_merge_with_itself(path: Path, tmp_path: Path) -> None:
    profile = Profile.read(path)
    merged = Profile.merge([profile, profile])
    theirs = go(tmp_path, "-proto", path, path)
    assert len(merged) == len(theirs)
    assert merged.duration_nanos == theirs.duration_nanos
    for column in range(len(profile.sample_types)):
        assert merged.total(column) == theirs.total(column)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("parca__many_a.pb.gz", "parca__many_b.pb.gz"),
        ("dd-trace-go__heap.before.pprof", "dd-trace-go__heap.after.pprof"),
        ("dd-trace-go__block.before.pprof", "dd-trace-go__block.after.pprof"),
    ],
)
def test_merge_of_two(first: str, second: str, tmp_path: Path) -> None:
    files = [PROFILES / first, PROFILES / second]
    if not all(path.exists() for path in files):
        pytest.skip(f"there are no profiles in {PROFILES}")
    merged = Profile.merge([Profile.read(path) for path in files])
    assert len(merged) == len(go(tmp_path, "-proto", *files))
    assert merged.time_nanos == min(Profile.read(path).time_nanos for path in files)
    for column in range(len(merged.sample_types)):
        assert by_pyprof(merged.top(column)) == by_go(tmp_path, column, "functions", *files)
