"""pprof profiles: read, merge, aggregate, write."""

from __future__ import annotations

from enum import IntEnum
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

from pyprof import _core
from pyprof.errors import ProfileFormatError, ProfileLimitError

if TYPE_CHECKING:
    from collections.abc import Sequence

GranularityName = Literal["functions", "filefunctions", "files", "lines", "addresses"]


class Granularity(IntEnum):
    """What one row of ``Profile.top`` stands for; the core's ``pp_granularity``."""

    FUNCTIONS = 0
    FILEFUNCTIONS = 1
    FILES = 2
    LINES = 3
    ADDRESSES = 4


class TopRow(NamedTuple):
    """Flat and cumulative value of one function, file, line or address, in the sample type's unit."""

    name: str
    """The function; ``[mapping]`` or ``<unknown>`` where the location has no line; empty for files."""
    filename: str
    """Empty for functions."""
    line: int
    """0 but for lines."""
    address: int
    """0 but for addresses."""
    flat: int
    """Values of the samples whose leaf this is."""
    cum: int
    """Values of the samples that have it anywhere, each counted once."""


class Profile(_core.Profile):
    """One parsed pprof profile, which never changes; ``len()`` is its number of samples.

    Names are decoded as UTF-8 with ``surrogateescape``, so that other bytes survive.
    """

    __slots__ = ()

    @classmethod
    def read(cls, source: str | PathLike[str] | bytes | bytearray | memoryview, *, max_size: int = 0) -> Self:
        """Parse a file, or the bytes of one: gzip'ed pprof or raw protobuf.

        Args:
            source: a path, or the bytes themselves.
            max_size: the most bytes that it may have after decompression; 0 is 1 GiB.

        Raises:
            ProfileFormatError: not a valid profile; ``offset`` says where.
            ProfileLimitError: larger than ``max_size``; raised before that memory is taken.
            OSError: the file cannot be read.
        """
        if isinstance(source, bytes | bytearray | memoryview):
            return _core.parse(cls, bytes(source), max_size)
        data = Path(source).read_bytes()
        try:
            return _core.parse(cls, data, max_size)
        except (ProfileFormatError, ProfileLimitError) as error:
            error.args = (f"{source}: {error}",)
            raise

    @classmethod
    def merge(cls, profiles: Sequence[_core.Profile]) -> Self:
        """One profile out of one or more: values of equal stacks and durations are summed.

        Raises:
            ValueError: no profiles, or their sample types or period types differ.
            ProfileLimitError: a sum exceeds 64 bits.
        """
        return _core.merge(cls, profiles)

    def encode(self, level: int = 6) -> bytes:
        """The profile as a gzip'ed pprof file; ``level`` is zlib's, 0 (none) to 9 (small)."""
        return self._encode(level)

    def top(
        self,
        sample_type: str | int | None = None,
        granularity: GranularityName = "functions",
        limit: int | None = None,
    ) -> list[TopRow]:
        """Rows by absolute flat value, then absolute cum, descending, then by name.

        Args:
            sample_type: a name or index of ``sample_types``; by default the profile's own default.
            granularity: what a row stands for.
            limit: the most rows; by default all.

        Raises:
            ValueError: no such sample type or granularity, or a negative limit.
        """
        try:
            by = Granularity[granularity.upper()]
        except KeyError:
            raise ValueError(
                f"granularity is {granularity!r}, but must be one of {', '.join(g.name.lower() for g in Granularity)}"
            ) from None
        if limit is not None and limit < 0:
            raise ValueError(f"limit is {limit}, but must not be negative")
        _, rows = self._top(self._column(sample_type), by, -1 if limit is None else limit)
        return [TopRow._make(row) for row in rows]

    def total(self, sample_type: str | int | None = None) -> int:
        """Sum of the absolute values of one sample type over all samples, in its unit.

        Raises:
            ValueError: no such sample type.
        """
        return self._top(self._column(sample_type), Granularity.FILES, 0)[0]

    def _column(self, sample_type: str | int | None) -> int:
        names = [name for name, _ in self.sample_types]
        column = self.default_sample_type if sample_type is None else sample_type
        if isinstance(column, str) and column in names:
            return names.index(column)
        if isinstance(column, int) and 0 <= column < len(names):
            return column
        raise ValueError(f"no sample type {column!r}: this profile has {', '.join(names)}")

    def __repr__(self) -> str:
        types = ", ".join(f"{name}/{unit}" for name, unit in self.sample_types)
        return f"<{type(self).__name__}: {len(self)} samples of ({types}), {self.duration_nanos / 1e9:.3g} s>"
