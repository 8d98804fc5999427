"""One trial: a fresh Node process of one variant under load, measured from outside.

What a trial records, beside its profiles:

    scalars  answers, qps, cpu (s), children_cpu (s: of processes that the app itself started), load_cpu_share,
             paced (0/1), startup (ms), latency_p50/p99 (ms), vm_hwm and uss (bytes), loop_delay_p99 (ms), window (s),
             steal_share, rss_samples, profiles, turns_per_second (of the profile loop)
    series   rss_time (s from the window's start), rss (bytes), turn_time (s), turn_rss, heap_used, heap_total,
             external (bytes) per turn of the profile loop;
             start_pause, stop_pause, encode_pause, profiled (ms), profile_bytes per profile; answers_per_second
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import socket
import subprocess
import time
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from pyprof.cpuprofile import as_pprof
from pyprof.errors import TrialError, VoidedError
from pyprof.experiment import MIN_SAMPLES_SHARE, Experiment
from pyprof.running import checks, sampler
from pyprof.running.channel import ChannelClosed, Message, describe_error
from pyprof.running.children import Child, affinity, split_cpus, start_app, start_load, tail
from pyprof.trials import Trial
from pyprof.units import counted

#: Seconds beyond its planned time after which a child that says nothing counts as hung.
PATIENCE = 30.0
#: A paced load must be answered nearly in full, or the variants did not do equal work; told from this many requests on.
MIN_RATE_SHARE, MIN_REQUESTS = 0.9, 20


@dataclass(frozen=True)
class TrialSpec:
    """All that a trial needs, in plain values, so that any executor can run it."""

    variant: str
    block: int
    position: int
    experiment: Experiment
    warmup: float
    duration: float
    node: str
    script: str
    adapter: str
    package: str | None
    idle: bool
    collects: bool
    tool_node: str
    modules: str
    environment: Mapping[str, str]
    log: Path


class Cancelled(BaseException):
    """The run is being ended; raised inside a trial."""


def run_trial(spec: TrialSpec, cancelled: Callable[[], bool] = lambda: False) -> Trial:
    """Run one trial. A trial that gives no valid measurement is returned with its `error`; nothing is left running."""
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    trial = Trial(spec.variant, spec.block, spec.position, started)
    try:
        _Run(spec, trial, cancelled).run()
    except TrialError as error:
        trial.error = _with_log(str(error), spec.log)
        trial.scalars["voided"] = float(isinstance(error, VoidedError))
    else:
        spec.log.unlink(missing_ok=True)
    return trial


class _Run:
    def __init__(self, spec: TrialSpec, trial: Trial, cancelled: Callable[[], bool]) -> None:
        self.spec = spec
        self.trial = trial
        self.cancelled = cancelled
        self.seen: list[Message] = []  # what the agent said
        self.elsewhere: list[str] = []  # what the app listened on, beside its port

    def run(self) -> None:
        spec = self.spec
        app_cpus, other_cpus = ([], []) if spec.experiment.concurrent else split_cpus()
        spec.log.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as stack:
            log = stack.enter_context(spec.log.open("wb"))
            stack.enter_context(affinity(other_cpus))
            port = _free_port()
            spawned = time.monotonic()
            app = start_app(
                [spec.node, spec.script],
                {"port": port, "adapter": spec.adapter, "package": spec.package, "idle": spec.idle,
                 "duration_ms": spec.experiment.profile_duration * 1000,
                 "gap_ms": spec.experiment.profile_gap * 1000,
                 "interval_us": round(spec.experiment.interval * 1e6)},
                environment={**spec.environment, "PORT": str(port)}, log=log, cpus=app_cpus,
            )  # fmt: skip
            stack.callback(app.end)
            try:
                listening = self._wait_until_ready(app, port)
                self.trial.scalars["startup"] = (listening["t"] - spawned) * 1000
                load = start_load(
                    Path(spec.tool_node), self._load_options(listening), environment=spec.environment, log=log,
                    cpus=other_cpus,
                )  # fmt: skip
                stack.callback(load.end)
                self._measure(app, load)
            except ChannelClosed as error:
                raise TrialError(self._obituary(app, str(error))) from error
        self._record_profiles()

    def _load_options(self, listening: Message) -> dict[str, object]:
        host = str(listening.get("address"))
        if host in ("::", "0.0.0.0", "None"):
            host = "127.0.0.1"
        host = f"[{host}]" if ":" in host else host
        return {
            "url": f"http://{host}:{listening['port']}/",
            "connections": self.spec.experiment.connections,
            "rate": self.spec.experiment.rate,
            "warmup_s": self.spec.warmup,
            "duration_s": self.spec.duration,
            "modules": self.spec.modules,
        }

    # ---- the phases

    def _wait_until_ready(self, app: Child, port: int) -> Message:
        """The app's message that it listens on ``port``. What else it listens on, such as for metrics, is let be."""
        deadline = time.monotonic() + self.spec.experiment.startup_timeout
        while True:
            listening = self._wait(app, "listening", deadline - time.monotonic())
            if listening["port"] == port:
                break
            where = f"port {listening['port']}" if listening["port"] else f"the Unix socket {listening['address']}"
            self.elsewhere.append(where)
        if listening["workers"]:
            raise TrialError(
                f"the app answers from a cluster with {counted(listening['workers'], 'worker')}: pyprof profiles and "
                "measures one process, so start the app without cluster, as one of its workers would run"
            )
        return listening

    def _measure(self, app: Child, load: Child) -> None:
        spec, process = self.spec, psutil.Process(app.process.pid)
        app.send("start")
        self._wait(load, "measuring", spec.warmup + PATIENCE, watch=app)
        start = time.monotonic()
        app.send("measure")
        cpu, of_children, stolen = _cpu(process), sampler.children_cpu_seconds(process), sampler.stolen_seconds()
        window = sampler.Sampler(process, spec.duration, spec.experiment.rss_samples)
        window.run(start, lambda seconds: self._pass_time(app, seconds))
        result = self._wait(load, "result", spec.duration + PATIENCE, watch=app)
        end = time.monotonic()
        scalars = self.trial.scalars
        scalars["cpu"] = _cpu(process) - cpu
        scalars["children_cpu"] = max(0.0, sampler.children_cpu_seconds(process) - of_children)
        if stolen is not None:
            share = (sampler.stolen_seconds() or stolen) - stolen
            scalars["steal_share"] = share / (end - start) / (psutil.cpu_count() or 1)
        peak, uss = sampler.memory_high_water(process), sampler.unique_set_size(process)
        scalars |= {name: size for name, size in (("vm_hwm", peak), ("uss", uss)) if size is not None}
        app.send("stop")
        stopped = self._wait(app, "stopped", spec.experiment.profile_duration + PATIENCE)
        scalars["loop_delay_p99"] = stopped["loop_delay"]["p99_ms"]
        self._record_window(window, start, end)
        self._record_load(result)
        self._record_turns(start, end)
        self._check_load(result)

    def _wait(self, child: Child, kind: str, timeout: float, watch: Child | None = None) -> Message:
        """The child's next message of that type; notices a cancelled run, too.

        While it waits for the load generator, ``watch`` is the app: what that says is kept, and its death noticed.
        """
        deadline = time.monotonic() + timeout
        while True:
            if self.cancelled():
                raise Cancelled
            if watch is not None:
                self._pass_time(watch, 0)
            message = child.channel.next(min(0.2, max(0.0, deadline - time.monotonic())))
            if message is None:
                if child.channel.closed:
                    raise ChannelClosed(f"{child.channel.who} ended before it said {kind!r}")
                if time.monotonic() >= deadline:
                    raise TrialError(self._hung(child, kind, timeout))
            elif message["type"] == "error":
                said = describe_error(child.channel.who, message)
                raise TrialError(said if watch is None else self._obituary(watch, said))
            elif message["type"] == kind:
                return message
            elif watch is None:
                self.seen.append(message)

    def _pass_time(self, app: Child, seconds: float) -> None:
        """Take in what the agent says for that long; raises where the app has gone."""
        deadline = time.monotonic() + seconds
        while True:
            message = app.channel.next(deadline - time.monotonic())
            if message is not None:
                if message["type"] == "error":
                    raise TrialError(describe_error(app.channel.who, message))
                self.seen.append(message)
            elif app.channel.closed:
                raise ChannelClosed("the app ended within the trial")
            if self.cancelled():
                raise Cancelled
            if time.monotonic() >= deadline and message is None:
                return

    # ---- what is recorded

    def _record_window(self, window: sampler.Sampler, start: float, end: float) -> None:
        scalars = self.trial.scalars
        scalars["window"] = end - start
        scalars["rss_samples"] = float(len(window.rss))
        self.trial.series["rss_time"] = array("d", (t - start for t in window.times))
        self.trial.series["rss"] = window.rss
        wanted = self.spec.experiment.rss_samples
        if len(window.rss) < MIN_SAMPLES_SHARE * wanted:
            raise VoidedError(
                f"only {len(window.rss)} of {wanted} RSS samples could be taken in time: the machine is too busy; "
                "close what else runs, or take fewer with --rss-samples"
            )

    def _record_load(self, result: Message) -> None:
        scalars = self.trial.scalars
        scalars["answers"] = float(result["ok"])
        scalars["qps"] = float(result["qps"])
        scalars["load_cpu_share"] = float(result["cpu_s"]) / max(float(result["elapsed_s"]), 1e-9)
        scalars["paced"] = float(self.spec.experiment.rate is not None)
        scalars["latency_p50"] = float(result["latency_ms"]["p50"])
        scalars["latency_p99"] = float(result["latency_ms"]["p99"])
        self.trial.series["answers_per_second"] = array("d", result.get("per_second", ()))

    def _record_turns(self, start: float, end: float) -> None:
        """The turns of the profile loop that lie wholly in the window."""
        turns = [m for m in self.seen if m["type"] in ("profile", "tick") and m.get("measured") and m["t"] <= end]
        series = self.trial.series
        series["turn_time"] = array("d", (m["t"] - start for m in turns))
        series["turn_rss"] = array("d", (float(m["rss"]) for m in turns))
        for name in ("heap_used", "heap_total", "external"):
            series[name] = array("d", (float(m[name]) for m in turns))
        profiles = [m for m in turns if m["type"] == "profile"]
        for name in ("start_pause", "stop_pause", "encode_pause", "profiled"):
            series[name] = array("d", (float(m[f"{name}_ms"]) for m in profiles))
        series["profile_bytes"] = array("d", (float(m["bytes"]) for m in profiles))
        self.trial.scalars["profiles"] = float(len(profiles))
        if len(turns) > 1:
            self.trial.scalars["turns_per_second"] = (len(turns) - 1) / (turns[-1]["t"] - turns[0]["t"])
        self._profiles = [base64.b64decode(m["data"]) for m in profiles]
        self._profiled = [float(m["profiled_ms"]) / 1000 for m in profiles]
        if self.spec.collects and not profiles:
            raise VoidedError("no profile was finished within the measured window: take a longer --duration")

    def _check_load(self, result: Message) -> None:
        bad = int(result["non2xx"]) + int(result["errors"]) + int(result["timeouts"])
        if bad:
            raise TrialError(
                f"the app failed to answer with 2xx: {result['non2xx']} other answers, {result['errors']} errors and "
                f"{result['timeouts']} time-outs beside {result['ok']} good answers"
            )
        rate = self.spec.experiment.rate
        if rate is not None and result["qps"] < MIN_RATE_SHARE * rate and rate * self.spec.duration >= MIN_REQUESTS:
            raise TrialError(
                f"the app answered {result['qps']:.4g} of {rate:.4g} requests a second: variants would not do equal "
                "work; lower --rate"
            )
        if not result["ok"]:
            raise TrialError("the app answered no request")

    def _record_profiles(self) -> None:
        experiment = self.spec.experiment
        merged = checks.check_and_merge(
            self._profiles, self._profiled, busy_function=experiment.busy_function, full_load=experiment.rate is None
        )
        if experiment.keep_profiles == "all":
            self.trial.profiles = [as_pprof(data) for data in self._profiles]
        elif experiment.keep_profiles == "merged" and merged is not None:
            self.trial.profiles, self.trial.merged = [merged], len(self._profiles)

    # ---- what went wrong

    def _obituary(self, app: Child, otherwise: str) -> str:
        """Why the app has gone, in one line; ``otherwise`` where it lives."""
        try:
            code = app.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:  # the app lives: it was the load generator that ended
            return otherwise
        how = f"was killed by signal {-code}" if code < 0 else f"exited with status {code}"
        when = "before it listened on process.env.PORT" if "startup" not in self.trial.scalars else "within the trial"
        return f"the app {how} {when}"

    def _hung(self, child: Child, kind: str, timeout: float) -> str:
        if kind == "listening":
            line = f"within {self.spec.experiment.startup_timeout:g} s (--startup-timeout)"
            if self.elsewhere:
                listens = ", ".join(self.elsewhere[:3])
                return (
                    f"the app listens on {listens}, but not on process.env.PORT {line}: let it take its port from there"
                )
            return f"the app did not listen on process.env.PORT {line}"
        return f"{child.channel.who} hangs: it did not say {kind!r} within {timeout:.0f} s"


def _with_log(line: str, log: Path) -> str:
    text = tail(log)
    return f"{line}\n  its log is {log}" + (f", which ends:\n{text}" if text else ", which is empty")


def _cpu(process: psutil.Process) -> float:
    try:
        return sampler.cpu_seconds(process)
    except psutil.Error as error:
        raise ChannelClosed("the app ended within the trial") from error


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
