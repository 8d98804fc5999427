"""What the command line says of itself, against what it does."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import made_results

from pyprof.cli import main
from pyprof.experiment import Experiment
from pyprof.units import parse_duration

Help = Callable[..., str]

COMMANDS = ("cache", "compare", "node", "profiles", "report")
OPTIONS = (
    "--node", "--profiler", "--baseline", "--workload", "--app", "--busy-function", "--margin", "--inconclusive-exit",
    "--quick", "--blocks", "--duration", "--warmup", "--startup-timeout", "--rss-samples", "--profile-duration",
    "--profile-gap", "--interval", "--connections", "--rate", "--concurrent", "--seed", "--keep-profiles", "--output",
    "--export", "--json", "--resume", "--add-blocks", "--until-settled", "--budget", "--dry-run", "--offline",
)  # fmt: skip


@pytest.fixture
def helped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Help:
    monkeypatch.setenv("COLUMNS", "500")
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*command: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main([*command, "--help"])
        assert ended.value.code == 0
        return capsys.readouterr().out

    return call


def test_the_commands(helped: Help) -> None:
    listed = re.findall(r"^    (\w+) ", helped(), re.MULTILINE)
    assert tuple(listed) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_examples_that_parse_and_its_exit_codes(helped: Help, command: str) -> None:
    text = helped(command)
    assert "exit codes: 0 " in text
    examples = re.findall(rf"^  (pyprof {command}(?: [^ |\n]+)*)", text, re.MULTILINE)
    assert len(examples) >= 3
    for example in examples:
        known = set(re.findall(r"(?<!\S)--?[a-z][-a-z]*", " ".join(helped(*words(example)).split())))
        assert set(re.findall(r"(?<!\S)--?[a-z][-a-z]*", example)) <= known, example


def words(example: str) -> list[str]:
    """The subcommand and its action, without arguments."""
    command, *rest = example.split()[1:]
    return [command, *rest[:1]] if command in ("cache", "node") else [command]


def test_every_option_of_compare_is_there(helped: Help) -> None:
    found = re.findall(r"^  (?:-\w [A-Z.a-z]+, )?(--[a-z-]+)", helped("compare"), re.MULTILINE)
    assert not set(OPTIONS) - set(found)


def test_the_defaults_that_are_told_are_those_that_are_taken(helped: Help) -> None:
    text = helped("compare")
    told = dict(re.findall(r"(--[a-z-]+) [^ ]+ +[^\n]*\(default: ([0-9]+[a-z]*)\)", text))
    fields = {f"--{f.name.replace('_', '-')}": f.default for f in dataclasses.fields(Experiment)}
    taken = {name: fields[name] for name in told if name in fields}
    assert len(taken) >= 8
    assert {name: parse_duration(told[name]) for name in taken} == taken


def plain(**settings: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return kept | {"TERM": "xterm-256color"} | settings


def test_without_a_terminal_there_are_no_escapes(tmp_path: Path) -> None:
    path = made_results.write(tmp_path / "x.pyprof", ("none", "keep"), lambda p, b, _: made_results.trial(p, b))
    command = [sys.executable, "-m", "pyprof", "report", str(path)]
    done = subprocess.run(command, env=plain(), capture_output=True, check=True)
    assert b"average RSS" in done.stdout
    assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(("settings", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_terminals_that_want_them(settings: dict[str, str], coloured: bool) -> None:
    command = [sys.executable, "-m", "pyprof", "compare", "--dry-run", "--profiler", "none"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, env=plain(**settings), stdout=theirs) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while data := os.read(ours, 1 << 16):
                shown += data
    os.close(ours)
    assert process.returncode == 0
    assert b"getting ready" in shown
    assert bool(re.search(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|9[0-7])[0-9;]*m", shown)) == coloured
