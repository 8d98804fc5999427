"""The simulations of tests/bench with few experiments: they run, and say roughly what they say with many."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CALIBRATE = Path(__file__).parent.parent / "bench" / "calibrate.py"
N = 100


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CALIBRATE), "--experiments", str(N), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    done = run("--format", "json", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def mean(rows: list[dict[str, Any]], table: str, name: str, **labels: object) -> float:
    """Over the rows of the tables whose title has `table` in it."""
    values = [
        row[name] for row in rows if table in row["table"] and all(row[label] == labels[label] for label in labels)
    ]
    assert values
    return float(sum(values) / len(values))


def test_what_the_verdicts_rest_on(rows: list[dict[str, Any]]) -> None:
    assert 0.03 < mean(rows, "paired t test", "type I") < 0.07
    assert 0.93 < mean(rows, "paired t test", "coverage") < 0.97
    assert mean(rows, "Until settled", "false pass") < 0.05 < 0.15 < mean(rows, "Until settled", "naive false pass")
    leaks = "leaks (KiB a profile)"
    assert mean(rows, "Leak", "fail", **{leaks: 16}) > 0.95
    assert mean(rows, "Leak", "fail", **{leaks: 0}) < 0.05


def test_what_misleads(rows: list[dict[str, Any]]) -> None:
    assert mean(rows, "Student's test on 200 samples", "type I", **{"lag-1 correlation": 0.95}) > 0.6
    assert mean(rows, "bootstrap", "coverage", **{"processes an arm": 3}) < 0.9
    assert mean(rows, "Other methods", "Welch", **{"block effects": "normal, 3 × residual"}) < 0.02


def test_streams_do_not_depend_on_the_jobs(rows: list[dict[str, Any]]) -> None:
    markdown = run("--jobs", "1").stdout
    first = next(line for line in markdown.splitlines() if line.startswith("| none | 3 |"))
    assert first.startswith(f"| none | 3 | {100 * rows[0]['type I']:.1f} % | {100 * rows[0]['coverage']:.1f} % |")
    assert markdown.startswith(f"{N} experiments a cell, seed 1.")
