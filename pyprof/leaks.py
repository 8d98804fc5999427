"""What a run says of leaks: each candidate's growth beyond its baseline's, and how small a leak it could have found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyprof import settling
from pyprof.comparison import Comparison
from pyprof.contrast import Contrast

METRIC, HEAP = "leak", "heap_growth"


@dataclass(frozen=True)
class Leak:
    """One candidate against the first baseline of its Node, in KiB per profile.

    ``smallest`` is the leak that would be told from none in nine of ten such runs (one-sided 5 %), from the spread of
    this run's block differences; None where that is not known. ``unsettled`` says why the growth may be no leak, and
    its absence no proof. ``heap`` is what V8's heap in use grew by: the rest is native memory.
    """

    contrast: Contrast
    heap: Contrast
    smallest: float | None
    unsettled: str | None


def leaks(comparison: Comparison) -> Iterator[Leak]:
    """One per candidate that has a growth to compare."""
    for contrast in comparison.comparisons:
        if contrast.metric.name == METRIC and contrast.baseline == comparison.first_baseline(contrast.candidate):
            unsettled = settling.reason(comparison[contrast.candidate], comparison[contrast.baseline])
            heap = comparison.contrast(HEAP, contrast.candidate)
            yield Leak(contrast, heap, contrast.settleable, unsettled)
