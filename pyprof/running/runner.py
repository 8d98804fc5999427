"""Runs an experiment: prepares what it needs, runs its plan, stores each trial as soon as it has ended."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pyprof import profilers
from pyprof.errors import TrialError
from pyprof.experiment import Experiment
from pyprof.results import ResultsFile
from pyprof.running import plan
from pyprof.running.prepare import Prepared
from pyprof.running.progress import Progress
from pyprof.running.trial import TrialSpec, run_trial
from pyprof.trials import Trial, Variant

#: How often a trial is run that the machine, and not the variant, may have spoilt.
MAX_TRIES = 3


@dataclass
class _Clock:
    """The estimate of what is left: the plan's guess at first, then what trials really took."""

    guess: float
    taken: float = 0.0
    n: int = 0

    def add(self, seconds: float) -> None:
        self.taken += seconds
        self.n += 1

    def left(self, n_left: int) -> float:
        return n_left * (self.taken / self.n if self.n else self.guess)


class Runner:
    """Runs the trials of one experiment that are not yet in its results file."""

    def __init__(
        self, experiment: Experiment, prepared: Prepared, results: ResultsFile, progress: Progress,
        executor: Executor | None = None,
    ) -> None:  # fmt: skip
        self._experiment = experiment
        self._prepared = prepared
        self._results = results
        self._progress = progress
        self._executor = executor
        self._stop = threading.Event()

    def run(self) -> None:
        """Run what is missing. What was finished is stored, whatever happens, failed trials too.

        Raises TrialError as soon as a trial of block 0 or 1 fails by itself: what fails at first fails always. One that
        the machine may have spoilt does not end the run.
        """
        try:
            self._run()
        finally:
            with contextlib.suppress(OSError):  # there only are logs of failed trials in it, or there is nothing
                self._prepared.logs.rmdir()

    def _run(self) -> None:
        done = {(trial.variant, trial.block) for trial in self._results.trials() if trial.ok}
        blocks = [
            [planned for planned in block if (planned.variant.name, planned.block) not in done]
            for block in plan.make_plan(self._experiment, self._prepared.variants)
        ]
        blocks = [block for block in blocks if block]
        n_trials = len(done) + sum(map(len, blocks))
        clock = _Clock(self._experiment.warmup + self._experiment.duration + plan.TRIAL_OVERHEAD)
        n_done = len(done)
        missing = {planned.variant.name: planned.variant for block in blocks for planned in block}
        self._discard(list(missing.values()))
        for block in blocks:
            self._progress.block_started(block[0].block, self._experiment.blocks)
            for group in [block] if self._experiment.concurrent else [[planned] for planned in block]:
                begun = time.monotonic()
                for planned in group:
                    self._progress.trial_started(n_done + 1, n_trials, planned.variant.name)
                for trial in self._run_group(group):
                    self._results.write_trial(trial)
                    n_done += 1
                    if not trial.ok:
                        if trial.block == 1 and not trial.voided:
                            raise TrialError(describe_failure(trial))
                        self._progress.note(describe_failure(trial))
                    clock.add((time.monotonic() - begun) / len(group))
                    self._progress.trial_finished(trial, n_done, n_trials, clock.left(n_trials - n_done))

    def _discard(self, variants: Sequence[Variant]) -> None:
        self._progress.block_started(0, self._experiment.blocks)
        for planned in plan.discarded(variants):
            self._progress.trial_started(0, 0, planned.variant.name)
            (trial,) = self._run_group([planned])
            if not trial.ok and not trial.voided:
                raise TrialError(describe_failure(trial))

    def _run_group(self, group: Sequence[plan.PlannedTrial]) -> list[Trial]:
        """Run trials, at the same time where there are several; voided ones again, up to `MAX_TRIES` times in all."""
        trials = self._run_once(group)
        for _ in range(MAX_TRIES - 1):
            voided = {trial.variant: trial for trial in trials if trial.voided}
            if not voided:
                break
            for trial in voided.values():
                why = str(trial.error).splitlines()[0]
                self._progress.note(f"{trial.variant}, block {trial.block}: void, tried again: {why}")
            again = self._run_once([planned for planned in group if planned.variant.name in voided])
            voided |= {trial.variant: trial for trial in again}
            trials = [voided.get(trial.variant, trial) for trial in trials]
        return trials

    def _run_once(self, group: Sequence[plan.PlannedTrial]) -> list[Trial]:
        specs = [self._spec(planned) for planned in group]
        if self._executor is not None:
            return list(self._executor.map(run_trial, specs))
        if len(specs) == 1:
            return [run_trial(specs[0])]
        with ThreadPoolExecutor(len(specs)) as pool:
            futures = [pool.submit(run_trial, spec, self._stop.is_set) for spec in specs]
            try:
                return [future.result() for future in futures]
            except BaseException:
                self._stop.set()  # the pool waits for its threads, and they for nothing any more
                raise

    def _spec(self, planned: plan.PlannedTrial) -> TrialSpec:
        variant, prepared = planned.variant, self._prepared
        profiler = profilers.parse(variant.profiler)
        warmup, duration = self._experiment.warmup, self._experiment.duration
        if planned.block == 0:
            warmup, duration = plan.shortened(self._experiment)
        name = f"block-{planned.block}-{variant.name}".replace("/", "_").replace(" ", "-").replace(":", "-")
        return TrialSpec(
            variant=variant.name, block=planned.block, position=planned.position, experiment=self._experiment,
            warmup=warmup, duration=duration, node=variant.details["exec_path"], script=prepared.script,
            adapter=str(profiler.adapter), package=variant.details["package"], idle=profiler.idle,
            collects=profiler.collects, tool_node=prepared.tool_node, modules=prepared.modules,
            environment=prepared.environment, log=prepared.logs / f"{name}.log",
        )  # fmt: skip


def describe_failure(trial: Trial) -> str:
    """Which trial failed, and why."""
    which = "the discarded trial" if trial.block == 0 else f"the trial in block {trial.block}"
    return f"{trial.variant}: {which} failed: {trial.error}"


def logs_folder(path: Path) -> Path:
    """Where the logs of failed trials lie: beside the results file."""
    return path.with_name(path.stem + ".logs")
