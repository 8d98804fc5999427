"""Memory held outside V8's heap by objects in it (external), averaged over the turns of the profile loop."""

from __future__ import annotations

import statistics

from pyprof.trials import Trial

TITLE = "external memory"
UNIT = "MiB"
BETTER = "lower"
CONTRAST = "ratio"
ORDER = 11


def value(trial: Trial) -> float | None:
    """Mean over the loop's turns, MiB."""
    found = trial.series.get("external", ())
    return statistics.fmean(found) / 2**20 if found else None
