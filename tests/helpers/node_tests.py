"""The tests of the addon, which are JavaScript."""

from __future__ import annotations

from pathlib import Path

from pyprof.nodes import Npm

FOLDER = Path(__file__).resolve().parents[1] / "node"
RUN = FOLDER / "run.js"


def install(npm: Npm) -> None:
    """Their npm packages, unless they are there already."""
    installed, lock = FOLDER / "node_modules/.package-lock.json", FOLDER / "package-lock.json"
    if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        npm.ci(FOLDER)
