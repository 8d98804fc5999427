"""The agent, inside real Node processes, over its real pipe."""

from __future__ import annotations

import base64
import itertools
import signal
import socket
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.agent import TIMEOUT, Child

# An adapter with known pauses: 30 ms of start, 20 of stop and 7 later, 10 of encode's synchronous part, and a promise.
ADAPTER = """
    const { hrtime } = process
    const block = (ms) => { const end = hrtime.bigint() + BigInt(ms * 1e6); while (hrtime.bigint() < end); }
    module.exports = (directory, options) => {
      let n = 0
      return {
        start() { block(30) },
        stop() { block(20); return `${directory} ${options.intervalMicros} ${n++}` },
        async encode(handle) { block(10); return Buffer.from(handle) },
        released: () => 7 * n,
      }
    }
"""
NONE = "module.exports = () => null"
SERVER = "require('http').createServer((q, a) => a.end('ok')).listen(0, '127.0.0.1')"

Run = Callable[..., Child]


@pytest.fixture
def run(any_node: Path, tmp_path: Path) -> Iterator[Run]:
    children: list[Child] = []

    def start(app: str = SERVER, adapter: str = ADAPTER, name: str = "app.js", **options: Any) -> Child:
        (tmp_path / "adapter.js").write_text(adapter)
        (tmp_path / name).write_text(textwrap.dedent(app))
        children.append(Child(any_node, tmp_path / name, tmp_path / "adapter.js", options))
        return children[-1]

    yield start
    for child in children:
        child.end()


def test_says_what_was_loaded_and_where_the_app_listens(run: Run, any_node: Path) -> None:
    before = time.monotonic()
    loaded, listening = run().until("listening")
    assert loaded["type"] == "loaded"
    assert loaded["version"].startswith("v")
    assert Path(loaded["exec_path"]) == any_node.resolve()
    assert 0 <= loaded["load_ms"] < 1000
    assert before <= loaded["t"] <= listening["t"] <= time.monotonic()
    assert (listening["address"], listening["family"]) == ("127.0.0.1", "IPv4")
    assert listening["port"] > 0
    assert 0 < listening["uptime_ms"] < 20_000


def test_a_unix_socket_has_no_port(run: Run, tmp_path: Path) -> None:
    listening = run(f"require('net').createServer().listen('{tmp_path}/s')").until("listening")[-1]
    assert listening["port"] is None
    assert listening["address"] == f"{tmp_path}/s"


def test_listens_are_reported_up_to_the_one_on_the_wanted_port(run: Run) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    child = run(
        f"""
        const net = require('net')
        const patched = net.Server.prototype.listen
        const servers = []
        const listen = (port, next) => servers.push(net.createServer().listen(port, next))
        listen(0, () => listen(0, () => listen({port}, () => listen(0, () => {{
          console.log(patched !== net.Server.prototype.listen, Object.keys(net.Server.prototype).includes('listen'))
          for (const server of servers) server.close()
        }}))))
        """,
        port=port,
    )
    told = [child.until("listening")[-1] for _ in range(3)]
    assert [message["port"] == port for message in told] == [False, False, True]
    assert {message["workers"] for message in told} == {0}
    assert child.output() == "true true\n"
    assert child.receive() is None


def test_a_cluster_listens_in_its_primary(run: Run) -> None:
    child = run("""
        const cluster = require('cluster')
        if (cluster.isMaster) {
          for (let i = 0; i < 2; i++) cluster.fork()
        } else {
          require('http').createServer().listen(0)
        }
    """)
    assert child.until("listening")[-1]["workers"] == 2


def test_pauses_are_those_of_the_calls(run: Run) -> None:
    child = run(gap_ms=0)
    child.until("listening")
    child.send("start")
    profiles = [child.until("profile")[-1] for _ in range(4)]
    for index, profile in enumerate(profiles):
        assert profile["index"] == index
        assert base64.b64decode(profile["data"]) == f"DIR 1000 {index}".encode()
        assert profile["bytes"] == len(f"DIR 1000 {index}")
        assert profile["start_pause_ms"] >= 30
        assert profile["stop_pause_ms"] >= 27
        assert profile["encode_pause_ms"] >= 10
        assert profile["profiled_ms"] >= 49
        assert 0 < profile["heap_used"] < profile["rss"]
        assert profile["external"] > 0
    # The quickest of four: another process may have had the CPU during the rest.
    assert min(profile["start_pause_ms"] for profile in profiles) < 45
    assert min(profile["stop_pause_ms"] for profile in profiles) < 42
    assert min(profile["encode_pause_ms"] for profile in profiles) < 25
    assert min(profile["profiled_ms"] for profile in profiles) < 70


