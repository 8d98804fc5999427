"""One comparison from beginning to end: outlook, preparation, trials, results."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from pyprof import environment, experiment, settling
from pyprof.comparison import Comparison, Results, from_results
from pyprof.errors import ResultsError
from pyprof.experiment import Experiment
from pyprof.nodes import Cache, Npm, Store
from pyprof.results import ResultsFile, check_writable, set_aside
from pyprof.running import plan
from pyprof.running.prepare import Prepared, needs, prepare
from pyprof.running.progress import Outlook, Progress
from pyprof.running.runner import Runner, logs_folder
from pyprof.verdicts import Outcome, judge


def compare(
    preset: str | None = None,
    *,
    nodes: Sequence[str] | None = None,
    profilers: Sequence[str] | None = None,
    output: str | Path | None = None,
    quick: bool = False,
    offline: bool = False,
    progress: Progress | None = None,
    executor: Executor | None = None,
    **settings: Any,
) -> Comparison:
    """Run an experiment and return what it showed.

    ``preset`` is a preset's name or a TOML file; ``settings`` are the fields of `pyprof.experiment.Experiment`, such
    as ``blocks=5``, ``duration="8s"`` (or seconds), ``workload="express"``, ``app="server.js"``, ``seed=1``.
    ``output`` keeps the results file; without it, it is removed after it was read. Raises the errors of
    `pyprof.errors`; a trial that fails in a later block leaves a comparison with ``failed`` trials.
    """
    made = experiment.load(preset, quick=quick, nodes=nodes, profilers=profilers, **settings)
    progress = progress or Progress()
    if output is not None:
        return run_experiment(made, Path(output), offline=offline, progress=progress, executor=executor)
    with tempfile.TemporaryDirectory(prefix="pyprof-") as folder:
        comparison = run_experiment(
            made, Path(folder) / "compare.pyprof", offline=offline, progress=progress, executor=executor
        )
        comparison.path = None
        return comparison


def run_experiment(
    made: Experiment,
    path: Path,
    *,
    offline: bool = False,
    progress: Progress,
    executor: Executor | None = None,
    make_way: bool = False,
) -> Comparison:
    """Run ``made`` into a new results file at ``path``; with ``make_way`` an older one there is renamed, never lost."""
    prepared = _prepare_new(made, path, offline=offline, progress=progress, make_way=make_way)
    with _new_results(path, made, prepared) as results:
        Runner(made, prepared, results, progress, executor).run()
    return Results.open(path)


def _prepare_new(made: Experiment, path: Path, *, offline: bool, progress: Progress, make_way: bool) -> Prepared:
    """Get ready for a new file; an older one makes way only when all is there, so that a failure moves nothing."""
    if not (make_way and path.exists()):
        check_writable(path)
    prepared = get_ready(made, path, offline=offline, progress=progress)
    if make_way and path.exists():
        progress.note(f"{path} existed: it is now {set_aside(path)}")
    return prepared


@contextlib.contextmanager
def _new_results(path: Path, made: Experiment, prepared: Prepared) -> Iterator[ResultsFile]:
    """A new results file; a run that ends before its first trial leaves none that would stand in the next one's way."""
    about = environment.describe() | {
        "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "dropped": list(prepared.dropped),
    }
    with ResultsFile.create(path, made, about) as results:
        results.write_variants(prepared.variants)
        try:
            yield results
        except BaseException:
            if not results.trials():
                results.discard()
            raise


def extend(
    path: Path, blocks: int, *, offline: bool = False, progress: Progress, executor: Executor | None = None
) -> Comparison:
    """Go on with ``blocks`` more blocks (0: none) by the same plan and seed; missing and failed trials are run too.

    More than the plan means that somebody has looked before: verdicts are then a confidence sequence's.
    """
    with ResultsFile.open_existing(path, write=True) as results:
        made = dataclasses.replace(results.experiment(), blocks=results.experiment().blocks + blocks)
        n_done = sum(trial.ok for trial in results.trials())
        prepared = get_ready(made, path, offline=offline, progress=progress, n_trials=made.n_trials - n_done)
        _check_same(path, results, prepared)
        if blocks:
            results.write_document("sequential", True)
            results.write_document("experiment", made.to_json())
        Runner(made, prepared, results, progress, executor).run()
    return Results.open(path)


def run_until_settled(
    made: Experiment, path: Path, *, budget: float, offline: bool = False, progress: Progress, make_way: bool = False
) -> Comparison:
    """Run the plan, then block by block until every margin is settled or ``budget`` seconds would be exceeded."""
    begun = time.monotonic()
    prepared = _prepare_new(made, path, offline=offline, progress=progress, make_way=make_way)
    with _new_results(path, made, prepared) as results:
        results.write_document("sequential", True)
        while True:
            Runner(made, prepared, results, progress, None).run()
            outcome = judge(from_results(results)).outcome
            elapsed = time.monotonic() - begun
            if outcome is not Outcome.INCONCLUSIVE:
                break
            if elapsed * (made.blocks + 1) / made.blocks > budget:
                progress.note(f"not settled after {made.blocks} blocks, and another would exceed the budget")
                break
            made = dataclasses.replace(made, blocks=made.blocks + 1)
            results.write_document("experiment", made.to_json())
            progress.note(f"not settled after {made.blocks - 1} blocks: one more")
    return Results.open(path)


def _check_same(path: Path, results: ResultsFile, prepared: Prepared) -> None:
    before, now = results.variants(), prepared.variants
    for old, new in zip(before, now, strict=False):
        if old.name == new.name and old.details.get("contents") != new.details.get("contents"):
            raise ResultsError(
                f"{path} was made with another state of {new.profiler}: do not mix them; start a new file"
            )
    if [(v.name, v.details["version"]) for v in before] != [(v.name, v.details["version"]) for v in now]:
        raise ResultsError(
            f"{path} was made with {', '.join(v.name for v in before)}, but this machine would now run "
            f"{', '.join(v.name for v in now)}: do not mix them; start a new file"
        )


def get_ready(
    made: Experiment, path: Path, *, offline: bool, progress: Progress, n_trials: int | None = None
) -> Prepared:
    """Say what is to come (``n_trials``, or all of the plan), then fetch and build what is missing."""
    store = open_store(offline=offline, progress=progress)
    announce(made, store, progress, n_trials)
    return prepare(made, store, logs_folder(path))


def open_store(*, offline: bool, progress: Progress) -> Store:
    """The cache of this user, with the npm that fills it."""
    cache = Cache()
    return Store(cache, Npm(cache, offline, announce=progress.note), announce=progress.note)


def announce(made: Experiment, store: Store, progress: Progress, n_trials: int | None = None) -> None:
    """Say what a run of ``made`` (of ``n_trials`` of it) would do, and what it needs. Uses no network."""
    n_trials = made.n_trials if n_trials is None else n_trials
    n_discarded = len(made.nodes) if n_trials else 0
    needed = needs(made, store)
    progress.outlook(
        Outlook(
            n_trials=n_trials,
            seconds=plan.estimate(made, n_trials, n_discarded) + sum(need.seconds for need in needed),
            megabytes=sum(need.megabytes for need in needed),
            cache=str(store.cache.root),
            to_prepare=tuple(need.what for need in needed),
        )
    )
    unsettled = settling.outlook(made)
    if unsettled:
        progress.note(unsettled)
