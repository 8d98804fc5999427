"""Where the native sources are, from which the Node addon is built for each Node, and what a wheel brings built."""

from __future__ import annotations

from pathlib import Path

from pyprof.errors import BuildError

# Beside prebuilt addons: the key of the sources that they were built from.
SOURCES = "sources"


def sources() -> Path:
    """The folder that holds ``csrc/``, ``proto/`` and ``node_addon/``: read-only, so build in a copy.

    Raises:
        BuildError: the installation carries no sources.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / "_native", package.parent):  # an installed wheel; a checkout
        if (folder / "csrc" / "pp.h").is_file() and (folder / "node_addon").is_dir():
            return folder
    raise BuildError("this installation of pyprof has no native sources: install pyprof-node again")


def prebuilt(platform: str, abi: str, key: str) -> Path | None:
    """The folder to ``require()`` where this installation brings the addon for an ABI, as in ``linux-x64`` and ``72``.

    ``key`` is `hashing.tree` of the sources as they are: what was built from others does not count.
    """
    addon = sources() / "node_addon"
    folder = addon / "prebuilds" / platform
    record = folder / SOURCES
    if not (folder / f"pyprof.abi{abi}.node").is_file() or not record.is_file():
        return None
    return addon if record.read_text(encoding="utf-8").strip() == key else None
