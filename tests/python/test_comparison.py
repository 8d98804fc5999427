from __future__ import annotations

import json
import math
import random
import statistics
from pathlib import Path

import jsonschema
import pytest
from helpers import made_results
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

from pyprof import Comparison, Results, report
from pyprof.errors import EXIT_NOT_MEASURED, EXIT_PASS, UsageError
from pyprof.metrics import all_metrics
from pyprof.report import json as json_report
from pyprof.report import markdown, tables
from pyprof.trials import Trial
from pyprof.verdicts import exit_code, judge

PROFILERS = ("none", "keep", "recreate")


def _leaky(profiler: str, block: int, rng: random.Random) -> Trial:
    growth = 2220.0 if profiler == "keep" else 10.0
    return made_results.trial(
        profiler, block, rss_mib=50 + 3 * block + rng.random(), growth_kib_s=growth * rng.uniform(0.9, 1.1)
    )


@pytest.fixture
def comparison(tmp_path: Path) -> Comparison:
    return Results.open(made_results.write(tmp_path / "x.pyprof", PROFILERS, _leaky, blocks=5))


def test_the_comparison_is_a_mapping_by_unique_names(comparison: Comparison) -> None:
    assert list(comparison) == ["none", "keep", "recreate"]
    assert comparison["keep"].profiler == "keep"
    with pytest.raises(
        KeyError, match=r"no variant 'kep' \(did you mean 'keep'\?\); there are: 'none', 'keep', 'recreate'"
    ):
        comparison["kep"]
    with pytest.raises(KeyError, match=r"no metric 'rs' \(did you mean 'rss'\?\); there are: cpu_per_request"):
        comparison["keep"].metrics["rs"]
    with pytest.raises(KeyError, match="no metric 'nope'; there are: "):
        comparison.contrast("nope", "keep")
    assert comparison["keep"].metrics.get("nope") is None


def test_a_metric_has_one_value_per_process(comparison: Comparison) -> None:
    rss = comparison["recreate"].metrics["rss"]
    assert rss.n == len(rss.values) == 5
    assert rss.mean == pytest.approx(sum(rss.values) / 5)
    assert rss.se == pytest.approx(scipy_stats.sem(rss.values))


def test_ratios_are_paired_on_logs_and_equal_scipys(comparison: Comparison) -> None:
    contrast = comparison.contrast("rss", "keep", "none")
    x, y = ([math.log(value) for value in comparison[name].metrics["rss"].values] for name in ("keep", "none"))
    oracle = scipy_stats.ttest_rel(x, y)
    low, high = oracle.confidence_interval(0.95)
    assert contrast.relative
    assert contrast.n_blocks == 5
    assert contrast.p == pytest.approx(oracle.pvalue, rel=1e-9)
    assert contrast.ci_low == pytest.approx(math.expm1(low), rel=1e-9)
    assert contrast.ci_high == pytest.approx(math.expm1(high), rel=1e-9)
    assert contrast.p_welch == pytest.approx(scipy_stats.ttest_ind(x, y, equal_var=False).pvalue, rel=1e-9)


def test_hodges_and_lehmanns_estimate_is_of_the_same_differences(comparison: Comparison, tmp_path: Path) -> None:
    contrast = comparison.contrast("rss", "keep", "none")
    walsh = [(a + b) / 2 for i, a in enumerate(contrast.differences) for b in contrast.differences[i:]]
    assert contrast.center == pytest.approx(math.expm1(statistics.median(walsh)), rel=1e-9)
    assert (contrast.center_low, contrast.center_high) == (-1, math.inf)  # 5 blocks are too few for 95 %
    row = next(row for row in json_report.document(comparison)["comparisons"] if row["metric"] == "rss")
    assert row["hodges_lehmann"]["ci_low"] is row["hodges_lehmann"]["ci_high"] is None
    eight = Results.open(made_results.write(tmp_path / "eight.pyprof", PROFILERS, _leaky, blocks=8))
    found = eight.contrast("rss", "keep", "none")
    walsh = sorted((a + b) / 2 for i, a in enumerate(found.differences) for b in found.differences[i:])
    # the signed-rank distribution of 8 leaves 2.3 % below the fourth smallest
    assert found.center_low == pytest.approx(math.expm1(walsh[3]), rel=1e-9)
    assert found.center_high == pytest.approx(math.expm1(walsh[-4]), rel=1e-9)


