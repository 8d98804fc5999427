"""Each metric on a trial whose series are known."""

from __future__ import annotations

from array import array

import pytest
from helpers import made_results

from pyprof.metrics import all_metrics, find
from pyprof.trials import Trial

MIB = 2.0**20


@pytest.fixture
def trial() -> Trial:
    """8 s at 400 answers/s, 100 profiles."""
    made = made_results.trial("keep", 1)
    made.scalars |= {"cpu": 6.4, "answers": 3200.0, "latency_p50": 1.25, "latency_p99": 17.5, "loop_delay_p99": 23.5,
                     "startup": 61.0, "vm_hwm": 91 * MIB, "uss": 44 * MIB}  # fmt: skip
    made.series |= {
        "rss": array("d", [50 * MIB, 52 * MIB] * 100),
        "heap_used": array("d", [4 * MIB, 6 * MIB, 8 * MIB]),
        "external": array("d", [1 * MIB, 2 * MIB]),
        "start_pause": array("d", [float(i) for i in range(100, 0, -1)]),
        "stop_pause": array("d", [0.5] * 98 + [9.0, 70.0]),
        "encode_pause": array("d", [0.25, 0.75]),
        "answers_per_second": array("d", [390.0, 410.0]),
    }
    return made


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cpu_per_request", 2.0),  # 6.4 s for 3,200 answers
        ("rss", 51.0),
        ("qps", 400.0),
        ("start_pause", 50.5),
        ("start_pause_p99", 99.0),
        ("stop_pause", (0.5 * 98 + 79) / 100),
        ("stop_pause_p99", 9.0),
        ("encode_pause", 0.5),
        ("rss_peak", 91.0),
        ("uss", 44.0),
        ("heap_used", 6.0),
        ("external", 1.5),
        ("latency_p50", 1.25),
        ("latency_p99", 17.5),
        ("loop_delay_p99", 23.5),
        ("startup", 61.0),
    ],
)
def test_the_value_of_a_known_trial(trial: Trial, name: str, value: float) -> None:
    assert find(name).value(trial) == pytest.approx(value)


def test_growth_is_the_slope_per_turn(trial: Trial) -> None:
    grows = made_results.trial("keep", 1, growth_kib_s=70.0)
    assert find("leak").value(grows) == pytest.approx(7.0)  # at 10 turns a second
    assert find("leak").value(trial) == pytest.approx(0.0, abs=1e-9)


def test_growth_of_a_long_trial_is_that_of_its_second_half() -> None:
    grows = made_results.trial("keep", 1)
    times = grows.series["rss_time"]
    middle = times[len(times) // 2]
    grows.series["rss"] = array("d", (1024 * (900 * t if t < middle else 900 * middle + 20 * t) for t in times))
    grows.series["turn_time"] = array("d", (8 * i / 2400 for i in range(2400)))
    grows.scalars["turns_per_second"] = 300.0
    assert find("leak").value(grows) == pytest.approx(20 / 300)
    del grows.series["turn_time"][1000:]  # too few turns in the second half: the whole window
    assert find("leak").value(grows) > 0.3  # type: ignore[operator]


def test_growth_of_v8s_heap_is_by_the_same_turns() -> None:
    made = made_results.trial("keep", 1)
    made.series["turn_time"] = array("d", (8 * i / 2400 for i in range(2400)))
    # the first half grows more, and does not count
    made.series["heap_used"] = array("d", (1024 * (9 * i if i < 1200 else 9600 + i) for i in range(2400)))
    assert find("heap_growth").value(made) == pytest.approx(1.0, rel=1e-3)
    del made.series["turn_time"][80:]
    made.series["heap_used"] = array("d", (1024 * 3 * i for i in range(80)))
    assert find("heap_growth").value(made) == pytest.approx(3 * 300 / 10)  # at the 10 turns a second that it tells


def test_growth_per_turn_is_of_the_turns_in_its_span() -> None:
    """A machine that slows the loop down in the second half changes what a turn stands for."""
    grows = made_results.trial("keep", 1, growth_kib_s=1000.0)
    middle = grows.series["rss_time"][100]
    grows.series["turn_time"] = array("d", [i / 500 for i in range(int(500 * middle))])
    grows.series["turn_time"].extend(middle + i / 300 for i in range(1190))
    grows.scalars["turns_per_second"] = 400.0
    assert find("leak").value(grows) == pytest.approx(1000 / 300, rel=1e-6)


def test_a_baselines_growth_counts_for_the_time_of_the_candidates_turn() -> None:
    """Both grow by 100 KiB/s of themselves; the candidate's profiles only take longer: that is no leak."""
    slow, fast = (made_results.trial(name, 1, growth_kib_s=100.0) for name in ("keep", "none"))
    slow.scalars["turns_per_second"], fast.scalars["turns_per_second"] = 5.0, 20.0
    leak = find("leak")
    values = leak.value(slow), leak.value(fast)
    assert values == pytest.approx((20.0, 5.0))
    assert leak.beside(5.0, fast, slow) == pytest.approx(20.0)
    assert find("rss").beside(5.0, fast, slow) == 5.0


@pytest.mark.parametrize("name", list(all_metrics()))
def test_a_trial_without_series_has_no_value(name: str) -> None:
    empty = Trial("keep", 1, 0, "then")
    assert find(name).value(empty) is None
    assert list(find(name).samples(empty)) == []


@pytest.mark.parametrize(
    ("name", "samples"), [("start_pause", 100), ("stop_pause", 100), ("encode_pause", 2), ("rss", 200), ("qps", 2)]
)
def test_samples_are_what_the_value_is_the_mean_of(trial: Trial, name: str, samples: int) -> None:
    found = find(name).samples(trial)
    assert len(found) == samples
    assert sum(found) / samples == pytest.approx(find(name).value(trial))


def test_latency_under_the_resolution_of_the_load_generator_is_no_value(trial: Trial) -> None:
    trial.scalars["latency_p50"] = 0.0
    assert find("latency_p50").value(trial) is None


def test_cpu_per_request_leads() -> None:
    assert next(iter(all_metrics())) == "cpu_per_request"


def test_an_unknown_metric_names_the_nearest() -> None:
    with pytest.raises(KeyError, match=r"no metric 'rs' \(did you mean 'rss'\?\); there are: cpu_per_request, rss"):
        find("rs")
