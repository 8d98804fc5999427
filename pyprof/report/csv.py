"""The report as CSV: one row per process and metric, for spreadsheets and R."""

from __future__ import annotations

import csv
import io

from pyprof.comparison import Comparison

SUFFIX = ".csv"


def render(comparison: Comparison) -> str:
    """Columns node, profiler, block, position (in the block, from 0), metric, unit, value in full precision."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(["node", "profiler", "block", "position", "metric", "unit", "value"])
    for variant in comparison.values():
        positions = {trial.block: trial.position for trial in variant.trials}
        for name, values in variant.metrics.items():
            for block, value in zip(values.blocks, values.values, strict=True):
                where = [variant.node, variant.profiler, block, positions[block]]
                writer.writerow([*where, name, values.metric.unit, repr(value)])
    return made.getvalue()
