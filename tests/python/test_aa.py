"""`--aa`: the baseline twice per block, and what the report says of that."""

from __future__ import annotations

import dataclasses
import json
import math
import random
from pathlib import Path

import jsonschema
import pytest
from helpers import made_results

from pyprof import Comparison, Results, experiment, noise, profilers
from pyprof.errors import UsageError
from pyprof.experiment import Experiment
from pyprof.report import json as json_report
from pyprof.report import markdown
from pyprof.results import ResultsFile
from pyprof.trials import Trial
from pyprof.verdicts import judge


def _make(profiler: str, block: int, rng: random.Random) -> Trial | None:
    """`keep` costs 10 %; the arms of `none` happen to differ by 1 %, of which single samples make much."""
    if (profiler, block) == ("none:again", 3):
        return None
    cost = {"none": 1.0, "none:again": 1.01, "keep": 1.1}[profiler]
    level = 50 * cost * math.exp(0.05 * math.sin(block) + rng.gauss(0, 0.03))
    made = made_results.trial(profiler, block, rss_mib=level)
    for i in range(len(made.series["rss"])):
        made.series["rss"][i] += rng.gauss(0, 20_000)
    return made


@pytest.fixture
def comparison(tmp_path: Path) -> Comparison:
    return Results.open(
        made_results.write(tmp_path / "x.pyprof", ("none", "keep"), _make, blocks=8, aa=True, margins=("rss=2%",))
    )


def test_the_baseline_runs_twice_under_a_name_of_its_own() -> None:
    made = experiment.load(profilers=["none", "keep", "recreate"], aa=True, blocks=4)
    assert made.profilers == ("none", "none:again", "keep", "recreate")
    assert made.n_trials == 16
    assert dataclasses.replace(made, blocks=5).profilers == made.profilers
    assert Experiment.from_json(json.loads(json.dumps(made.to_json()))) == made
    again = profilers.parse("none:again")
    assert (again.text, again.adapter.stem, again.collects) == ("none:again", "none", False)
    idle = experiment.load(profilers=["pprof@3.0.0:idle", "pprof@3.0.0"], aa=True).profilers
    assert idle == ("pprof@3.0.0:idle", "pprof@3.0.0:idle:again", "pprof@3.0.0")
    assert profilers.parse(idle[1]).idle


def test_a_file_can_ask_for_it(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('profilers = ["none"]\naa = true\n', encoding="utf-8")
    assert experiment.load(str(tmp_path / "mine.toml")).profilers == ("none", "none:again")
    with pytest.raises(UsageError, match="aa: 'yes' must be true or false"):
        experiment.load(aa="yes")


def test_a_second_arm_by_hand_is_refused() -> None:
    with pytest.raises(UsageError, match="--profiler none:again: give --aa"):
        experiment.load(profilers=["none", "none:again"])
    with pytest.raises(UsageError, match="--profiler keep:again: give --aa"):
        experiment.load(profilers=["none", "keep:again"], aa=True)


def test_the_second_arm_is_no_candidate(comparison: Comparison) -> None:
    assert list(comparison) == ["none", "none:again", "keep"]
    assert {contrast.candidate for contrast in comparison.comparisons} == {"keep"}
    assert {(found.candidate, found.baseline) for found in comparison.identical} == {("none:again", "none")}
    assert [row.candidate for row in judge(comparison).rows] == ["keep"]


def test_candidates_meet_the_mean_of_both_arms(comparison: Comparison) -> None:
    contrast = comparison.contrast("rss", "keep")
    arms = [comparison[name].metrics["rss"].by_block for name in ("none", "none:again")]
    assert contrast.blocks == tuple(range(1, 9))  # block 3 has one arm, and is kept
    for block, y in zip(contrast.blocks, contrast.y, strict=True):
        values = [math.log(arm[block]) for arm in arms if block in arm]
        assert y == pytest.approx(sum(values) / len(values))
    assert comparison.contrast("rss", "none:again").n_blocks == 7


def test_the_report_says_what_identical_arms_showed(comparison: Comparison) -> None:
    text = markdown.render(comparison)
    assert "### A/A, Node 12.19.0: none against itself" in text
    row = next(line for line in text.splitlines() if line.startswith("| average RSS (%) | different |"))
    assert " to " in row
    assert text.index("### Verdict") < text.index("### Node") < text.index("### A/A")
    assert noise.calls_different(comparison.contrast("rss", "none:again")) is True
    assert "| keep | " in text
    assert "change against none:again" not in text


def test_json_has_it_and_keeps_to_the_schema(comparison: Comparison) -> None:
    document = json.loads(json_report.render(comparison))
    schema = json.loads((Path(json_report.__file__).parent / "comparison.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    found = {row["metric"]: row for row in document["noise"]["identical"]}
    assert found["rss"]["candidate"] == "none:again"
    assert found["rss"]["samples_call_it_different"] is True
    assert found["rss"]["ci_low"] < found["rss"]["difference"] < found["rss"]["ci_high"]
    assert found["leak"]["samples_call_it_different"] is None
    assert document["experiment"]["aa"] is True


def test_files_from_before_are_still_read(tmp_path: Path) -> None:
    path = made_results.write(tmp_path / "x.pyprof", ("none", "keep"), _make)
    with ResultsFile.open_existing(path, write=True) as results:
        old = results.experiment().to_json()
        del old["aa"]
        results.write_document("experiment", old)
    comparison = Results.open(path)
    assert comparison.experiment.aa is False
    assert comparison.identical == []
    assert "A/A" not in markdown.render(comparison)
