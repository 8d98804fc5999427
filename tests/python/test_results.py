from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import made_results

from pyprof import Results, experiment
from pyprof.errors import ResultsError
from pyprof.results import ResultsFile, in_use, set_aside
from pyprof.trials import Trial, Variant


@pytest.fixture
def results(tmp_path: Path) -> Iterator[ResultsFile]:
    with ResultsFile.create(tmp_path / "x.pyprof", experiment.load(seed=1), {"cpu": "a test's"}) as made:
        made.write_variants([Variant("none", "20.0.0", "none"), Variant("keep", "20.0.0", "keep", {"abi": "115"})])
        yield made


def test_what_is_written_is_read_back(results: ResultsFile) -> None:
    trial = Trial("keep", 1, 0, "2026-01-01T00:00:00+00:00", scalars={"qps": 1.5})
    trial.series["rss"] = array("d", [1.0, 2.5, 1e300])
    trial.profiles, trial.merged = [b"\x1f\x8b\x00"], 80
    results.write_trial(trial)
    with ResultsFile.open_existing(results.path) as again:
        assert again.experiment() == experiment.load(seed=1)
        assert again.read_document("environment") == {"cpu": "a test's"}
        assert again.variants()[1].details == {"abi": "115"}
        assert again.trials(profiles=True) == [trial]
        assert again.trials()[0].profiles == []


def test_a_failed_trial_gives_way_to_a_good_one_and_not_the_reverse(results: ResultsFile) -> None:
    results.write_trial(Trial("keep", 1, 0, "then", error="it died"))
    results.write_trial(Trial("keep", 1, 0, "later"))
    assert [trial.ok for trial in results.trials()] == [True]
    with pytest.raises(ResultsError):
        results.write_trial(Trial("keep", 1, 0, "again"))
    assert [trial.started for trial in results.trials()] == ["later"]


def test_what_belongs_to_a_failed_trial_goes_with_it(results: ResultsFile) -> None:
    failed = Trial("keep", 1, 0, "then", error="it died", profiles=[b"\x1f\x8b"])
    failed.series["rss"] = array("d", [1.0])
    results.write_trial(failed)
    results.write_trial(Trial("none", 1, 1, "meanwhile"))
    results.write_trial(Trial("keep", 1, 0, "later"))
    assert [(trial.started, trial.series, trial.profiles) for trial in results.trials(profiles=True)] == [
        ("later", {}, []), ("meanwhile", {}, [])
    ]  # fmt: skip


def test_one_trial_is_one_transaction(results: ResultsFile) -> None:
    bad = Trial("keep", 2, 0, "then")
    bad.profiles = [b"good", None]  # type: ignore[list-item]
    with pytest.raises(ResultsError):
        results.write_trial(bad)
    assert results.trials() == []


def test_an_existing_file_is_never_overwritten(results: ResultsFile) -> None:
    before = results.path.read_bytes()
    with pytest.raises(ResultsError, match=r"exists already.*-o.*pyprof report"):
        ResultsFile.create(results.path, experiment.load(), {})
    assert results.path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"", b"not a database at all, but long enough to be looked at" * 20, b"\x1f\x8b\x08"]
)
def test_what_is_no_results_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.pyprof"
    path.write_bytes(content)
    with pytest.raises(ResultsError, match=r"x\.pyprof .*not a pyprof results file"):
        ResultsFile.open_existing(path)
    assert path.read_bytes() == content


def test_another_sqlite_file_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "x.pyprof"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(ResultsError, match="SQLite file, but not a pyprof results file"):
        ResultsFile.open_existing(path)


@pytest.mark.parametrize(("schema", "advice"), [(99, "upgrade pyprof"), (0, "run it again")])
def test_another_schema_says_what_to_do(results: ResultsFile, schema: int, advice: str) -> None:
    with sqlite3.connect(results.path) as raw:
        raw.execute(f"PRAGMA user_version = {schema}")
    with pytest.raises(ResultsError, match=f"results schema {schema}.*{advice}"):
        ResultsFile.open_existing(results.path)


