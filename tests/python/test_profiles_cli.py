"""`pyprof profiles`: what it lists, and that what it writes is what the file holds."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from helpers import made_results, pprof

from pyprof import Profile
from pyprof.cli import main
from pyprof.results import ResultsFile
from pyprof.trials import Trial


def profile(value: int) -> bytes:
    return Profile.read(pprof.profile([([("busy", "app.js", 3)], (value, value * 1000))])).encode()


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two blocks: `recreate` merged out of 80 each, `keep` with two profiles each, `none` without."""

    def make(profiler: str, block: int, _: random.Random) -> Trial:
        made = made_results.trial(profiler, block)
        if profiler == "recreate":
            made.profiles, made.merged = [profile(block)], 80
        elif profiler == "keep":
            made.profiles = [profile(10 * block), profile(100 * block)]
        return made

    monkeypatch.chdir(tmp_path)
    made_results.write(Path("x.pyprof"), ("none", "keep", "recreate"), make, blocks=2)
    return "x.pyprof"


def test_the_list(results: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profiles", results, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(t["variant"], t["block"], t["kept"], t["taken"]) for t in listed] == [
        ("keep", 1, 2, 2), ("recreate", 1, 1, 80), ("keep", 2, 2, 2), ("recreate", 2, 1, 80),
    ]  # fmt: skip
    assert listed[0]["n_bytes"] == len(profile(10)) + len(profile(100))
    assert main(["profiles", results]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert "80 profiles, merged into one" in lines[1]


@pytest.mark.parametrize(
    ("arguments", "file", "total"),
    [
        (["recreate"], "recreate.pb.gz", 1 + 2),
        (["keep"], "keep.pb.gz", 10 + 100 + 20 + 200),
        (["keep", "--block", "2", "-o", "own.pb.gz"], "own.pb.gz", 20 + 200),
    ],
)
def test_a_variants_profiles_as_one(
    results: str, capsys: pytest.CaptureFixture[str], arguments: list[str], file: str, total: int
) -> None:
    assert main(["profiles", results, *arguments]) == 0
    assert capsys.readouterr().out.startswith(f"written: {file} ")
    written = Profile.read(file)
    assert written.total(0) == total
    assert [row.name for row in written.top()] == ["busy"]


def test_the_file_of_an_adapters_profiles_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def make(profiler: str, block: int, _: random.Random) -> Trial:
        made = made_results.trial(profiler, block)
        made.profiles = [profile(1)]
        return made

    monkeypatch.chdir(tmp_path)
    Path("own.js").touch()
    made_results.write(Path("x.pyprof"), ("./own.js",), make, blocks=1)
    assert main(["profiles", "x.pyprof", "./own.js"]) == 0
    assert Path("own.js.pb.gz").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["x.pyprof", "recraete"],
            "has no variant 'recraete' (did you mean 'recreate'?); it has: none, keep, recreate",
        ),
        (["x.pyprof", "none"], "has no profiles of 'none'; see: pyprof profiles FILE"),
        (["x.pyprof", "keep", "--block", "3"], "has no profiles of 'keep' in block 3"),
        (["x.pyprof", "keep", "-o", "x.pyprof"], "is the results file itself"),
        (["x.pyprof", "keep", "-o", "no/such/x.pb.gz"], "cannot be written (No such file or directory)"),
        (["x.pyprof", "-o", "x.pb.gz"], "need a VARIANT"),
        (["missing.pyprof"], "there is no such results file"),
    ],
)
@pytest.mark.usefixtures("results")
def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["profiles", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    with ResultsFile.open_existing(Path("x.pyprof")) as still_there:
        assert len(still_there.trials()) == 6


def test_a_damaged_profile_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def make(profiler: str, block: int, _: random.Random) -> Trial:
        made = made_results.trial(profiler, block)
        made.profiles, made.merged = [b"\x1f\x8b broken"], 80
        return made

    path = made_results.write(tmp_path / "x.pyprof", ("keep",), make, blocks=1)
    assert main(["profiles", str(path), "keep"]) == 2
    assert "is damaged: a profile of 'keep' cannot be read" in capsys.readouterr().err
