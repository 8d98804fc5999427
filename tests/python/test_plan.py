from __future__ import annotations

from collections import Counter

from pyprof import experiment
from pyprof.experiment import Experiment
from pyprof.running import plan
from pyprof.trials import Variant


def _variants(made: Experiment) -> list[Variant]:
    return [Variant(f"{node} {name}", node, name) for node in made.nodes for name in made.profilers]


def test_every_block_has_every_variant_once() -> None:
    made = experiment.load("recreate-cpu-profiler", seed=1)
    blocks = plan.make_plan(made, _variants(made))
    assert len(blocks) == made.blocks
    for number, block in enumerate(blocks, 1):
        assert {trial.variant.name for trial in block} == {variant.name for variant in _variants(made)}
        assert [trial.position for trial in block] == list(range(12))
        assert {trial.block for trial in block} == {number}


def test_the_seed_alone_decides_the_order() -> None:
    made = experiment.load("recreate-cpu-profiler", seed=1)
    other = experiment.load("recreate-cpu-profiler", seed=2)
    assert plan.make_plan(made, _variants(made)) == plan.make_plan(made, _variants(made))
    assert plan.make_plan(made, _variants(made)) != plan.make_plan(other, _variants(other))


def test_more_blocks_continue_the_same_plan() -> None:
    short, long = (experiment.load("recreate-cpu-profiler", seed=1, blocks=blocks) for blocks in (3, 5))
    assert plan.make_plan(long, _variants(long))[:3] == plan.make_plan(short, _variants(short))


def test_no_variant_has_a_favoured_position() -> None:
    made = experiment.load(profilers=["none", "keep", "recreate"], blocks=300, seed=5)
    first = Counter(block[0].variant.profiler for block in plan.make_plan(made, _variants(made)))
    assert all(70 < count < 130 for count in first.values())


def test_one_discarded_trial_per_node() -> None:
    made = experiment.load("recreate-cpu-profiler", seed=1)
    assert [(trial.variant.node, trial.block) for trial in plan.discarded(_variants(made))] == [
        ("12.14.1", 0),
        ("12.19.0", 0),
    ]


def test_the_estimate_counts_trials_and_their_overhead() -> None:
    made = experiment.load("recreate-cpu-profiler", quick=True)
    seconds = plan.estimate(made, made.n_trials, 2)
    assert 36 * 10 < seconds < 36 * 12 + 2 * 5
    at_once = experiment.load("recreate-cpu-profiler", quick=True, concurrent=True)
    assert plan.estimate(at_once, at_once.n_trials, 2) < 60
