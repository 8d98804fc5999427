"""The report as CSV: one row per process and metric, for spreadsheets and R."""

from __future__ import annotations

import csv
import io

from pyprof.comparison import Comparison

SUFFIX = ".csv"


def render(comparison: Comparison) -> str:
    """Columns node, profiler, block, metric, unit, value; numbers in full precision."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(["node", "profiler", "block", "metric", "unit", "value"])
    for variant in comparison.values():
        for name, values in variant.metrics.items():
            for block, value in zip(values.blocks, values.values, strict=True):
                writer.writerow([variant.node, variant.profiler, block, name, values.metric.unit, repr(value)])
    return made.getvalue()
