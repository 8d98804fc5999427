"""The pytest plugin: the fixture ``node_bench`` runs comparisons within a test suite.

def test_does_not_leak(node_bench):
    c = node_bench.compare(profilers=["none", "recreate"], blocks=2, duration=1.5)
    assert c["recreate"].metrics["rss"].mean < 1.2 * c["none"].metrics["rss"].mean
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # every pytest run of the environment loads this file: what is heavy is imported when it is used
    from pyprof.comparison import Comparison


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare ``--pyprof-offline``."""
    group = parser.getgroup("pyprof", "comparisons of Node.js profilers")
    group.addoption(
        "--pyprof-offline",
        action="store_true",
        help="fetch nothing: tests whose Node or packages are not in the cache are skipped",
    )


class NodeBench:
    """Runs comparisons; what they need is fetched and built once, and announced."""

    def __init__(self, folder: Path, *, offline: bool, announce: Callable[[str], None]) -> None:
        self._folder = folder
        self._offline = offline
        self._announce = announce
        self._count = 0

    def compare(self, preset: str | None = None, **settings: Any) -> Comparison:
        """As `pyprof.compare`, with the results file kept in pytest's temporary folder (``comparison.path``).

        Skips the test where what it needs is neither in the cache nor may be fetched; fails it where a trial failed.
        """
        import pyprof
        from pyprof.errors import OfflineError, TrialError
        from pyprof.running.progress import Outlook, Progress

        class Announced(Progress):
            def outlook(_, outlook: Outlook) -> None:  # noqa: N805 - self is the bench
                if outlook.to_prepare:
                    self._announce(f"getting ready: {', '.join(outlook.to_prepare)} ({outlook.megabytes:.0f} MB)")

            def note(_, text: str) -> None:  # noqa: N805
                self._announce(text)

        self._count += 1
        settings = {"offline": self._offline, "progress": Announced(), **settings}
        settings.setdefault("output", self._folder / f"comparison-{self._count}.pyprof")
        try:
            comparison = pyprof.compare(preset, **settings)
        except OfflineError as error:
            pytest.skip(str(error))
        if comparison.failed:
            raise TrialError("\n".join(f"{t.variant}, block {t.block}: {t.error}" for t in comparison.failed))
        return comparison


@pytest.fixture(scope="session")
def node_bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NodeBench:
    """Comparisons of Node.js profilers: ``node_bench.compare(profilers=["none", "recreate"], blocks=2, ...)``."""
    config = request.config
    capture = config.pluginmanager.getplugin("capturemanager")
    terminal = config.pluginmanager.getplugin("terminalreporter")

    def announce(text: str) -> None:
        shown: AbstractContextManager[Any] = capture.global_and_fixture_disabled() if capture else nullcontext()
        with shown:
            if terminal is not None:
                terminal.write_line("")
                terminal.write_line(f"pyprof: {text}")

    offline = bool(config.getoption("--pyprof-offline"))
    return NodeBench(tmp_path_factory.mktemp("node_bench"), offline=offline, announce=announce)
