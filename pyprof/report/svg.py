"""The report's picture: RSS over time, as SVG. Needs matplotlib (the extra ``plot``)."""

from __future__ import annotations

import io

from pyprof.comparison import Comparison
from pyprof.plots import plot_rss

SUFFIX = ".svg"


def render(comparison: Comparison) -> str:
    """The picture as SVG text; the same results give the same text."""
    figure = plot_rss(comparison)
    import matplotlib as mpl

    made = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "pyprof"}):
        figure.savefig(made, format="svg", metadata={"Date": None})
    return made.getvalue()
