"""Profilers of the user's own, named by a path: a package's folder, or an adapter file."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pyprof.errors import UsageError
from pyprof.suggest import nearest

#: A package's folder may hold its own adapter under this name.
OWN_ADAPTER = "pyprof-adapter.js"


def is_path(text: str) -> bool:
    """Whether a profiler is named by a path."""
    return text in (".", "..") or text.startswith(("./", "../", "/", ".:", "..:"))


def beside(folder: Path, text: str) -> str:
    """The name of a profiler in a file of ``folder``, as seen from the working directory."""
    if not is_path(text) or text.startswith("/"):
        return text
    seen = os.path.normpath(folder / text)
    return seen if is_path(seen) else f"./{seen}"


def split(text: str) -> tuple[str, str | None]:
    """The path, and what stands after the last colon where that is no part of it."""
    path, colon, mode = text.rpartition(":")
    return (path, mode) if colon and "/" not in mode and not Path(text).exists() else (text, None)


def find(text: str, path: str) -> Path:
    """The absolute path of what is there."""
    found = Path(os.path.abspath(path))  # noqa: PTH100 - not resolve(): a link may be there to give it a name
    if not found.exists():
        near = [entry.name for entry in found.parent.iterdir()] if found.parent.is_dir() else []
        raise UsageError(f"profiler {text!r}: there is no file or folder {found}{nearest(found.name, near)}")
    return found


def adapter_file(text: str, path: Path) -> Path:
    """The adapter that a path names."""
    if path.suffix not in (".js", ".cjs"):
        raise UsageError(f"profiler {text!r}: {path.name} is neither an adapter (.js or .cjs) nor a package's folder")
    return path


def about(text: str, folder: Path) -> tuple[str, str]:
    """Name and version of the package in a folder."""
    file = folder / "package.json"
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
        name, version = manifest["name"], manifest["version"]
    except FileNotFoundError as error:
        raise UsageError(
            f"profiler {text!r}: {folder} has no package.json: name a package's folder, or an adapter file"
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"profiler {text!r}: {file} has no name and version that npm could pack: {error!r}") from error
    if not isinstance(name, str) or not isinstance(version, str):
        raise UsageError(f"profiler {text!r}: name and version in {file} must be text")
    return name, version


def own_adapter(folder: Path) -> Path | None:
    """The adapter that a package's folder holds itself."""
    path = folder / OWN_ADAPTER
    return path if path.is_file() else None
