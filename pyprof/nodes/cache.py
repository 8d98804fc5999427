"""The folder in which pyprof keeps what it downloads and builds. An entry is there whole, or not at all."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from pyprof.errors import DiskFullError, PyprofError, UsageError

PARTS = {
    "nodes": "Node versions from npm",
    "tools": "node-gyp, node-addon-api and autocannon",
    "addons": "pyprof's addon, built for a Node version",
    "packages": "npm packages as downloaded, not yet built",
    "peers": "npm packages, built for a Node version",
    "checkouts": "packages of your own, as npm packs them",
    "lockfiles": "locks that npm made for packages that pyprof does not pin",
    "workloads": "apps with their npm packages",
    "logs": "output of builds",
}


def _silent(_: str) -> None:
    return


def default_root() -> Path:
    """``$PYPROF_CACHE``, else ``$XDG_CACHE_HOME/pyprof``, else ``~/.cache/pyprof``."""
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    try:
        if own := os.environ.get("PYPROF_CACHE"):
            return Path(own).expanduser()
        # The XDG specification: a relative path is invalid and is to be ignored.
        return (Path(xdg) if Path(xdg).is_absolute() else Path("~/.cache").expanduser()) / "pyprof"
    except RuntimeError as cause:
        raise UsageError(f"there is no place for the cache ({cause}): set PYPROF_CACHE to a folder") from cause


class Cache:
    """Entries are folders ``root/PART/KEY``, each made elsewhere, under a lock of its own, and renamed when whole."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = (root or default_root()).absolute()
        self._used = False

    def path(self, part: str, key: str) -> Path:
        """Where an entry is, or will be."""
        return self.root / part / key

    def has(self, part: str, key: str) -> bool:
        """Whether an entry is there."""
        return self.path(part, key).is_dir()

    def make(
        self, part: str, key: str, fill: Callable[[Path], None], *, announce: Callable[[str], None] = _silent,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Path:  # fmt: skip
        """The entry's folder; where it is missing, ``fill(folder)`` makes it in a temporary folder.

        If ``fill`` raises or the process is killed, nothing is kept. Another process that makes the same entry is
        waited for, and then its result is taken.
        """
        final = self.path(part, key)
        if final.is_dir():
            return final
        with self.lock(f"{part}-{key}", announce=announce, cancelled=cancelled):
            if final.is_dir():
                return final
            with self._staging(f"{part}-{key}") as staging:
                fill(staging)
                final.parent.mkdir(parents=True, exist_ok=True)
                staging.rename(final)
        return final

    @contextlib.contextmanager
    def lock(
        self, name: str, *, announce: Callable[[str], None] = _silent, cancelled: Callable[[], bool] = lambda: False
    ) -> Iterator[None]:
        """Hold the lock of that name, against other processes and threads. The kernel frees it when its holder dies."""
        with self._open_lock(name) as file:
            if not _try_lock(file, fcntl.LOCK_EX):
                announce(f"waiting for another pyprof that is making {name}")
                while not _try_lock(file, fcntl.LOCK_EX):
                    if cancelled():
                        raise PyprofError(f"gave up waiting for another pyprof that is making {name}")
                    time.sleep(0.1)
            yield

    def use(self) -> None:
        """Keep `clean` and `remove` of other processes away while this object lives."""
        if self._used:
            return
        # A cache that cannot be written cannot be cleaned either.
        with contextlib.suppress(OSError, UsageError), self._open_lock("in-use") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            # The lock lasts as long as any descriptor of this opening does.
            weakref.finalize(self, os.close, os.dup(file.fileno()))
            self._used = True

    def size(self) -> dict[str, int]:
        """Bytes on disk of each part that there is, as in `PARTS`; ``unfinished`` is what interruptions left."""
        sizes = {part: _size(self.root / part) for part in PARTS}
        sizes["unfinished"] = _size(self.root / "tmp")
        return {part: size for part, size in sizes.items() if size}

    def clean(self, parts: Iterable[str] | None = None) -> int:
        """Remove the parts (all by default) and what interruptions left. Returns the bytes freed."""
        chosen = list(PARTS if parts is None else parts)
        if unknown := [part for part in chosen if part not in PARTS]:
            raise UsageError(f"the cache has no part {unknown[0]!r}; there are: {', '.join(PARTS)}")
        with self._alone():
            freed = _size(self.root / "tmp") + sum(_size(self.root / part) for part in chosen)
            for part in chosen:
                self._discard(self.root / part)
            shutil.rmtree(self.root / "tmp", ignore_errors=True)
        return freed

    def remove(self, part: str, key: str) -> None:
        """Remove one entry. Raises `UsageError` while another pyprof uses the cache."""
        with self._alone():
            self._discard(self.path(part, key))

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        if not self.root.is_dir():
            yield
            return
        with self._open_lock("in-use") as file:
            if not _try_lock(file, fcntl.LOCK_EX):
                raise UsageError(f"another pyprof is using the cache {self.root}: wait until it ends")
            yield

    def _discard(self, folder: Path) -> None:
        """Rename first: a removal that is interrupted must not leave half an entry in its place."""
        if folder.exists():
            (self.root / "tmp").mkdir(exist_ok=True)
            doomed = Path(tempfile.mkdtemp(prefix="removed.", dir=self.root / "tmp"))
            folder.rename(doomed / folder.name)
            shutil.rmtree(doomed)

    def _open_lock(self, name: str) -> IO[bytes]:
        try:
            (self.root / "locks").mkdir(parents=True, exist_ok=True)
            return (self.root / "locks" / f"{name}.lock").open("ab")
        except OSError as cause:
            raise self._unwritable(cause) from cause

    @contextlib.contextmanager
    def _staging(self, name: str) -> Iterator[Path]:
        """A temporary folder; the caller holds the lock of that name, so older ones are left-overs of the killed."""
        folder = self.root / "tmp"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for leftover in folder.glob(f"{name}.*"):
                shutil.rmtree(leftover, ignore_errors=True)
            # A name of its own each time: what a killed pyprof left running must not write into ours.
            staging = Path(tempfile.mkdtemp(prefix=f"{name}.", dir=folder))
        except OSError as cause:
            raise self._unwritable(cause) from cause
        staging.chmod(0o755)
        try:
            yield staging
        except OSError as cause:
            raise self._unwritable(cause) from cause
        finally:
            shutil.rmtree(staging, ignore_errors=True)

    def _unwritable(self, cause: OSError) -> PyprofError:
        # shutil.copytree collects the errors of all files, as text
        reason = cause.strerror or (str(cause.args[0][0][2]) if isinstance(cause, shutil.Error) else str(cause))
        if cause.errno == errno.ENOSPC or os.strerror(errno.ENOSPC) in reason:
            return DiskFullError(f"no space left for the cache {self.root}: `pyprof cache clean`, or set PYPROF_CACHE")
        return UsageError(f"cannot write the cache {self.root}: {reason}; set PYPROF_CACHE elsewhere")


def _try_lock(file: IO[bytes], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _size(folder: Path) -> int:
    return sum(
        os.lstat(os.path.join(where, name)).st_blocks * 512  # noqa: PTH118 - a tree of 10,000 files, so no Path each
        for where, _, names in os.walk(folder)
        for name in names
    )
