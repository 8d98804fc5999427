"""What a run tells those who watch it. The command line, the pytest plugin and notebooks show it in their own ways."""

from __future__ import annotations

from dataclasses import dataclass

from pyprof.trials import Trial


@dataclass(frozen=True)
class Outlook:
    """What a run is going to do, known before anything is fetched, built or run."""

    n_trials: int
    seconds: float
    megabytes: float
    cache: str
    to_prepare: tuple[str, ...]


class Progress:
    """Does nothing; override what you show."""

    def outlook(self, outlook: Outlook) -> None:
        """Called once, first."""

    def note(self, text: str) -> None:
        """Something to say: a download, a build, a trial that failed."""

    def block_started(self, block: int, n_blocks: int) -> None:
        """A block begins; block 0 holds the discarded trials."""

    def trial_started(self, number: int, n_trials: int, variant: str) -> None:
        """A trial begins; ``number`` counts from 1, and is 0 for a discarded trial."""

    def trial_finished(self, trial: Trial, number: int, n_trials: int, seconds_left: float) -> None:
        """A trial was stored."""