def test_holms_p_is_over_all_comparisons_of_the_document(comparison: Comparison) -> None:
    rows = [row for row in json_report.document(comparison)["comparisons"] if row["p"] is not None]
    oracle = multipletests([row["p"] for row in rows], method="holm")[1]
    assert [row["p_holm"] for row in rows] == pytest.approx(list(oracle), rel=1e-9)


def test_an_odd_block_moves_hodges_and_lehmann_less(tmp_path: Path) -> None:
    def make(profiler: str, block: int, rng: random.Random) -> Trial:
        odd = 3.0 if (profiler, block) == ("keep", 4) else 1.0
        return made_results.trial(profiler, block, rss_mib=50 * odd * math.exp(rng.gauss(0, 0.005)))

    found = Results.open(made_results.write(tmp_path / "x.pyprof", ("none", "keep"), make, blocks=8)).contrast(
        "rss", "keep"
    )
    assert found.difference is not None
    assert found.center is not None
    assert found.difference > 0.1
    assert abs(found.center) < 0.02


def test_the_sample_level_test_is_the_originals(comparison: Comparison) -> None:
    contrast = comparison.contrast("rss", "keep", "none")
    x, y = (
        [rss / 2**20 for trial in comparison[name].trials for rss in trial.series["rss"]] for name in ("keep", "none")
    )
    assert contrast.n_samples == (1000, 1000)
    assert contrast.p_samples == pytest.approx(scipy_stats.ttest_ind(x, y).pvalue, rel=1e-9)


def test_a_leak_is_the_difference_of_slopes_in_kib_per_profile(comparison: Comparison) -> None:
    contrast = comparison.contrast("leak", "keep", "recreate")
    assert not contrast.relative
    assert contrast.difference == pytest.approx(221.0, rel=0.1)
    assert contrast.ci_low is not None
    assert contrast.ci_low > 150
    clean = comparison.contrast("leak", "recreate", "none")
    assert clean.ci_low is not None
    assert clean.ci_high is not None
    assert clean.ci_low < 0 < clean.ci_high


def test_only_blocks_with_both_are_paired(tmp_path: Path) -> None:
    def make(profiler: str, block: int, rng: random.Random) -> Trial | None:
        if (profiler, block) == ("keep", 2):
            return None
        found = _leaky(profiler, block, rng)
        if (profiler, block) == ("none", 3):
            found.error = "it died"
        return found

    comparison = Results.open(made_results.write(tmp_path / "x.pyprof", PROFILERS, make, blocks=5))
    assert comparison.contrast("rss", "keep", "none").n_blocks == 3
    assert comparison.contrast("rss", "recreate", "none").n_blocks == 4
    assert [trial.variant for trial in comparison.failed] == ["none"]
    assert comparison.n_missing == 2
    assert exit_code(comparison, judge(comparison)) == EXIT_NOT_MEASURED
    assert "Failed: none, block 3: it died" in markdown.render(comparison)


def test_one_block_gives_means_and_no_tests(tmp_path: Path) -> None:
    comparison = Results.open(made_results.write(tmp_path / "x.pyprof", PROFILERS, _leaky, blocks=1))
    contrast = comparison.contrast("rss", "keep", "none")
    assert (contrast.p, contrast.ci_low, contrast.difference) == (None, None, None)
    assert contrast.reason is not None
    assert "two or more" in contrast.reason
    assert math.isnan(comparison["keep"].metrics["rss"].se)
    assert json_report.document(comparison)["variants"][0]["metrics"]["rss"]["standard_error"] is None
    assert exit_code(comparison, judge(comparison)) == EXIT_PASS


def test_equal_values_are_no_difference_and_never_significant(tmp_path: Path) -> None:
    comparison = Results.open(
        made_results.write(tmp_path / "x.pyprof", ("none", "keep"), lambda p, b, _: made_results.trial(p, b))
    )
    contrast = comparison.contrast("rss", "keep", "none")
    assert contrast.difference == 0
    assert contrast.p is None or math.isnan(contrast.p)
    assert json.loads(json_report.render(comparison))["schema"] == "pyprof.comparison/1"


def test_a_saturated_or_paced_load_has_no_qps() -> None:
    qps = all_metrics()["qps"]
    good, paced, saturated = (made_results.trial("none", 1) for _ in range(3))
    paced.scalars["paced"] = 1.0
    saturated.scalars["load_cpu_share"] = 0.97
    assert qps.value(good) == 400
    assert qps.value(paced) is None
    assert qps.value(saturated) is None


