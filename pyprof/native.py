"""Where the native sources are, from which the Node addon is built for each Node version."""

from __future__ import annotations

from pathlib import Path

from pyprof.errors import BuildError


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
