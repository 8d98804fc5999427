"""Servers of the user's own, as they come: with other ports, with children, with a cluster."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
import uuid
from pathlib import Path

import psutil
import pytest
from helpers.command import TINY, Run, nodes_running

from pyprof.results import ResultsFile

HTTP = "const http = require('http')\n"
ANSWER = "(q, a) => { for (let i = 0; i < 1e5; i++); a.end() }"
SERVER = f"http.createServer({ANSWER}).listen(process.env.PORT)\n"
ARGUMENTS = ("--app", "app.js", "--profiler", "none", "--startup-timeout", "3s", "-o", "x.pyprof")


@pytest.mark.parametrize("order", ["before", "after"])
def test_a_server_beside_the_apps_own_is_let_be(run: Run, tmp_path: Path, order: str) -> None:
    # what listens elsewhere would fail the trial if it were asked
    metrics = "http.createServer((q, a) => { a.statusCode = 500; a.end() }).listen(0, '127.0.0.1', () => { %s })\n"
    script = metrics % SERVER if order == "before" else SERVER + metrics % ""
    (tmp_path / "app.js").write_text(HTTP + script, encoding="utf-8")
    ended = run("compare", *TINY, *ARGUMENTS)
    assert ended.code == 0, ended.err


def test_an_app_that_takes_another_port_is_told_which(run: Run, tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(
        f"{HTTP}const server = http.createServer({ANSWER}).listen(0, () => console.log('at', server.address().port))",
        encoding="utf-8",
    )
    ended = run("compare", *TINY, *ARGUMENTS)
    assert ended.code == 4
    port = ended.err.rpartition(" at ")[2].split()[0]
    line = next(line for line in ended.err.splitlines() if "process.env.PORT" in line)
    assert f"the app listens on port {port}, but not on process.env.PORT within 3 s (--startup-timeout)" in line
    assert line.endswith("let it take its port from there")


def test_a_cluster_is_refused_at_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(
        f"{HTTP}const cluster = require('cluster')\n"
        f"if (cluster.isMaster) {{ cluster.fork(); cluster.fork() }} else {{ {SERVER} }}",
        encoding="utf-8",
    )
    ended = run("compare", *TINY, *ARGUMENTS)
    assert ended.code == 4
    assert "the app answers from a cluster with 2 workers: pyprof profiles and measures one process" in ended.err


def test_the_work_of_child_processes_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(
        f"{HTTP}const work = 'setInterval(() => {{ for (const t = Date.now(); Date.now() < t + 20; ); }}, 60)'\n"
        f"require('child_process').spawn(process.execPath, ['-e', work])\n{SERVER}",
        encoding="utf-8",
    )
    ended = run("compare", *TINY, *ARGUMENTS)
    assert ended.code == 0, ended.err
    assert "In 1 of 1 trials the app's own child processes worked" in ended.out
    with ResultsFile.open_existing(tmp_path / "x.pyprof") as results:
        assert results.trials()[0].scalars["children_cpu"] > 0.05


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the environment of processes")
@pytest.mark.parametrize("ending", ["", "setTimeout(() => process.exit(3), 300)"])
def test_what_an_app_detaches_ends_with_its_trial(run: Run, tmp_path: Path, ending: str) -> None:
    # a process that nobody else starts, in a session of its own, and a second whose parent ends at once
    name = f"pyprof-test-{uuid.uuid4().hex}"
    (tmp_path / "app.js").write_text(
        f"{HTTP}const {{ spawn }} = require('child_process')\n"
        f"const stay = ['-e', 'setInterval(() => {{}}, 1000)', '{name}']\n"
        "spawn(process.execPath, stay, { detached: true, stdio: 'ignore' }).unref()\n"
        "const start = `require('child_process').spawn(process.execPath, ${JSON.stringify(stay)}, "
        "{ detached: true, stdio: 'ignore' }).unref()`\n"
        f"spawn(process.execPath, ['-e', start])\n{SERVER}{ending}",
        encoding="utf-8",
    )
    run("compare", *TINY, *ARGUMENTS)
    left = [p for p in psutil.process_iter(["cmdline"]) if name in (p.info["cmdline"] or [])]
    assert left == []


def test_a_guard_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(HTTP + SERVER, encoding="utf-8")
    command = [sys.executable, "-m", "pyprof", "compare", *TINY, *ARGUMENTS]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            with contextlib.suppress(psutil.Error):
                for child in psutil.Process(process.pid).children():
                    if child.name() == "sh":
                        child.kill()
            time.sleep(0.05)
    assert process.returncode == 0
    assert nodes_running(tmp_path) == []