def test_profiles_that_start_after_measure_are_marked_and_stop_ends_after_the_running_one(run: Run) -> None:
    child = run(duration_ms=200)
    child.until("listening")
    child.send("start")
    child.until("profile")
    time.sleep(0.1)
    child.send("measure")
    marks = [child.until("profile")[-1]["measured"] for _ in range(2)]
    assert marks == [False, True]
    time.sleep(0.1)
    child.send("stop")
    last, stopped = child.until("stopped")
    assert last["type"] == "profile"
    assert last["profiled_ms"] >= 199
    assert last["t"] <= stopped["t"]
    child.pipe.settimeout(0.4)
    with pytest.raises(TimeoutError):
        child.receive()


def test_gap_between_profiles(run: Run) -> None:
    child = run(duration_ms=20, gap_ms=100, adapter=NONE)
    child.until("listening")
    child.send("start")
    times = [child.until("tick")[-1]["t"] for _ in range(4)]
    assert min(b - a for a, b in itertools.pairwise(times)) >= 0.118


def test_an_idle_profiler_is_loaded_and_never_started(run: Run) -> None:
    adapter = "module.exports = () => ({ start() { throw new Error('started') }, stop() {}, encode() {} })"
    child = run(adapter=adapter, idle=True)
    child.until("listening")
    child.send("start", "measure")
    ticks = child.until("tick") + child.until("tick") + child.until("tick")
    assert [tick["index"] for tick in ticks] == [0, 1, 2]
    assert ticks[-1]["measured"] is True
    assert "data" not in ticks[-1]
    assert ticks[-1]["rss"] > 1e6


def test_loop_delay_shows_how_long_the_app_blocks(run: Run) -> None:
    child = run(
        SERVER + "\nsetInterval(() => { const t = Date.now(); while (Date.now() - t < 150); }, 400)", adapter=NONE
    )
    child.until("listening")
    child.send("start")
    child.until("tick")
    child.send("measure")
    time.sleep(1.5)
    child.send("stop")
    delay = child.until("stopped")[-1]["loop_delay"]
    assert 100 < delay["max_ms"] < 1000
    assert 0 <= delay["p50_ms"] <= delay["p99_ms"] <= delay["max_ms"]
    assert delay["mean_ms"] > 0


def test_stop_without_start(run: Run) -> None:
    child = run()
    child.until("listening")
    child.send("stop")
    assert child.until("stopped")[-1]["loop_delay"] is None


def test_an_app_that_replaces_globals_changes_nothing(run: Run) -> None:
    child = run("""
        const timers = require('timers')
        const broken = () => { throw new Error('the app\\'s own') }
        require('http').createServer().listen(0, () => {
          for (const name of ['setTimeout', 'setImmediate', 'Promise']) global[name] = timers[name] = broken
          JSON.parse = JSON.stringify = process.hrtime = process.memoryUsage = process.uptime = Date.now = broken
        })
    """)
    child.until("listening")
    child.send("start")
    assert [child.until("profile")[-1]["index"] for _ in range(3)] == [0, 1, 2]
    child.send("stop")
    child.until("stopped")


def test_the_app_sees_no_configuration_and_no_process_send(run: Run) -> None:
    child = run("console.log(typeof process.send, 'PYPROF_AGENT' in process.env, require.main === module)")
    assert child.output() == "undefined false true\n"