def test_every_metric_is_named_and_defined_in_one_place() -> None:
    names = set(all_metrics())
    assert names >= {
        "rss", "rss_peak", "uss", "heap_used", "external", "qps", "cpu_per_request", "latency_p50", "latency_p99",
        "start_pause", "stop_pause", "encode_pause", "loop_delay_p99", "startup", "leak",
    }  # fmt: skip
    for metric in all_metrics().values():
        assert metric.better in ("lower", "higher")
        assert metric.contrast in ("ratio", "difference")
        assert metric.unit in ("MiB", "1/s", "ms", "KiB")
        assert metric.description.endswith(".")


def test_json_has_what_the_schema_promises(comparison: Comparison) -> None:
    document = json.loads(json_report.render(comparison))
    assert document["schema"] == "pyprof.comparison/1"
    assert {"environment", "variants", "comparisons", "experiment"} <= set(document)
    variant = document["variants"][1]
    assert (variant["name"], variant["node"], variant["profiler"], variant["trials"]) == ("keep", "12.19.0", "keep", 5)
    rss = variant["metrics"]["rss"]
    assert len(rss["values"]) == 5
    assert {"mean", "standard_error", "unit"} <= set(rss)
    row = next(row for row in document["comparisons"] if (row["metric"], row["candidate"]) == ("rss", "keep"))
    assert row["ci_low"] <= row["difference"] <= row["ci_high"]
    assert {"node", "metric", "baseline", "candidate", "difference", "ci_low", "ci_high", "p", "p_samples"} <= set(row)


def test_markdown_is_a_table_that_can_be_pasted(comparison: Comparison) -> None:
    text = markdown.render(comparison)
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if line.startswith("|"):
            start = max(j for j in range(i + 1) if not lines[j - 1].startswith("|"))
            assert line.count("|") == lines[start].count("|"), line
    assert "| average RSS (MiB) | keep |" in text
    assert "Quick: 5 blocks" in text
    assert "blocks to settle 2 %" in text
    assert "Kept from the children: NODE\\_OPTIONS" in text or "Kept from the children: NODE_OPTIONS" in text


def test_every_row_names_its_metric_unit_and_variant(comparison: Comparison) -> None:
    for table in tables.tables(comparison):
        for row in table.rows:
            assert len(row) == len(table.columns)
            assert all(cell for cell in row)


def test_reports_are_exported_by_their_suffix(comparison: Comparison, tmp_path: Path) -> None:
    for suffix in (".md", ".json", ".svg"):
        report.export(comparison, tmp_path / f"out{suffix}")
        assert (tmp_path / f"out{suffix}").stat().st_size > 500
    with pytest.raises(UsageError, match=r"must end in one of .*\.md"):
        report.check_suffix(tmp_path / "out.docx")


def test_notebooks_show_html(comparison: Comparison) -> None:
    html = comparison._repr_html_()
    assert html.count("<table>") == html.count("</table>") >= 3
    assert "keep" in html


def test_leaks_here_not_there_is_a_difference_of_differences(tmp_path: Path) -> None:
    def make(name: str, block: int, rng: random.Random) -> Trial:
        leaks = name == "12.19.0 keep"
        return made_results.trial(name, block, growth_kib_s=(2000 if leaks else 20) * rng.uniform(0.9, 1.1))

    names = [f"{node} {profiler}" for node in ("12.14.1", "12.19.0") for profiler in ("none", "keep")]
    comparison = Results.open(made_results.write_nodes(tmp_path / "x.pyprof", names, make, blocks=4))
    found = comparison.interaction("leak", "keep", "none", "12.19.0", "12.14.1")
    assert found.n_blocks == 4
    assert found.ci_low is not None
    assert found.ci_low > 100
    same = comparison.interaction("leak", "keep", "none", "12.14.1", "12.14.1")
    assert same.difference == 0


def test_the_json_document_keeps_to_the_schema_that_is_shipped(comparison: Comparison, tmp_path: Path) -> None:
    schema = json.loads((Path(json_report.__file__).parent / "comparison.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    comparison.later_margins = ("rss=2%", "leak=8KiB")
    jsonschema.validate(json.loads(json_report.render(comparison)), schema)
    single = Results.open(made_results.write(tmp_path / "single.pyprof", PROFILERS, _leaky, blocks=1))
    jsonschema.validate(json.loads(json_report.render(single)), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema": "pyprof.comparison/0"}, schema)
