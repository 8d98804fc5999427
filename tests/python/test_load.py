"""The load generator, against real servers."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import javascript_coverage

pytestmark = pytest.mark.alone

LOAD = Path(__file__).resolve().parents[2] / "pyprof" / "agent" / "load.js"
TIMEOUT = 30.0

Message = dict[str, Any]
Serve = Callable[[str], str]


@pytest.fixture
def serve(tool_node: Path, tmp_path: Path) -> Iterator[Serve]:
    """Starts an HTTP server whose request handler has this body (`q`: request, `a`: answer, `n`: counts up)."""
    servers: list[subprocess.Popen[str]] = []

    def start(body: str) -> str:
        app = f"""
            let n = 0
            const handle = (q, a) => {{ n++; {body} }}
            const server = require('http').createServer(handle)
            server.listen(0, '127.0.0.1', () => console.log(server.address().port))
        """
        (tmp_path / "app.js").write_text(app)
        servers.append(subprocess.Popen([tool_node, tmp_path / "app.js"], stdout=subprocess.PIPE, text=True))
        assert servers[-1].stdout is not None
        return f"http://127.0.0.1:{int(servers[-1].stdout.readline())}/"

    yield start
    for server in servers:
        with server:
            server.kill()


class Load:
    def __init__(self, node: Path, modules: Path, url: str, options: Message) -> None:
        config = {"url": url, "connections": 4, "rate": None, "warmup_s": 0.3, "duration_s": 1.0,
                  "modules": str(modules)} | options  # fmt: skip
        self.process = subprocess.Popen(
            [node, LOAD, json.dumps(config)],
            env={**os.environ, **javascript_coverage.environment()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def messages(self) -> list[Message]:
        """All that it said, after it ended by itself, with its standard input still open."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        lines = self.process.stdout.readlines()
        self.process.wait(timeout=TIMEOUT)
        assert self.process.stderr.read() == ""
        return [json.loads(line) for line in lines]


@pytest.fixture
def load(tool_node: Path, tool_modules: Path) -> Iterator[Callable[..., Load]]:
    running: list[Load] = []

    def start(url: str, **options: Any) -> Load:
        running.append(Load(tool_node, tool_modules, url, options))
        return running[-1]

    yield start
    for one in running:
        with one.process:
            one.process.kill()


def test_full_speed(serve: Serve, load: Callable[..., Load]) -> None:
    before = time.monotonic()
    warming, measuring, result = load(serve("a.end('ok')"), duration_s=2.0).messages()
    assert [warming["type"], measuring["type"], result["type"]] == ["warming", "measuring", "result"]
    assert before < warming["t"] < measuring["t"] < result["t"] < time.monotonic()
    assert measuring["t"] - warming["t"] == pytest.approx(0.3, abs=0.1)
    assert result["elapsed_s"] == pytest.approx(result["t"] - measuring["t"], abs=0.05)
    assert result["elapsed_s"] == pytest.approx(2.0, abs=0.2)
    assert result["ok"] == result["requests"] > 200
    assert result["qps"] == pytest.approx(result["ok"] / result["elapsed_s"])
    assert len(result["per_second"]) == 2
    assert 0.8 * result["ok"] < sum(result["per_second"]) <= result["ok"]
    assert (result["non2xx"], result["errors"], result["timeouts"]) == (0, 0, 0)
    latency = result["latency_ms"]
    assert 0.01 < latency["p50"] <= latency["p99"] <= latency["max"] < 1000
    assert 0.01 < latency["mean"] < latency["max"]
    assert 0.01 < result["cpu_s"] <= result["elapsed_s"] * 2


