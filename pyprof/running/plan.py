"""The plan: which trial runs when. The same experiment with the same seed gives the same plan."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from pyprof.experiment import Experiment
from pyprof.trials import Variant

#: What starting, settling and ending a trial takes beside its warm-up and its window, seconds; replaced by what is
#: measured as soon as trials have run.
TRIAL_OVERHEAD = 1.0


@dataclass(frozen=True)
class PlannedTrial:
    """One trial to run. ``block`` counts from 1 (0: a Node's discarded trial), ``position`` from 0."""

    variant: Variant
    block: int
    position: int


def make_plan(experiment: Experiment, variants: Sequence[Variant]) -> list[list[PlannedTrial]]:
    """The blocks, each with every variant once, in an order shuffled by the seed and the block's number."""
    blocks = []
    for block in range(1, experiment.blocks + 1):
        order = list(variants)
        random.Random(f"pyprof {experiment.seed} block {block}").shuffle(order)
        blocks.append([PlannedTrial(variant, block, position) for position, variant in enumerate(order)])
    return blocks


def discarded(variants: Sequence[Variant]) -> list[PlannedTrial]:
    """One trial per Node whose results are thrown away: it fills the disk cache that the first would pay for."""
    first: dict[str, Variant] = {}
    for variant in variants:
        first.setdefault(variant.node, variant)
    return [PlannedTrial(variant, 0, position) for position, variant in enumerate(first.values())]


def shortened(experiment: Experiment) -> tuple[float, float]:
    """Warm-up and duration of a discarded trial, seconds."""
    return min(1.0, experiment.warmup), min(2.0, experiment.duration)


def estimate(experiment: Experiment, n_trials: int, n_discarded: int) -> float:
    """Seconds that the trials will take, before anything was measured."""
    at_once = len(experiment.profilers) * len(experiment.nodes) if experiment.concurrent else 1
    return -(-n_trials // at_once) * (experiment.warmup + experiment.duration + TRIAL_OVERHEAD) + n_discarded * (
        sum(shortened(experiment)) + TRIAL_OVERHEAD
    )
