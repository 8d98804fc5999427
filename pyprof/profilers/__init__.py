"""The registry of profilers, which is the folders beside this file, and how one is named: see `parse`.

    builtin/NAME.js                a bare word: pyprof's own policies, and `none`
    node/NAME.js                   a bare word: what Node itself has
    npm/PACKAGE/adapter.js         PACKAGE@VERSION, pinned where npm/PACKAGE/VERSION/ holds a lock
    npm/PACKAGE/MODE.js            PACKAGE@VERSION:MODE, another way to use it

What begins with `./`, `../` or `/` is a package's folder or an adapter file of the user's own: `local.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pyprof.errors import UsageError
from pyprof.profilers import local
from pyprof.suggest import nearest
from pyprof.trials import AGAIN

_HERE = Path(__file__).resolve().parent
_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:[-+][0-9A-Za-z.-]+)?")


@dataclass(frozen=True)
class Package:
    """What npm installs for a profiler: a version from the registry, or a folder of the user's own."""

    name: str
    version: str
    folder: Path | None = None

    def __str__(self) -> str:
        return str(self.folder) if self.folder else f"{self.name}@{self.version}"


@dataclass(frozen=True)
class Profiler:
    """A profiler as named in an experiment. ``package`` is None where there is nothing to install."""

    text: str
    adapter: Path
    package: Package | None = None
    idle: bool = False

    @property
    def collects(self) -> bool:
        """Whether its trials take profiles."""
        return not self.idle and self.text.removesuffix(AGAIN) != "none"

    @property
    def needs_addon(self) -> bool:
        """Whether it is one of pyprof's own policies, built from `node_addon`."""
        return self.adapter.parent == _HERE / "builtin" and self.adapter.stem != "none"

    @property
    def is_local(self) -> bool:
        """Whether it is the user's own: what it is can change from run to run."""
        return local.is_path(self.text)


def builtin() -> list[str]:
    """Names of the profilers that need no package."""
    return sorted(path.stem for folder in ("builtin", "node") for path in (_HERE / folder).glob("*.js"))


def packages() -> list[str]:
    """Names of the npm packages that have an adapter."""
    return sorted(path.parent.relative_to(_HERE / "npm").as_posix() for path in (_HERE / "npm").rglob("adapter.js"))


def known() -> list[str]:
    """How all of them are named, for help and errors."""
    return [*builtin(), *(f"{name}@VERSION{mode}" for name in packages() for mode in ("", *_suffixes(name)))]


def lock(name: str, version: str) -> Path:
    """Where the lock of that version of an npm package is, or would be."""
    return _HERE / "npm" / name / version


def parse(text: str) -> Profiler:
    """A profiler by its name.

    ``recreate``, ``inspector``, ``pprof@5.0.0``, ``@datadog/pprof@5.20.0:restart``, ``./my-checkout``,
    ``./my-adapter.js``; any of them with ``:idle`` (loaded, never asked for a profile). ``:again`` at the end,
    which `--aa` adds, names a second arm of the same.

    Raises:
        UsageError: there is no such profiler; it says what there is.
    """
    if text.endswith(AGAIN):
        return replace(parse(text.removesuffix(AGAIN)), text=text)
    if local.is_path(text):
        return _local(text)
    base, colon, mode = text.partition(":")
    name, _, version = base.rpartition("@") if "@" in base[1:] else (base, "", "")
    if not version:
        if name in builtin():
            _check_mode(text, base, mode if colon else None, ())
            if name == "none" and colon:
                raise UsageError("profiler 'none:idle': 'none' never collects a profile; leave out ':idle'")
            adapter = next(path for path in (_HERE / "builtin", _HERE / "node") if (path / f"{name}.js").is_file())
            return Profiler(text, adapter / f"{name}.js", idle=bool(colon))
        if name in packages():
            raise UsageError(f"profiler {text!r} is an npm package: say which version, as in {_example(name)}")
        raise UsageError(
            f"unknown profiler {text!r}{nearest(name, [*builtin(), *map(_example, packages())])}; there are: "
            f"{', '.join(known())}, and ./FOLDER or ./ADAPTER.js of your own"
        )
    if name not in packages():
        near = nearest(base, [f"{package}@{version}" for package in packages()])
        raise UsageError(f"unknown profiler {text!r}{near}; npm packages with an adapter: {', '.join(packages())}")
    if not _VERSION.fullmatch(version):
        raise UsageError(f"profiler {text!r}: {version!r} is not a full version, such as {_example(name)}")
    adapter = _with_mode(text, base, mode if colon else None, name)
    return Profiler(text, adapter, Package(name, version), idle=mode == "idle")


def _local(text: str) -> Profiler:
    base, mode = local.split(text)
    path = local.find(text, base)
    if path.is_file():
        _check_mode(text, base, mode, ())
        return Profiler(text, local.adapter_file(text, path), idle=mode is not None)
    name, version = local.about(text, path)
    package = Package(name, version, path)
    own = local.own_adapter(path)
    if own is None and name in packages():
        return Profiler(text, _with_mode(text, base, mode, name), package, idle=mode == "idle")
    _check_mode(text, base, mode, ())
    # Without an adapter of its own it is taken to be used as `pprof` is; what is missing is said before the run.
    return Profiler(text, own or _HERE / "pprof_api.js", package, idle=mode is not None)


def _with_mode(text: str, base: str, mode: str | None, name: str) -> Path:
    """The adapter of an npm package in that mode."""
    _check_mode(text, base, mode, [suffix[1:] for suffix in _suffixes(name)])
    return _HERE / "npm" / name / f"{mode if mode not in (None, 'idle') else 'adapter'}.js"


def _check_mode(text: str, base: str, mode: str | None, modes: Sequence[str]) -> None:
    if mode is not None and mode not in ("idle", *modes):
        choice = " or ".join(repr(name) for name in ("idle", *modes))
        raise UsageError(f"profiler {text!r}: after the colon only {choice} can stand, as in {base}:idle")


def _suffixes(name: str) -> list[str]:
    """``:MODE`` for each mode of an npm package."""
    return [f":{path.stem}" for path in sorted((_HERE / "npm" / name).glob("*.js")) if path.stem != "adapter"]


def _example(name: str) -> str:
    """An npm package with the newest version that is pinned."""
    pinned = [path.parent.name for path in (_HERE / "npm" / name).glob("*/package-lock.json")]
    newest = max(pinned, key=lambda version: [int(part) for part in re.findall("[0-9]+", version)])
    return f"{name}@{newest}"
