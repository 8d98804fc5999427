"""What goes wrong gets one clear line, its exit code, and loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.command import TINY, Run, nodes_running

from pyprof.results import ResultsFile

SERVER = "require('http').createServer((q, a) => { %s }).listen(process.env.PORT)\n"
BUSY = "for (let i = 0; i < 1e5; i++); a.end()"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("throw new Error('it broke')", "the app exited with status 1 before it listened"),
        ("process.exit(7)", "the app exited with status 7 before it listened"),
        ("process.kill(process.pid, 'SIGKILL')", "the app was killed by signal 9 before it listened"),
        ("setInterval(() => {}, 1000)", r"the app did not listen on process.env.PORT within 2 s (--startup-timeout)"),
        ("while (true);", "the app did not listen on process.env.PORT within 2 s"),
        ("require('http').createServer().listen('/tmp/pyprof-test-' + process.pid)", "listens on the Unix socket /tmp"),
        (SERVER % "a.statusCode = 500; a.end()", "failed to answer with 2xx"),
        (SERVER % "a.destroy()", "failed"),
        (SERVER % ("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);" + BUSY), "killed by signal 9 within"),
        (SERVER % ("setTimeout(() => process.exit(3), 300);" + BUSY), "exited with status 3 within the trial"),
    ],
)  # fmt: skip
def test_an_app_that_fails(run: Run, tmp_path: Path, script: str, message: str) -> None:
    (tmp_path / "app.js").write_text(script, encoding="utf-8")
    ended = run("compare", *TINY, "--app", "app.js", "--profiler", "none", "--startup-timeout", "2s", "-o", "x.pyprof")
    assert ended.code == 4
    assert message in ended.err
    assert "none: the discarded trial failed" in ended.err
    assert "its log is x.logs/block-0-none.log" in ended.err
    assert (tmp_path / "x.logs/block-0-none.log").is_file()


def test_the_tail_of_a_failed_apps_log_is_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text("throw new Error('it broke')", encoding="utf-8")
    ended = run("compare", *TINY, "--app", "app.js", "--profiler", "none", "-o", "x.pyprof")
    assert "Error: it broke" in ended.err


def test_profiles_without_the_busy_function_fail_the_trial(run: Run, tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(SERVER % BUSY, encoding="utf-8")
    ended = run(
        "compare", *TINY, "--app", "app.js", "--busy-function", "fibonacci", "--profiler", "recreate", "-o", "x.pyprof"
    )
    assert ended.code == 4
    assert "recreate, block 1: void, tried again: profile 1 of " in ended.out
    assert "Failed: recreate, block 1: profile 1 of " in ended.out
    assert "does not have the workload's busy function 'fibonacci'" in ended.out


def test_a_trial_that_dies_later_is_reported_and_the_others_are_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(
        "const fs = require('fs')\n"
        "fs.appendFileSync('runs', 'x')\n"
        "const last = fs.readFileSync('runs', 'utf8').length === 3\n" + SERVER % ("if (last) process.exit(9);" + BUSY),
        encoding="utf-8",
    )
    ended = run("compare", *TINY, "--blocks", "3", "--app", "app.js", "--profiler", "none", "-o", "x.pyprof")
    assert ended.code == 4
    assert "Failed: none, block 2: the app exited with status 9" in ended.out
    with ResultsFile.open_existing(tmp_path / "x.pyprof") as results:
        assert [trial.ok for trial in results.trials()] == [True, False, True]
    assert run("report", "x.pyprof").code == 4


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("compare", "--blocks", "0"), 2, "--blocks 0: must be 1 or more"),
        (("compare", "--profiler", "recraete"), 2, "did you mean 'recreate'"),
        (("compare", "--app", "missing.js"), 2, "--app missing.js: there is no such file"),
        (("compare", "--node", "12.19.99"), 2, "12.19.99"),
        (("compare", "--node", "./no/node"), 2, "no/node"),
        (("compare", "-o", "/proc/x.pyprof"), 2, "cannot be written"),
        (("compare", "--export", "x.doc"), 2, "--export x.doc"),
        (("compare", "--workload", "expres"), 2, "did you mean 'express'"),
        (("compare", "--resume", "x.pyprof", "--blocks", "3"), 2, "--resume takes the whole plan"),
        (("report", "missing.pyprof"), 2, "no such results file"),
        (("report", "."), 2, "not a results file"),
        (("compare", "nonsense"), 2, "neither a preset nor a TOML file"),
        (("frobnicate",), 2, "invalid choice"),
    ],
)
def test_usage_errors(run: Run, arguments: tuple[str, ...], code: int, message: str) -> None:
    ended = run(*arguments)
    assert ended.code == code
    assert message in ended.err
    assert ended.err.count("pyprof: ") <= 2


def test_an_unreachable_npm_is_named(run: Run, tmp_path: Path) -> None:
    env = {
        "PYPROF_CACHE": str(tmp_path / "cache"),
        "npm_config_registry": "http://127.0.0.1:9/",
        "npm_config_fetch_retries": "0",
    }
    ended = run("compare", *TINY, "--node", "12.19.0", env=env)
    assert ended.code == 4
    assert "npm" in ended.err
    assert "registry" in ended.err
    assert not (tmp_path / "results").exists() or list((tmp_path / "results").iterdir()) == []


def test_offline_without_a_cache_says_what_would_help(run: Run, tmp_path: Path) -> None:
    ended = run("compare", *TINY, "--offline", env={"PYPROF_CACHE": str(tmp_path / "cache")})
    assert ended.code == 4
    assert "pyprof node install" in ended.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_its_trials_and_can_be_resumed(run: Run, tmp_path: Path, number: int) -> None:
    command = [
        sys.executable,
        "-m",
        "pyprof",
        "compare",
        *TINY,
        "--blocks",
        "4",
        "--profiler",
        "none",
        "-o",
        "x.pyprof",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("[1/4]"):
                break
        time.sleep(0.7)  # within the second trial
        os.kill(process.pid, number)
        rest = process.stdout.read()
    assert process.returncode == 130
    assert "1 of 4 trials are kept in x.pyprof" in rest
    assert nodes_running(tmp_path) == []
    resumed = run("compare", "--resume", "x.pyprof")
    assert resumed.code == 0, resumed.err
    assert "[4/4] block 4 of 4" in resumed.out
    assert "[1/4]" not in resumed.out


def test_a_killed_pyprof_leaves_no_orphan_and_a_file_that_can_be_resumed(run: Run, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pyprof",
        "compare",
        *TINY,
        "--blocks",
        "2",
        "--profiler",
        "none",
        "-o",
        "x.pyprof",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if line.startswith("[1/2]"))
        time.sleep(0.7)
        process.kill()
    for _ in range(50):
        if not nodes_running(tmp_path):
            break
        time.sleep(0.1)
    assert nodes_running(tmp_path) == []
    assert run("compare", "--resume", "x.pyprof").code == 0


def test_the_end_of_a_pipe_is_no_traceback(run: Run, tmp_path: Path) -> None:
    assert run("compare", *TINY, "--profiler", "none", "-o", "x.pyprof").code == 0
    done = subprocess.run(
        f"{sys.executable} -m pyprof report x.pyprof | head -1",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr


def test_an_export_never_overwrites_results(run: Run, tmp_path: Path) -> None:
    assert run("compare", *TINY, "--profiler", "none", "-o", "x.pyprof").code == 0
    before = (tmp_path / "x.pyprof").read_bytes()
    (tmp_path / "link.md").symlink_to("x.pyprof")
    for ended in (
        run("report", "x.pyprof", "--export", "link.md"),
        run("compare", *TINY, "-o", "same.md", "--export", "same.md"),
    ):
        assert ended.code == 2
        assert "results file" in ended.err
    assert (tmp_path / "x.pyprof").read_bytes() == before


def test_a_rate_that_cannot_be_kept_is_no_equal_work(run: Run) -> None:
    ended = run("compare", *TINY, "--profiler", "none", "--rate", "100000", "-o", "x.pyprof")
    assert ended.code == 4
    assert "variants would not do equal work; lower --rate" in ended.err


def test_the_end_of_a_pipe_is_no_regression(run: Run, tmp_path: Path) -> None:
    assert run("compare", *TINY, "--profiler", "none", "-o", "x.pyprof").code == 0
    command = f"set -o pipefail; {sys.executable} -m pyprof report x.pyprof | true"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode in (0, 4)
    assert b"Traceback" not in done.stderr


def test_output_that_cannot_show_every_character(run: Run) -> None:
    assert run("compare", *TINY, "--profiler", "none", "-o", "x.pyprof").code == 0
    ended = run("report", "x.pyprof", env={"PYTHONIOENCODING": "ascii"})
    assert ended.code == 0
