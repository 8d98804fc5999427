"""The tests of the addon, which are JavaScript."""

from __future__ import annotations

from pathlib import Path

from pyprof.nodes import Store

FOLDER = Path(__file__).resolve().parents[1] / "node"
RUN = FOLDER / "run.js"


def install(store: Store) -> None:
    """Their npm packages, unless they are there already. Several processes may ask at once."""
    installed, wanted = FOLDER / "node_modules/.package-lock.json", FOLDER / "package-lock.json"
    with store.cache.lock("tests-of-the-addon"):
        if not installed.is_file() or installed.stat().st_mtime < wanted.stat().st_mtime:
            store.npm.ci(FOLDER)
