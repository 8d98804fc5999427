"""The report as JSON: every metric, every value, every comparison. Schema ``pyprof.comparison/1``."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

from pyprof import noise, stats
from pyprof.comparison import Comparison
from pyprof.contrast import Contrast
from pyprof.leaks import Leak, leaks
from pyprof.measured import MetricValues, VariantResult
from pyprof.metrics import all_metrics
from pyprof.verdicts import Judgement, Verdict, judge

SUFFIX = ".json"
SCHEMA = "pyprof.comparison/1"


def render(comparison: Comparison) -> str:
    """The document as text."""
    return json.dumps(document(comparison), indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def document(comparison: Comparison) -> dict[str, Any]:
    """The document as plain values; what is not finite is null."""
    return {
        "schema": SCHEMA,
        "name": comparison.experiment.name,
        "experiment": comparison.experiment.to_json(),
        "environment": comparison.environment,
        "variants": [_variant(variant) for variant in comparison.variants.values()],
        "comparisons": _contrasts(comparison.comparisons),
        "leaks": [_leak(leak) for leak in leaks(comparison)],
        "missing_trials": comparison.n_missing,
        "verdict": _judgement(judge(comparison)),
        "noise": _noise(comparison),
    }


def _variant(variant: VariantResult) -> dict[str, Any]:
    return {
        "name": variant.name,
        "node": variant.node,
        "profiler": variant.profiler,
        "trials": len(variant.trials),
        "positions": [trial.position for trial in variant.trials],
        "failed": [{"block": trial.block, "error": trial.error} for trial in variant.failed],
        "metrics": {name: _metric(values) for name, values in variant.metrics.items() if values.n},
        "details": variant.variant.details,
    }


def _metric(values: MetricValues) -> dict[str, Any]:
    return {
        "title": values.metric.title,
        "unit": values.metric.unit,
        "better": values.metric.better,
        "n": values.n,
        "mean": _finite(values.mean),
        "standard_error": _finite(values.se),
        "values": list(values.values),
        "blocks": list(values.blocks),
    }


def _contrasts(contrasts: list[Contrast]) -> list[dict[str, Any]]:
    """With Holm's p over all of them: the family is what the plan compares, whatever a report shows of it."""
    tested = [i for i, contrast in enumerate(contrasts) if _finite(contrast.p) is not None]
    adjusted = dict(zip(tested, stats.holm([contrasts[i].p or 0.0 for i in tested]), strict=True)) if tested else {}
    return [_contrast(contrast) | {"p_holm": _p(adjusted.get(i))} for i, contrast in enumerate(contrasts)]


def _contrast(contrast: Contrast) -> dict[str, Any]:
    return {
        "node": contrast.node,
        "metric": contrast.metric.name,
        "baseline": contrast.baseline,
        "candidate": contrast.candidate,
        "blocks": contrast.n_blocks,
        "relative": contrast.relative,
        "unit": "1" if contrast.relative else contrast.metric.unit,
        "difference": _finite(contrast.difference),
        "ci_low": _finite(contrast.ci_low),
        "ci_high": _finite(contrast.ci_high),
        "p": _p(contrast.p),
        "log_p": _finite(contrast.log_p),
        "hodges_lehmann": {
            "estimate": _finite(contrast.center),
            "ci_low": _finite(contrast.center_low) if _finite(contrast.center_high) is not None else None,
            "ci_high": _finite(contrast.center_high),
        },
        "p_welch": _p(contrast.p_welch),
        "p_samples": _p(contrast.p_samples),
        "log_p_samples": _finite(contrast.log_p_samples),
        "samples": list(contrast.n_samples),
        "settleable": _finite(contrast.settleable),
        "blocks_for_2_percent": contrast.blocks_needed(0.02),
        "reason": contrast.reason,
    }


def _leak(leak: Leak) -> dict[str, Any]:
    return {
        "node": leak.contrast.node,
        "baseline": leak.contrast.baseline,
        "candidate": leak.contrast.candidate,
        "unit": leak.contrast.metric.unit,
        "difference": _finite(leak.contrast.difference),
        "ci_low": _finite(leak.contrast.ci_low),
        "ci_high": _finite(leak.contrast.ci_high),
        "heap_difference": _finite(leak.heap.difference),
        "smallest_found": _finite(leak.smallest),
        "unsettled": leak.unsettled,
    }


def _noise(comparison: Comparison) -> dict[str, Any]:
    pairs = noise.naive_pairs(comparison, "rss")
    worth = noise.effective_samples(comparison, "rss")
    return {
        "naive_pairs": {"different": pairs.different, "pairs": pairs.pairs},
        "effective_samples": None if worth is None else {"samples": worth[0], "worth": worth[1]},
        "identical": [
            _contrast(contrast) | {"samples_call_it_different": noise.calls_different(contrast)}
            for contrast in comparison.identical
        ],
        "bands": [
            {"node": node, "metric": name, "half_width": _finite(half)}
            for node in comparison.nodes
            for name in all_metrics()
            if (half := noise.band(comparison, node, name)) is not None
        ],
        "warnings": list(noise.warnings(comparison)),
    }


def _judgement(judgement: Judgement) -> dict[str, Any]:
    return {
        "outcome": None if judgement.outcome is None else judgement.outcome.value,
        "rows": [_verdict(row) for row in judgement.rows],
    }


def _verdict(row: Verdict) -> dict[str, Any]:
    return {
        "outcome": row.outcome.value,
        "node": row.node,
        "baseline": row.baseline,
        "candidate": row.candidate,
        "metric": row.margin.metric.name,
        "margin": str(row.margin),
        "text": row.text,
        "blocks": row.n_blocks,
        "low": _finite(row.low),
        "high": _finite(row.high),
        "more_blocks": None if row.more_blocks is None else list(row.more_blocks),
        "method": "confidence sequence" if row.sequential else "paired t",
        "given_later": row.given_later,
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _p(value: float | None) -> float | None:
    """A p-value is never 0: the least normal double stands for what lies below it, and `log_p` tells more."""
    value = _finite(value)
    return None if value is None else max(value, sys.float_info.min)