def test_workers_and_child_processes_are_left_alone(run: Run) -> None:
    child = run("""
        const fs = require('fs')
        const { fork } = require('child_process')
        const { Worker, isMainThread } = require('worker_threads')
        if (isMainThread && process.argv[2] !== 'child') {
          const pipe = fs.readlinkSync('/proc/self/fd/' + fs.readdirSync('/proc/self/fd').find((fd) => {
            try { return fs.readlinkSync('/proc/self/fd/' + fd).startsWith('socket:') } catch (_) { return false }
          }))
          new Worker(__filename)
          fork(__filename, ['child', pipe]).on('message', (text) => console.log(text))
        } else if (process.argv[2] === 'child') {
          const open = fs.readdirSync('/proc/self/fd').map((fd) => {
            try { return fs.readlinkSync('/proc/self/fd/' + fd) } catch (_) { return '' }
          })
          require('net').createServer().listen(0, function () { this.close() })
          process.send(`env ${'PYPROF_AGENT' in process.env} pipe ${open.includes(process.argv[3])}`)
        } else {
          require('net').createServer().listen(0, function () { this.close() })
        }
    """)
    assert child.output() == "env false pipe false\n"
    loaded = child.receive()
    assert loaded is not None
    assert loaded["type"] == "loaded"
    assert child.receive() is None


def test_the_loop_does_not_keep_an_app_alive(run: Run) -> None:
    # its own end is counted in profiles, not in time: a busy machine takes fewer in a second
    child = run(
        "const timer = setInterval(() => { if (global.stops >= 3) { clearInterval(timer); console.log('done') } }, 10)",
        adapter="""
            global.stops = 0
            module.exports = () => ({ start() {}, stop() { global.stops++ }, encode: () => Buffer.alloc(1) })
        """,
    )
    child.until("loaded")
    child.send("start")
    assert child.output() == "done\n"
    kinds = []
    while message := child.receive():
        kinds.append(message["type"])
    assert len(kinds) >= 2
    assert set(kinds) == {"profile"}


def test_ecmascript_modules(run: Run) -> None:
    child = run("import http from 'http'\nhttp.createServer().listen(0)", name="app.mjs")
    child.until("listening")
    child.send("start")
    child.until("profile")


def test_a_parent_that_is_gone_leaves_no_orphan(run: Run) -> None:
    child = run("process.on('SIGTERM', () => {}).on('SIGINT', () => {}).on('exit', () => { for (;;); });" + SERVER)
    child.until("listening")
    child.send("start")
    child.until("profile")
    child.pipe.close()
    assert child.process.wait(timeout=TIMEOUT) == -signal.SIGKILL


def test_a_parent_that_does_not_read_holds_the_loop(run: Run) -> None:
    large = """
        let n = 0
        module.exports = () => ({ start() {}, stop() { n++ }, encode: () => Buffer.alloc(1 << 20) })
    """
    child = run(adapter=large, duration_ms=10)
    child.until("listening")
    child.send("start")
    time.sleep(2.0)
    first = [child.until("profile")[-1] for _ in range(4)]
    assert [profile["index"] for profile in first] == [0, 1, 2, 3]
    # The one that waited in the pipe was made at once, the next only after it was read.
    assert first[2]["t"] - first[0]["t"] > 1.5
    assert {profile["bytes"] for profile in first} == {1 << 20}


@pytest.mark.parametrize("where", ["start", "stop", "encode"])
def test_a_profiler_that_throws_ends_the_loop_and_not_the_app(run: Run, where: str) -> None:
    calls = {"start": "", "stop": "", "encode": "return Buffer.alloc(1)"}
    calls[where] = "throw new RangeError('no such luck')"
    body = ", ".join(f"{name}() {{ {code} }}" for name, code in calls.items())
    child = run(adapter=f"module.exports = () => ({{ {body} }})")
    child.until("listening")
    child.send("start")
    error = child.until("error")[-1]
    assert (error["where"], error["message"]) == (where, "no such luck")
    assert "adapter.js" in error["stack"]
    child.send("stop")
    assert [message["type"] for message in child.until("stopped")] == ["stopped"]
    assert child.process.poll() is None


def test_a_rejected_encode_is_an_error_too(run: Run) -> None:
    child = run(
        adapter="module.exports = () => ({ start() {}, stop() {}, encode: () => Promise.reject(Error('late')) })"
    )
    child.until("listening")
    child.send("start")
    error = child.until("error")[-1]
    assert (error["where"], error["message"]) == ("encode", "late")


def test_a_profiler_that_cannot_be_loaded(run: Run) -> None:
    child = run(adapter="require('./missing.js')")
    error = child.until("error")[-1]
    assert error["where"] == "load"
    assert "Cannot find module './missing.js'" in error["message"]
    child.send("start", "stop")
    assert child.process.poll() is None
