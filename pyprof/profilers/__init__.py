"""The registry of profilers: the folders `builtin/` and `npm/` beside this file. See `parse` for how one is named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pyprof.errors import UsageError
from pyprof.suggest import nearest

_HERE = Path(__file__).resolve().parent
_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.-]+)?")


@dataclass(frozen=True)
class Profiler:
    """A profiler as named in an experiment. ``version`` is None for a built-in one."""

    text: str
    name: str
    version: str | None
    idle: bool
    adapter: Path

    @property
    def collects(self) -> bool:
        """Whether its trials take profiles."""
        return not self.idle and self.name != "none"

    @property
    def needs_addon(self) -> bool:
        """Whether it is one of pyprof's own policies, built from `node_addon`."""
        return self.version is None and self.name != "none"


def builtin() -> list[str]:
    """Names of the built-in profilers."""
    return sorted(path.stem for path in (_HERE / "builtin").glob("*.js"))


def packages() -> list[str]:
    """Names of the npm packages that have an adapter."""
    return sorted(path.parent.relative_to(_HERE / "npm").as_posix() for path in (_HERE / "npm").rglob("adapter.js"))


def parse(text: str) -> Profiler:
    """A profiler out of ``recreate``, ``pprof@3.0.0`` or either with ``:idle`` (loaded, never asked for a profile)."""
    base, colon, mode = text.partition(":")
    if colon and mode != "idle":
        raise UsageError(f"profiler {text!r}: after the colon only 'idle' can stand, as in {base}:idle")
    name, _, version = base.rpartition("@") if "@" in base[1:] else (base, "", "")
    if not version:
        if name in builtin():
            if name == "none" and colon:
                raise UsageError("profiler 'none:idle': 'none' never collects a profile; leave out ':idle'")
            return Profiler(text, name, None, bool(colon), _HERE / "builtin" / f"{name}.js")
        if name in packages():
            raise UsageError(f"profiler {text!r} is an npm package: say which version, as in {name}@3.0.0")
        known = builtin() + [f"{package}@VERSION" for package in packages()]
        raise UsageError(f"unknown profiler {text!r}{nearest(name, known)}; there are: {', '.join(known)}")
    if name not in packages():
        known = [f"{package}@{version}" for package in packages()]
        raise UsageError(
            f"unknown profiler {text!r}{nearest(base, known)}; npm packages with an adapter: {', '.join(packages())}"
        )
    if not _VERSION.fullmatch(version):
        raise UsageError(f"profiler {text!r}: {version!r} is not a full version, such as {name}@3.0.0")
    return Profiler(text, name, version, bool(colon), _HERE / "npm" / name / "adapter.js")
