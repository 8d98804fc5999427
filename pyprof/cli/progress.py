"""Shows a run's progress: a live line with an estimate on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
from rich.progress import Progress as RichProgress
from rich.text import Text

from pyprof.metrics import all_metrics
from pyprof.running.progress import Outlook, Progress
from pyprof.trials import Trial
from pyprof.units import counted, format_duration


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave the exit code to the command line: rich's own would be 1, which means a regression here."""
        raise BrokenPipeError


def make_console(*, stderr: bool = False) -> Console:
    """A console; where it is no terminal, wide enough for the tables and without colours."""
    console = _Console(stderr=stderr, highlight=False, soft_wrap=False)
    if console.is_terminal:
        return console
    width = None if "COLUMNS" in os.environ else 180  # rich heeds the former
    return _Console(stderr=stderr, highlight=False, width=width, color_system=None)


class ConsoleProgress(Progress):
    """A context manager; the live line goes when it ends."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = RichProgress(
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"), console=console, transient=True,
            refresh_per_second=2, disable=not console.is_terminal,
        )  # fmt: skip
        self._task = None if self._live.disable else self._live.add_task("getting ready", total=None, left="")
        self._block = (0, 0)

    def __enter__(self) -> ConsoleProgress:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def outlook(self, outlook: Outlook) -> None:
        """The first line: what will happen."""
        download = f"{outlook.megabytes:.0f} MB to download" if outlook.megabytes else "nothing to download"
        trials, time = counted(outlook.n_trials, "trial"), format_duration(outlook.seconds)
        self._print(f"{trials}, about {time}, {download}, cache {outlook.cache}")
        if outlook.to_prepare:
            self._print(f"to get ready first: {', '.join(outlook.to_prepare)}")

    def note(self, text: str) -> None:
        """A line of its own."""
        self._print(text)

    def block_started(self, block: int, n_blocks: int) -> None:
        """Remembers the block for the lines of its trials."""
        self._block = (block, n_blocks)

    def trial_started(self, number: int, n_trials: int, variant: str) -> None:
        """The live line names what runs."""
        if self._task is None:
            if number == 0:
                self._print(f"a trial to be discarded: {variant}")
            return
        what = f"block {self._block[0]} of {self._block[1]}: {variant}" if number else f"discarded trial: {variant}"
        self._live.update(self._task, description=what, completed=max(0, number - 1), total=n_trials or None)

    def trial_finished(self, trial: Trial, number: int, n_trials: int, seconds_left: float) -> None:
        """One line per trial where there is no terminal, and the estimate."""
        left = f"about {format_duration(seconds_left)} left" if seconds_left else "done"
        if self._task is not None:
            self._live.update(self._task, completed=number, left=left)
            return
        shown = []
        for name in ("rss", "qps"):
            metric = all_metrics()[name]
            value = metric.value(trial) if trial.ok else None
            if value is not None:
                shown.append(f"{name} {value:.4g} {metric.unit}")
        result = ", ".join(shown) if trial.ok else "failed"
        self._print(
            f"[{number}/{n_trials}] block {trial.block} of {self._block[1]}: {trial.variant}: {result} ({left})"
        )

    def _print(self, text: str) -> None:
        self._console.print(Text(text), soft_wrap=True)
