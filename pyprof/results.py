"""The results file: SQLite, one transaction per trial, raw series, so that old files gain new metrics.

Tables: ``document`` (experiment, environment and what else is true of the whole run, as JSON), ``variant``,
``trial`` (scalars as JSON), ``series`` (little-endian float64) and ``profile`` (gzip'ed pprof).
"""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import itertools
import json
import os
import sqlite3
import sys
from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pyprof.errors import DiskFullError, ResultsError
from pyprof.experiment import Experiment
from pyprof.trials import Trial, Variant

APPLICATION_ID = 0x50795066  # "PyPf", by which `file` and we tell these from other SQLite files
SCHEMA = 1

_TABLES = """
CREATE TABLE document (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE variant (name TEXT PRIMARY KEY, number INTEGER NOT NULL, node TEXT NOT NULL, profiler TEXT NOT NULL,
                      details TEXT NOT NULL);
CREATE TABLE trial (id INTEGER PRIMARY KEY, variant TEXT NOT NULL REFERENCES variant, block INTEGER NOT NULL,
                    position INTEGER NOT NULL, status TEXT NOT NULL, error TEXT, started TEXT NOT NULL,
                    scalars TEXT NOT NULL, UNIQUE (variant, block));
CREATE TABLE series (trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE, name TEXT NOT NULL, data BLOB NOT NULL,
                     PRIMARY KEY (trial, name));
CREATE TABLE profile (trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE, number INTEGER NOT NULL,
                      merged INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (trial, number));
"""


@dataclass(frozen=True)
class StoredProfiles:
    """The profiles of one trial: ``kept`` are in the file, merged from the ``taken`` that the trial took."""

    variant: str
    block: int
    kept: int
    taken: int
    n_bytes: int


class ResultsFile:
    """An open results file. Use `create` or `open_existing`; it is a context manager."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: IO[bytes] | None = None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock  # held for as long as this process may write

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        if self._lock is not None:  # only now: closing any descriptor of the file ends SQLite's own locks
            self._lock.close()

    # ---- making and opening

    @classmethod
    def create(cls, path: Path, experiment: Experiment, environment: dict[str, Any]) -> ResultsFile:
        """A new file. ResultsError where it exists already or cannot be written."""
        check_writable(path)
        try:
            lock = path.open("xb")
        except OSError as error:
            raise ResultsError(f"{path} cannot be written: {error.strerror}") from error
        _lock(lock, path)
        try:
            with _translate(path, "written"):
                connection = _connect(path, "rw")
                connection.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA};")
                connection.executescript(f"BEGIN; {_TABLES} COMMIT;")
            made = cls(path, connection, lock)
            made.write_document("experiment", experiment.to_json())
            made.write_document("environment", environment)
        except BaseException:
            _remove(path, lock)
            raise
        return made

    @classmethod
    def open_existing(cls, path: Path, *, write: bool = False) -> ResultsFile:
        """An existing file of this schema, read-only unless ``write``. ResultsError says what it is otherwise."""
        if not path.exists():
            raise ResultsError(f"{path}: there is no such results file")
        if not path.is_file():
            raise ResultsError(f"{path} is not a results file")
        lock = None
        if write:
            try:
                lock = path.open("r+b")
            except OSError as error:
                raise ResultsError(f"{path} cannot be written: {error.strerror}") from error
            _lock(lock, path)
        with _translate(path, "read"):
            connection = _connect(path, "rw" if write else "ro")
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            schema = connection.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION_ID:
            raise ResultsError(f"{path} is a SQLite file, but not a pyprof results file")
        if schema != SCHEMA:
            raise ResultsError(
                f"{path} has results schema {schema}; this pyprof reads schema {SCHEMA}: "
                f"use the pyprof that wrote it, or {'upgrade pyprof' if schema > SCHEMA else 'run it again'}"
            )
        return cls(path, connection, lock)

    def discard(self) -> None:
        """Remove the file, which holds nothing; unless its name is another file's by now."""
        if self._lock is not None:
            _remove(self.path, self._lock)

    # ---- the whole run

    def write_document(self, key: str, value: Any) -> None:
        """Store one JSON value that concerns the whole run."""
        with _translate(self.path, "written"):
            self._connection.execute("INSERT OR REPLACE INTO document VALUES (?, ?)", (key, json.dumps(value)))

    def read_document(self, key: str, default: Any = None) -> Any:
        """The JSON value stored under ``key``."""
        with _translate(self.path, "read"):
            row = self._connection.execute("SELECT value FROM document WHERE key = ?", (key,)).fetchone()
            return default if row is None else json.loads(row[0])

    def experiment(self) -> Experiment:
        """The experiment that this file holds."""
        found = self.read_document("experiment")
        try:
            return Experiment.from_json(found)
        except (KeyError, TypeError) as error:
            raise ResultsError(f"{self.path} is damaged: it does not say what was run") from error

    def write_variants(self, variants: Iterable[Variant]) -> None:
        """Store the variants, in the order in which reports show them."""
        rows = [(v.name, i, v.node, v.profiler, json.dumps(v.details)) for i, v in enumerate(variants)]
        with _translate(self.path, "written"), self._transaction():
            self._connection.executemany("INSERT OR REPLACE INTO variant VALUES (?, ?, ?, ?, ?)", rows)

    def variants(self) -> list[Variant]:
        """The variants in their order."""
        with _translate(self.path, "read"):
            rows = self._connection.execute("SELECT name, node, profiler, details FROM variant ORDER BY number")
            return [Variant(_text(n), _text(node), _text(p), json.loads(details)) for n, node, p, details in rows]

    # ---- trials

    def write_trial(self, trial: Trial) -> None:
        """Store one trial in one transaction. A failed trial of the same variant and block gives way to it."""
        with _translate(self.path, "written"), self._transaction():
            self._connection.execute(
                "DELETE FROM trial WHERE variant = ? AND block = ? AND status != 'ok'", (trial.variant, trial.block)
            )
            number = self._connection.execute(
                "INSERT INTO trial (variant, block, position, status, error, started, scalars) VALUES (?,?,?,?,?,?,?)",
                (trial.variant, trial.block, trial.position, "ok" if trial.ok else "failed", trial.error,
                 trial.started, json.dumps(trial.scalars)),
            ).lastrowid  # fmt: skip
            self._connection.executemany(
                "INSERT INTO series VALUES (?, ?, ?)",
                [(number, name, _to_bytes(values)) for name, values in trial.series.items()],
            )
            self._connection.executemany(
                "INSERT INTO profile VALUES (?, ?, ?, ?)",
                [(number, i, trial.merged, data) for i, data in enumerate(trial.profiles)],
            )

    def trials(self, *, profiles: bool = False) -> list[Trial]:
        """All trials in the order in which they ran; with their profiles only when asked, since these are large."""
        with _translate(self.path, "read"):
            trials: dict[int, Trial] = {}
            for number, variant, block, position, error, started, scalars in self._connection.execute(
                "SELECT id, variant, block, position, error, started, scalars FROM trial ORDER BY block, position"
            ):
                why = None if error is None else _text(error)
                trials[number] = Trial(
                    _text(variant), _whole(block), _whole(position), _text(started), why, json.loads(scalars)
                )
            for number, name, data in self._connection.execute("SELECT trial, name, data FROM series"):
                trials[number].series[name] = _from_bytes(data)
            if profiles:
                for number, merged, data in self._connection.execute(
                    "SELECT trial, merged, data FROM profile ORDER BY trial, number"
                ):
                    trials[number].profiles.append(data)
                    trials[number].merged = merged
            return list(trials.values())

    def stored_profiles(self) -> list[StoredProfiles]:
        """What is kept of each trial's profiles, for the trials that have any; the data are not read."""
        with _translate(self.path, "read"):
            return [
                StoredProfiles(_text(variant), *map(_whole, counts))
                for variant, *counts in self._connection.execute(
                    "SELECT variant, block, count(*), max(max(merged), count(*)), sum(length(data)) FROM profile "
                    "JOIN trial ON trial.id = profile.trial GROUP BY trial.id ORDER BY block, position"
                )
            ]

    def read_profiles(self, variant: str, block: int | None = None) -> list[bytes]:
        """The profiles of one variant, gzip'ed pprof; of one block where ``block`` is given."""
        with _translate(self.path, "read"):
            rows = self._connection.execute(
                "SELECT data FROM profile JOIN trial ON trial.id = profile.trial "
                "WHERE variant = ? AND block = ifnull(?, block) ORDER BY block, number",
                (variant, block),
            )
            return [data for (data,) in rows]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # after some errors SQLite has already rolled back
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")  # else what belongs to a trial that is replaced would stay
    return connection


