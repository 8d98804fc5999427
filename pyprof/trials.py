"""What runs and what a run of it gave: variants and trials, as plain data."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from typing import Any

#: Ends the name of a baseline's second arm, which `--aa` adds.
AGAIN = ":again"


@dataclass(frozen=True)
class Variant:
    """One (Node, profiler). ``name`` is unique in its experiment; ``details`` holds what ran: paths, versions, ABI."""

    name: str
    node: str
    profiler: str
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def again(self) -> bool:
        """Whether this is a baseline's second arm, which does the very same."""
        return self.profiler.endswith(AGAIN)

    def repeats(self, other: Variant) -> bool:
        """Whether this is the second arm of ``other``."""
        return (self.node, self.profiler) == (other.node, other.profiler + AGAIN)


@dataclass
class Trial:
    """One fresh process of one variant, as measured.

    ``scalars`` and ``series`` are described in `pyprof.running.trial`. ``profiles`` are gzip'ed pprof: one merged
    profile, or all, or none, as the experiment asked.
    """

    variant: str
    block: int
    position: int
    started: str
    error: str | None = None
    scalars: dict[str, float] = field(default_factory=dict)
    series: dict[str, array[float]] = field(default_factory=dict, repr=False)
    profiles: list[bytes] = field(default_factory=list, repr=False)
    merged: int = 0

    @property
    def ok(self) -> bool:
        """Whether the trial gave a valid measurement."""
        return self.error is None

    def percentile(self, series: str, share: float) -> float | None:
        """The least value that ``share`` of a series does not exceed; None where it has none."""
        values = sorted(self.series.get(series, ()))
        return values[math.ceil(share * len(values)) - 1] if values else None

    @property
    def voided(self) -> bool:
        """Whether the machine, and not the variant, may have made it fail."""
        return bool(self.scalars.get("voided"))
