"""The errors that pyprof raises. Each knows the exit code that the command line ends with."""

from __future__ import annotations

EXIT_PASS = 0
EXIT_REGRESSION = 1
EXIT_USAGE = 2
EXIT_INCONCLUSIVE = 3
EXIT_NOT_MEASURED = 4
EXIT_INTERRUPTED = 130


class PyprofError(Exception):
    """Base class. The message names the cause and the next step, in one line where it can."""

    exit_code = EXIT_NOT_MEASURED


class UsageError(PyprofError):
    """What was asked for makes no sense or does not exist; nothing was run."""

    exit_code = EXIT_USAGE


class ResultsError(PyprofError):
    """A results file cannot be read or written."""

    exit_code = EXIT_USAGE


class DiskFullError(PyprofError):
    """There is no space left where pyprof must write."""


class NpmError(PyprofError):
    """npm is missing, failed, or cannot be reached."""


class OfflineError(NpmError):
    """Something is not in the cache and `--offline` forbids to fetch it. ``command`` is what would fetch it."""

    def __init__(self, message: str, command: str) -> None:
        super().__init__(message)
        self.command = command


class BuildError(PyprofError):
    """An addon or a package could not be built for a Node version."""


class TrialError(PyprofError):
    """A trial did not give a valid measurement."""


class VoidedError(TrialError):
    """The machine may have spoilt the trial: it is tried again before it counts as failed."""


class ProfileFormatError(ValueError):
    """The data are not a valid pprof profile. ``offset`` is the byte (after decompression) where the cause lies."""

    offset: int = 0


class ProfileLimitError(ValueError):
    """A profile is larger than the limit that the caller gave."""

    offset: int = 0
