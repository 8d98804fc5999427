"""The fixture `node_bench`, in suites of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyprof.nodes import Cache

CACHE = Cache().root  # before pytester gives each test a home of its own

SUITE = """
    def test_recreate_does_not_grow_much(node_bench):
        c = node_bench.compare(profilers=["none", "recreate"], blocks=2, duration=1.5, warmup=0.3)
        assert c["recreate"].metrics["rss"].n == 2
        assert c["recreate"].metrics["rss"].mean < 2 * c["none"].metrics["rss"].mean
        assert c.path.is_file()
"""


@pytest.fixture(autouse=True)
def _users_place(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeini("[pytest]\n")
    monkeypatch.setenv("PYPROF_CACHE", str(CACHE))


def test_a_suite_that_compares_passes(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SUITE)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1)


def test_set_up_is_announced_and_offline_skips_with_the_command_that_helps(
    pytester: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYPROF_CACHE", str(tmp_path / "empty"))
    pytester.makepyfile(SUITE)
    result = pytester.runpytest_subprocess("--pyprof-offline", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*pyprof: getting ready: *node-gyp*", "SKIPPED*pyprof node install*"])


def test_a_trial_that_fails_fails_the_test_in_a_few_lines(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("app.js").write_text("process.exit(5)", encoding="utf-8")
    pytester.makepyfile("""
        def test_it(node_bench):
            node_bench.compare(profilers=["none"], app="app.js", blocks=1, duration=1)
    """)
    result = pytester.runpytest_subprocess("--tb=line")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the app exited with status 5 before it listened*"])


def test_a_suite_without_it_loads_nothing_heavy(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import sys

        def test_it():
            assert "pyprof.pytest_plugin" in sys.modules
            assert "pyprof.comparison" not in sys.modules
            assert "psutil" not in sys.modules
    """)
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
