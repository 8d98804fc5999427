"""The processes of the benchmark of profilers: which there are, and running one."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyprof import profilers
from pyprof.cpuprofile import as_pprof
from pyprof.nodes import Node, Store, child_environment
from pyprof.profile import Profile
from pyprof.running.prepare import package_for

APP = Path(__file__).resolve().parent / "app.js"

#: pyprof's policies, all that there are.
OWN = tuple(name for name in profilers.builtin() if profilers.parse(name).needs_addon)
NEW, OLD = "24", "12.19.0"
ARMS = {
    NEW: (
        "none", *OWN, "pprof@5.0.0", "@datadog/pprof@5.20.0", "@datadog/pprof@5.20.0:restart",
        "@sentry-internal/node-cpu-profiler@2.4.1", "inspector",
    ),
    OLD: ("none", *OWN, "pprof@3.0.0", "inspector"),
}  # fmt: skip
HEAPS = (5, 80, 400)
SCENARIOS = ("pauses", "making", "warm", "memory")

#: 20 call paths of 200 frames each are about 4,000 nodes of a profile's tree; most of 1,900 are some 300,000.
PATHS, MANY_PATHS = 20, 1900
#: Twice as many samples as paths, at the profiler's rate, ms.
MANY_MS, MANY_MS_AT_99_HZ = 4000, 20_000

Result = dict[str, Any]


@dataclass(frozen=True)
class Trial:
    """One process: a profiler on a Node in a scenario of app.js, with the scenario's settings."""

    node: str
    arm: str
    scenario: str
    heap: int
    settings: dict[str, int]
    block: int = 1


def trials(quick: bool, nodes: tuple[str, ...]) -> Iterator[list[Trial]]:
    """Groups of trials that are compared with each other: one for each arm. The groups are repeated in blocks."""
    pauses = {"paths": PATHS, "warmup": 10_000, "profiles": 6, "duration_ms": 400}
    warm = {"paths": PATHS, "warmup": 10_000, "idle_ms": 1500}
    # `auto` looks at windows of two seconds: it has decided before the last profiles, whose idle time counts
    making = {"profiles": 9, "settling": 6, "duration_ms": 100, "idle_ms": 600}
    memory = {"paths": PATHS, "warmup": 5000, "profiles": 1000, "duration_ms": 5, "every": 20}
    many = {"paths": MANY_PATHS, "warmup": 5000, "profiles": 3, "duration_ms": MANY_MS}
    if quick:
        pauses |= {"profiles": 3, "duration_ms": 250}
        warm |= {"idle_ms": 800}
        making |= {"profiles": 8}
        memory |= {"profiles": 100, "every": 4}
        many |= {"profiles": 1}
    for block in range(1, 2 if quick else 3):
        for node in nodes:
            for heap in HEAPS:
                yield [Trial(node, arm, "pauses", heap, pauses, block) for arm in ARMS[node]]
            yield [Trial(node, arm, "making", 5, making, block) for arm in ARMS[node]]
    for block in range(1, 4 if quick else 6):
        for node in nodes:
            yield [Trial(node, arm, "warm", 5, warm, block) for arm in ARMS[node]]
    for node in nodes:
        yield [Trial(node, arm, "memory", 5, memory) for arm in ARMS[node]]
    if NEW in nodes:
        at_99_hz = {**many, "duration_ms": MANY_MS_AT_99_HZ}
        yield [
            Trial(NEW, arm, "pauses", 5, at_99_hz if arm.startswith("@sentry") else many)
            for arm in ARMS[NEW]
            if not (quick and arm.startswith("@sentry"))
        ]


def prepare(store: Store, nodes: tuple[str, ...]) -> dict[str, Node]:
    """Everything that is run, fetched and built."""
    found = {}
    for node in nodes:
        parsed = [profilers.parse(arm) for arm in ARMS[node]]
        packages = list(dict.fromkeys(profiler.package for profiler in parsed if profiler.package))
        (found[node],) = store.prepare([node], addon=True, peers=packages)
    return found


def run(trial: Trial, node: Node, store: Store, timeout: float = 600.0) -> Result:
    """What app.js measured. RuntimeError where it fails or hangs, or where the last profile does not show what ran."""
    profiler = profilers.parse(trial.arm)
    with tempfile.TemporaryDirectory() as folder:
        keep = Path(folder) / "profile"
        settings = {
            **trial.settings, "scenario": trial.scenario, "heap_mb": trial.heap, "adapter": str(profiler.adapter),
            "package": package_for(profiler, node, store), "keep": str(keep),
        }  # fmt: skip
        argv: list[str | Path] = [node.exec_path, "--expose-gc", "--max-old-space-size=4096", APP, json.dumps(settings)]
        try:
            done = subprocess.run(
                argv, capture_output=True, text=True, timeout=timeout, check=False, env=child_environment()[0]
            )
        except subprocess.TimeoutExpired as error:
            raise RuntimeError(f"hangs: {timeout:.0f} s have passed") from error
        if done.returncode:
            raise RuntimeError((done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0])
        result: Result = json.loads(done.stdout)
        if profiler.collects:
            result["nodes"] = _check(keep.read_bytes(), trial)
        return result


def _check(data: bytes, trial: Trial) -> int | None:
    """RuntimeError where a profile does not show what ran. The nodes of its tree, where it tells."""
    profile = Profile.read(as_pprof(data))
    rows = {row.name: row.cum for row in profile.top("wall")}
    if trial.scenario == "pauses" and rows.get("busy", 0) < profile.total("wall") / 10:
        raise RuntimeError(f"its last profile is no use: {profile!r} misses the busy function")
    return len(json.loads(data)["nodes"]) if trial.arm == "inspector" else None
