"""Other people's profilers, and one's own copy of them, in `pyprof compare`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.command import TINY, Run

import pyprof
from pyprof.results import ResultsFile

ADAPTER = """
const { Session } = require('inspector')
module.exports = (directory, options) => {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  return {
    start: () => session.post('Profiler.start'),
    stop() { let got; session.post('Profiler.stop', (error, { profile }) => { got = profile }); return got },
    encode: (profile) => Buffer.from(JSON.stringify(profile)),
  }
}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A package in a folder, that has its adapter in it."""
    folder = tmp_path / "my-checkout"
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"name": "mine", "version": "0.0.1", "main": "index.js"}))
    (folder / "index.js").write_text("")
    (folder / "pyprof-adapter.js").write_text(ADAPTER)
    return folder


def test_a_release_against_a_checkout(run: Run, checkout: Path, tmp_path: Path) -> None:
    names = ["pprof@5.0.0", "./my-checkout", "inspector"]
    arguments = [argument for name in names for argument in ("--profiler", name)]
    ended = run("compare", *TINY, "--node", "24", *arguments, "--keep-profiles", "all", "-o", "x.pyprof", "--json")
    assert ended.code == 0, ended.err
    variants = json.loads(ended.out)["variants"]
    assert [variant["name"] for variant in variants] == names
    assert all(variant["metrics"]["stop_pause"]["n"] == 1 for variant in variants)
    with ResultsFile.open_existing(tmp_path / "x.pyprof") as results:
        for trial in results.trials(profiles=True):
            assert len(trial.profiles) == trial.scalars["profiles"] >= 1
            assert "fibonacci" in {row.name for row in pyprof.Profile.read(trial.profiles[0]).top()}
    (checkout / "index.js").write_text("// a change")
    ended = run("compare", "--add-blocks", "1", "x.pyprof")
    assert ended.code == 2
    assert "x.pyprof was made with another state of ./my-checkout" in ended.err


def test_in_a_file_and_from_python(run: Run, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.toml").write_text('profilers = ["none", "./my-checkout", "./my-checkout:idle"]\nblocks = 1\n')
    ended = run("compare", "mine.toml", "--dry-run")
    assert ended.code == 0, ended.err
    assert "3 trials" in ended.out
    assert "./my-checkout:idle" in ended.out
    monkeypatch.chdir(checkout)
    made = pyprof.compare(profilers=["./pyprof-adapter.js"], blocks=1, duration=1, warmup=0.2)
    assert made["./pyprof-adapter.js"].metrics["start_pause"].n == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--node", "12.19.0", "--profiler", "@datadog/pprof@5.20.0"), 4,
         "@datadog/pprof@5.20.0 for Node 12.19.0 cannot be loaded"),
        (("--profiler", "./my-chekout"), 2, "did you mean 'my-checkout'"),
        (("--profiler", "./my-checkout", "--profiler", "my-checkout"), 2, "unknown profiler 'my-checkout'"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("checkout")
def test_what_cannot_be_compared_is_said_before_the_run(
    run: Run, arguments: tuple[str, ...], code: int, message: str
) -> None:
    ended = run("compare", *TINY, *arguments, "-o", "x.pyprof")
    assert ended.code == code
    assert message in ended.err
    assert "block" not in ended.out