def in_use(path: Path) -> bool:
    """Whether another pyprof is writing this results file."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise ResultsError(f"another pyprof is writing {path}: wait for it, or choose another name with -o") from error


def _remove(path: Path, opened: IO[bytes]) -> None:
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_ino == os.fstat(opened.fileno()).st_ino:
            path.unlink()


def set_aside(path: Path) -> Path:
    """Rename a results file by the date of its end, and return where it is. ResultsError while it is being written."""
    with path.open("rb") as file:
        _lock(file, path)
        stamp = datetime.datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y%m%d-%H%M%S")
        names = (f"{path.stem}-{stamp}{'' if n == 1 else f'-{n}'}{path.suffix}" for n in itertools.count(1))
        aside = next(free for free in map(path.with_name, names) if not free.exists())
        path.rename(aside)
    return aside


def check_writable(path: Path) -> None:
    """ResultsError unless a new file can be made at ``path``; makes its folder. For before anything long is begun."""
    if path.exists():
        raise ResultsError(f"{path} exists already: choose another name with -o, or see it with: pyprof report {path}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb"):
            pass
        path.unlink()
    except OSError as error:
        raise ResultsError(
            f"{path} cannot be written ({error.strerror}): choose another place with -o FILE.pyprof"
        ) from error


@contextmanager
def _translate(path: Path, verb: str) -> Iterator[None]:
    """SQLite's errors, and those of reading what cannot be what was written, as ResultsError."""
    try:
        yield
    except (LookupError, TypeError, ValueError) as error:  # SQLite's own messages need not be UTF-8, either
        if verb == "read":
            raise ResultsError(f"{path} is damaged: {error}") from error
        raise
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise ResultsError(f"{path} is not a pyprof results file") from error
        if "full" in str(error):
            raise DiskFullError(
                f"{path} cannot be {verb}: the disk is full; make room, or use another with -o"
            ) from error
        raise ResultsError(f"{path} cannot be {verb}: {str(error).partition(chr(10))[0]}") from error


def _text(value: object) -> str:
    """TypeError where a damaged file has something else: SQLite keeps any type in any column."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} stands where text should")
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} stands where a whole number should")
    return value


def _to_bytes(values: array[float]) -> bytes:
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _from_bytes(data: bytes) -> array[float]:
    values = array("d", data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
