from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import Run, runner


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """``pyprof ARGUMENTS`` in a folder of the test's own."""
    return runner(tmp_path)
