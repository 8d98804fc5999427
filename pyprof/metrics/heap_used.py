"""V8's heap in use, from process.memoryUsage(), averaged over the turns of the profile loop."""

from __future__ import annotations

import statistics

from pyprof.trials import Trial

TITLE = "V8 heap used"
UNIT = "MiB"
BETTER = "lower"
CONTRAST = "ratio"
ORDER = 10


def value(trial: Trial) -> float | None:
    """Mean over the loop's turns, MiB."""
    found = trial.series.get("heap_used", ())
    return statistics.fmean(found) / 2**20 if found else None
