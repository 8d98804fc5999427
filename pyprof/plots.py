"""Pictures of a comparison, by matplotlib (the extra ``plot``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyprof.comparison import Comparison
from pyprof.errors import UsageError
from pyprof.measured import VariantResult

if TYPE_CHECKING:  # matplotlib is an extra
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_rss(comparison: Comparison) -> Figure:
    """RSS (MiB) over the measured window (s): one panel per Node, one colour per profiler, one line per process."""
    try:
        from matplotlib import colormaps
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("pictures need matplotlib: pip install matplotlib") from None
    nodes = comparison.nodes
    figure = Figure(figsize=(4.6 * len(nodes) + 2.2, 3.8), layout="constrained")
    panels = figure.subplots(1, len(nodes), sharey=True, squeeze=False)[0]
    palette = colormaps["tab10"]
    colours = {profiler: palette(i % 10) for i, profiler in enumerate(comparison.experiment.profilers)}
    for panel, node in zip(panels, nodes, strict=True):
        for variant in comparison.variants.values():
            if variant.node == node:
                _draw(panel, variant, colours[variant.profiler])
        panel.set_title(f"Node {node}")
        panel.set_xlabel("time in the measured window (s)")
        panel.grid(alpha=0.25)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("RSS (MiB)")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False)
    return figure


def _draw(panel: Axes, variant: VariantResult, colour: tuple[float, float, float, float]) -> None:
    for trial in variant.trials:
        mebibytes = [size / 2**20 for size in trial.series.get("rss", ())]
        first = trial is variant.trials[0]
        panel.plot(
            trial.series.get("rss_time", ()),
            mebibytes,
            color=colour,
            linewidth=1.2,
            alpha=0.85,
            label=variant.profiler if first else None,
        )