def test_a_truncated_file_is_an_error_not_a_traceback(tmp_path: Path) -> None:
    path = made_results.write(tmp_path / "x.pyprof", ("none", "keep"), lambda p, b, _: made_results.trial(p, b))
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(ResultsError), ResultsFile.open_existing(path) as results:
        results.trials()


def test_damage_of_sqlites_own_text_is_named_in_one_line(tmp_path: Path) -> None:
    path = made_results.write(tmp_path / "x.pyprof", ("none",), lambda p, b, _: made_results.trial(p, b))
    whole = path.read_bytes()
    for spoilt in (b"CREATE TABLE tri\xffl", b"CREATE T`BLE trial"):
        path.write_bytes(whole.replace(b"CREATE TABLE trial", spoilt))
        with pytest.raises(ResultsError) as caught:
            Results.open(path)
        assert "\n" not in str(caught.value)


def test_missing_files_folders_and_unwritable_places(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="no such results file"):
        ResultsFile.open_existing(tmp_path / "none.pyprof")
    with pytest.raises(ResultsError, match="not a results file"):
        ResultsFile.open_existing(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(ResultsError, match="cannot be written"):
        ResultsFile.create(tmp_path / "file" / "x.pyprof", experiment.load(), {})
    with ResultsFile.create(tmp_path / "new" / "folders" / "x.pyprof", experiment.load(), {}) as made:
        assert made.path.is_file()


def test_two_writers_of_one_file_are_kept_apart(results: ResultsFile) -> None:
    assert in_use(results.path)
    with pytest.raises(ResultsError, match="another pyprof is writing"):
        ResultsFile.open_existing(results.path, write=True)
    with ResultsFile.open_existing(results.path) as reader:  # reading is free
        assert reader.trials() == []
    with results:
        pass
    assert not in_use(results.path)


def test_a_file_that_is_being_written_does_not_make_way(results: ResultsFile) -> None:
    with pytest.raises(ResultsError, match="another pyprof is writing"):
        set_aside(results.path)
    results.discard()
    results.path.write_bytes(b"another's")
    results.discard()
    assert results.path.read_bytes() == b"another's"


def test_what_makes_way_is_never_lost(tmp_path: Path) -> None:
    path = tmp_path / "x.pyprof"
    for number in range(3):
        path.write_text(str(number))
        os.utime(path, (1e9, 1e9))
        set_aside(path)
    found = sorted(tmp_path.iterdir())
    assert [other.read_text() for other in found] == ["1", "2", "0"]
    assert all(other.name.startswith("x-2001") for other in found)


def test_a_relative_name_that_sqlite_takes_for_memory_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with ResultsFile.create(Path(":memory:"), experiment.load(), {}):
        pass
    assert (tmp_path / ":memory:").stat().st_size > 0


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE document SET value = '[1]' WHERE key = 'experiment'",
        "UPDATE document SET value = '{broken' WHERE key = 'environment'",
        "UPDATE trial SET scalars = '[]'",
        "UPDATE series SET data = x'0102'",
        "UPDATE trial SET variant = 'nobody' WHERE id = 1",
        "DELETE FROM document",
        "UPDATE document SET value = '{}' WHERE key = 'experiment'",
        "UPDATE document SET value = '[]' WHERE key = 'experiment'",
        "UPDATE trial SET block = 'one' WHERE id = 1",
        "UPDATE variant SET node = x'6e6f'",
        "UPDATE trial SET status = 'failed', error = x'ff'",
    ],
)
def test_damage_inside_is_named(tmp_path: Path, damage: str) -> None:
    path = made_results.write(tmp_path / "x.pyprof", ("none", "keep"), lambda p, b, _: made_results.trial(p, b))
    with sqlite3.connect(path) as raw:
        raw.execute(damage)
    with pytest.raises(ResultsError, match=r"x\.pyprof"):
        Results.open(path)