def test_a_fixed_rate_is_evenly_spaced(serve: Serve, load: Callable[..., Load], tool_node: Path) -> None:
    url = serve("""
        this.gaps = this.gaps || []
        if (q.url === '/gaps') { a.end(JSON.stringify(this.gaps)); this.gaps = []; this.last = undefined; return }
        const t = performance.now()
        if (this.last) this.gaps.push(t - this.last)
        this.last = t
        a.end('ok')
    """)
    fetch = f"fetch('{url}gaps').then((r) => r.text()).then(console.log)"
    # The best of three, since other processes on the machine delay both sides. A burst of 100 and a pause would have
    # nearly all gaps at 0 and the longest near 1 s, each time.
    for _ in range(3):
        result = load(url, rate=100, duration_s=2.0).messages()[-1]
        gaps = sorted(json.loads(subprocess.run([tool_node, "-e", fetch], capture_output=True, check=True).stdout))
        median, most = gaps[len(gaps) // 2], gaps[len(gaps) * 9 // 10]
        if abs(result["ok"] - 200) <= 6 and most < 20:
            break
    assert result["ok"] == pytest.approx(200, abs=6)
    assert result["qps"] == pytest.approx(100, rel=0.05)
    assert median == pytest.approx(10, abs=2)
    assert most < 20


def test_a_fixed_rate_makes_up_for_a_stall_and_counts_the_wait(serve: Serve, load: Callable[..., Load]) -> None:
    # Up to three times: a stall of the load generator itself, as the window begins, adds what fell due before.
    for _ in range(3):
        url = serve("if (n === 50) { const t = Date.now(); while (Date.now() - t < 600); } a.end('ok')")
        result = load(url, rate=100, warmup_s=0.1, duration_s=2.0).messages()[-1]
        if abs(result["ok"] - 200) <= 8:
            break
    assert result["ok"] == pytest.approx(200, abs=8)
    # 60 requests fell due during the stall, 4 connections were open: a closed loop would see 4 slow answers of 200.
    assert result["latency_ms"]["max"] > 550
    assert result["latency_ms"]["mean"] > 60


def test_more_connections_than_requests_per_second(serve: Serve, load: Callable[..., Load]) -> None:
    result = load(serve("a.end('ok')"), rate=3, connections=50, duration_s=2.0).messages()[-1]
    assert 5 <= result["ok"] <= 8


def test_other_answers_are_counted_also_during_the_warm_up(serve: Serve, load: Callable[..., Load]) -> None:
    warm = load(serve("a.statusCode = n <= 3 ? 503 : 200; a.end()")).messages()[-1]
    assert warm["non2xx"] == 3
    assert warm["ok"] == warm["requests"]
    redirected = load(serve("a.statusCode = 302; a.end()")).messages()[-1]
    assert redirected["ok"] == 0
    assert redirected["qps"] == 0
    assert redirected["non2xx"] >= redirected["requests"] > 0


def test_broken_connections_are_errors(serve: Serve, load: Callable[..., Load]) -> None:
    result = load(serve("if (n % 50 === 0) q.socket.resetAndDestroy(); else a.end('ok')")).messages()[-1]
    assert result["errors"] > 0
    assert result["timeouts"] == 0
    assert result["ok"] > 0


def test_a_server_that_cannot_be_reached(load: Callable[..., Load]) -> None:
    failed = load("http://127.0.0.1:1/", warmup_s=60)
    error = failed.messages()[-1]
    assert error == {
        "type": "error",
        "message": "http://127.0.0.1:1/ does not answer: connect ECONNREFUSED 127.0.0.1:1",
    }
    assert failed.process.returncode == 1


def test_a_missing_load_generator_is_one_clear_line(tool_node: Path, tmp_path: Path) -> None:
    failed = Load(tool_node, tmp_path, "http://127.0.0.1:1/", {})
    with failed.process:
        assert "Cannot find module" in failed.messages()[-1]["message"]
    assert failed.process.returncode == 1


def test_ends_when_its_parent_does(serve: Serve, load: Callable[..., Load]) -> None:
    running = load(serve("a.end('ok')"), duration_s=600)
    assert running.process.stdout is not None
    assert json.loads(running.process.stdout.readline())["type"] == "warming"
    assert running.process.stdin is not None
    running.process.stdin.close()
    assert running.process.wait(timeout=TIMEOUT) == 0
