"""A full disk costs what comes after it, and nothing that was finished."""

from __future__ import annotations

import re
from pathlib import Path

from helpers import small_disk
from helpers.command import TINY, Run

from pyprof.results import ResultsFile


def test_a_full_disk_for_the_results_keeps_the_finished_trials(run: Run, tmp_path: Path) -> None:
    with small_disk.mounted(tmp_path / "disk", 80) as disk:
        plan = (*TINY, "--rss-samples", "200", "--blocks", "7", "--profiler", "none")
        ended = run("compare", *plan, "-o", str(disk / "x.pyprof"))
        assert ended.code == 4
        assert ended.err.count("\n") == 1
        assert "x.pyprof cannot be written: the disk is full" in ended.err
        kept = re.search(r"([0-9]) of 7 trials are kept", ended.out)
        assert kept is not None
        with ResultsFile.open_existing(disk / "x.pyprof") as results:
            assert len(results.trials()) == int(kept[1]) >= 1


def test_a_disk_that_is_full_from_the_beginning(run: Run, tmp_path: Path) -> None:
    with small_disk.mounted(tmp_path / "disk", 4) as disk:
        (disk / "filler").write_bytes(b"x" * 4096)
        ended = run("compare", *TINY, "--profiler", "none", "-o", str(disk / "x.pyprof"))
        assert ended.code == 4
        assert ended.err.count("\n") == 1
        assert "the disk is full" in ended.err
        assert [path.name for path in disk.iterdir()] == ["filler"]


def test_a_full_disk_for_an_export(run: Run, tmp_path: Path) -> None:
    with small_disk.mounted(tmp_path / "disk", 4) as disk:
        (disk / "filler").write_bytes(b"x" * 4096)
        ended = run("compare", *TINY, "--profiler", "none", "-o", "x.pyprof", "--export", str(disk / "x.md"))
        assert ended.code == 4
        assert "x.md cannot be written (No space left on device); the results are safe in x.pyprof" in ended.err
