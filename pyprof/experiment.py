"""What to run: the experiment, from flags, a TOML file or a preset."""

from __future__ import annotations

import dataclasses
import math
import secrets
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyprof import margins, profilers, workloads
from pyprof.errors import UsageError
from pyprof.suggest import nearest
from pyprof.trials import AGAIN
from pyprof.units import parse_duration

PRESETS = Path(__file__).resolve().parent / "presets"
KEEP_PROFILES = ("all", "merged", "none")

#: Under this share of the RSS samples asked for, a trial is void.
MIN_SAMPLES_SHARE = 0.9
#: Reading RSS takes some 20 us, and Linux wakes a sleeper some 60 us late: more would be a load of its own.
MAX_SAMPLES_PER_SECOND = 1000
MAX_INTERVAL_MICROS = 2**31 - 1
#: Node's timers hold 2^31 - 1 ms: more would fire at once.
MAX_SECONDS = (2**31 - 1) // 1000

WORKLOAD = "fibonacci"  # where neither a workload nor an app is named

_DURATIONS = ("duration", "warmup", "startup_timeout", "profile_duration", "profile_gap", "interval")
_QUICK = {"blocks": 3, "warmup": 2.0, "duration": 8.0}


@dataclass(frozen=True)
class Experiment:
    """One comparison: every Node with every profiler (the variants), repeated in blocks. Times are in seconds.

    The defaults are the quick form: `none` against `recreate` on the Node of the PATH. With ``aa`` the first baseline
    runs twice per block, the second time as ``NAME:again``, which then is one of `profilers`. ``workload`` is None
    where an ``app`` of one's own runs.
    """

    name: str = "compare"
    nodes: tuple[str, ...] = ("system",)
    profilers: tuple[str, ...] = ("none", "recreate")
    baselines: tuple[str, ...] = ()
    aa: bool = False
    workload: str | None = None
    app: str | None = None
    busy_function: str | None = None
    blocks: int = 3
    duration: float = 8.0
    warmup: float = 2.0
    startup_timeout: float = 30.0
    rss_samples: int = 200
    profile_duration: float = 0.1
    profile_gap: float = 0.0
    interval: float = 0.001
    connections: int = 10
    rate: float | None = None
    seed: int = field(default_factory=lambda: secrets.randbelow(2**32))
    concurrent: bool = False
    keep_profiles: str = "merged"
    margins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.baselines and self.profilers:
            object.__setattr__(self, "baselines", (self.profilers[0],))
        object.__setattr__(self, "workload", (self.workload or WORKLOAD) if self.app is None else None)
        if self.workload is not None and self.busy_function is None:
            object.__setattr__(self, "busy_function", workloads.find(self.workload).busy_function)
        self._check()
        if self.aa:
            object.__setattr__(self, "profilers", tuple(self._with_again()))

    def _with_again(self) -> Iterator[str]:
        """The profilers, each first baseline followed by its second arm."""
        for text in self.profilers:
            if not text.endswith(AGAIN):
                yield text
                if text == self.baselines[0]:
                    yield text + AGAIN

    def _check(self) -> None:
        if not self.name or self.name.startswith(".") or not self.name.isprintable() or "/" in self.name:
            raise UsageError(
                f"name: {self.name!r} must do as a file's name: not empty, printable, without '/' and no '.' at first"
            )
        self._check_names()
        self._check_profilers()
        self._check_counts()
        self._check_times()
        object.__setattr__(self, "margins", tuple(str(margins.parse(text)) for text in self.margins))
        if len(set(self.margins)) < len(self.margins):
            raise UsageError(f"--margin: {', '.join(self.margins)}: name each margin once")

    def _check_names(self) -> None:
        for what, values in (("--node", self.nodes), ("--profiler", self.profilers), ("--baseline", self.baselines)):
            if not values:
                raise UsageError(f"{what}: name at least one")
            for value in values:
                if values.count(value) > 1:
                    raise UsageError(f"{what} {value} is given twice; name each once")
        for baseline in self.baselines:
            if baseline not in self.profilers:
                known = ", ".join(self.profilers)
                raise UsageError(
                    f"--baseline {baseline} is not among the profilers{nearest(baseline, self.profilers)} ({known})"
                )
        if self.app is not None and not Path(self.app).is_file():
            raise UsageError(f"--app {self.app}: there is no such file")
        if self.keep_profiles not in KEEP_PROFILES:
            raise UsageError(f"--keep-profiles {self.keep_profiles}: must be one of {', '.join(KEEP_PROFILES)}")

    def _check_profilers(self) -> None:
        seen: dict[tuple[object, ...], str] = {}
        for text in self.profilers:
            parsed = profilers.parse(text)
            if text.endswith(AGAIN):
                if not (self.aa and text == self.baselines[0] + AGAIN):
                    raise UsageError(f"--profiler {text}: give --aa to run the baseline a second time in each block")
                continue
            same = seen.setdefault((parsed.adapter, parsed.package, parsed.idle), text)
            if same != text:
                raise UsageError(f"--profiler {text} is the same as --profiler {same}; name each once")

    def _check_counts(self) -> None:
        for what, number, least, most in (
            ("--blocks", self.blocks, 1, 100_000),
            ("--rss-samples", self.rss_samples, 2, 1_000_000),
            ("--connections", self.connections, 1, 10_000),
        ):
            if number < least:
                raise UsageError(f"{what} {number}: must be {least} or more")
            if number > most:
                raise UsageError(f"{what} {number}: must be {most} or less")
        if self.rate is not None and not (math.isfinite(self.rate) and self.rate > 0):
            raise UsageError(f"--rate {self.rate:g}: must be more than 0 requests a second")
        if self.rate is not None and 1 / self.rate > MAX_SECONDS:
            raise UsageError(f"--rate {self.rate:g}: fewer than one request in {MAX_SECONDS // 86400} days")

    def _check_times(self) -> None:
        for what, seconds in (
            ("--duration", self.duration),
            ("--startup-timeout", self.startup_timeout),
            ("--profile-duration", self.profile_duration),
            ("--interval", self.interval),
        ):
            if seconds <= 0:
                raise UsageError(f"{what}: must be more than 0")
        for name in _DURATIONS:
            if getattr(self, name) > MAX_SECONDS:
                raise UsageError(f"--{name.replace('_', '-')}: must be {MAX_SECONDS // 86400} days or less")
        if not 1 <= round(self.interval * 1e6) <= MAX_INTERVAL_MICROS:
            raise UsageError(f"--interval: must be from 1us to {MAX_INTERVAL_MICROS // 10**6}s")
        if self.rss_samples > MAX_SAMPLES_PER_SECOND * self.duration:
            raise UsageError(
                f"--rss-samples {self.rss_samples} in {self.duration:g} s is more than {MAX_SAMPLES_PER_SECOND} a "
                "second: take fewer, or a longer --duration"
            )
        if self.profile_duration > self.duration and any(profilers.parse(text).collects for text in self.profilers):
            raise UsageError(
                f"--profile-duration {self.profile_duration:g}s is longer than --duration {self.duration:g}s: "
                "no profile would be measured"
            )

    @property
    def n_trials(self) -> int:
        """Trials that are kept: variants × blocks."""
        return len(self.nodes) * len(self.profilers) * self.blocks

    def to_json(self) -> dict[str, Any]:
        """Plain values, for the results file."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Experiment:
        """The inverse of `to_json`; `app` is not looked for, since a report may be made elsewhere.

        KeyError or TypeError where ``values`` is something else.
        """
        made = object.__new__(cls)
        defaults = {f.name: f.default for f in dataclasses.fields(cls)} | {"seed": values["seed"]}
        for name, value in {**defaults, **values}.items():
            object.__setattr__(made, name, tuple(value) if isinstance(value, list) else value)
        if made.app is not None:  # older files name a workload that did not run
            object.__setattr__(made, "workload", None)
        return made


def preset_names() -> list[str]:
    """Names of the presets that ship with pyprof."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def load(source: str | None = None, *, quick: bool = False, **overrides: Any) -> Experiment:
    """An experiment out of a preset's name or a TOML file (or nothing), with ``overrides`` on top (None: not given).

    ``quick`` takes the file's ``[quick]`` table, or 3 blocks of 8 s after 2 s of warm-up where it has none.
    Raises UsageError that names the key and the file.
    """
    values: dict[str, Any] = {}
    if source is not None:
        path = _source_path(source)
        values = _read_toml(path)
        values.setdefault("name", path.stem)
    quick_values = values.pop("quick", _QUICK)
    if not isinstance(quick_values, dict):
        raise UsageError(f"{source}: quick must be a table, as in [quick]")
    if source is not None:
        values, quick_values = (_beside(path.parent, table) for table in (values, quick_values))
    if quick:
        values |= quick_values
    values |= {name: value for name, value in overrides.items() if value is not None}
    known = {f.name for f in dataclasses.fields(Experiment)}
    for name in values:
        if name not in known:
            where = f"{source}: " if source else ""
            raise UsageError(
                f"{where}unknown key {name!r}{nearest(name, known)}; there are: {', '.join(sorted(known))}"
            )
    return Experiment(**{name: _convert(name, value) for name, value in values.items()})


def _source_path(source: str) -> Path:
    if source in preset_names():
        return PRESETS / f"{source}.toml"
    path = Path(source)
    if path.is_file():
        return path
    raise UsageError(
        f"{source!r} is neither a preset nor a TOML file{nearest(source, preset_names())}; "
        f"presets: {', '.join(preset_names())}"
    )


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not a TOML file: {error}") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _beside(folder: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    """A file's table with its paths, which are relative to that file, as seen from the working directory."""
    seen = dict(table)
    if isinstance(seen.get("app"), str):
        seen["app"] = str(folder / seen["app"])
    for name in ("profilers", "baselines"):
        if isinstance(seen.get(name), list):
            seen[name] = [
                profilers.local.beside(folder, text) if isinstance(text, str) else text for text in seen[name]
            ]
    return seen


def _convert(name: str, value: Any) -> Any:
    """A value from TOML, the command line or Python as the field's type; UsageError where it cannot be."""
    if name in _DURATIONS:
        if not isinstance(value, str | int | float):
            raise UsageError(f"{name}: {value!r} is not a duration: write 200ms, 8s or 2m")
        return parse_duration(value, name)
    if name in ("nodes", "profilers", "baselines", "margins"):
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
            raise UsageError(f"{name}: {value!r} must be a list of names")
        return tuple(items)
    if name in ("blocks", "rss_samples", "connections", "seed"):
        right, wanted = isinstance(value, int) and not isinstance(value, bool), "a whole number"
    elif name == "rate":
        right, wanted = value is None or (isinstance(value, int | float) and not isinstance(value, bool)), "a number"
        right = right and (value is None or abs(value) < 1e300)
    elif name in ("concurrent", "aa"):
        right, wanted = isinstance(value, bool), "true or false"
    else:
        right, wanted = value is None or isinstance(value, str), "text"
    if not right:
        raise UsageError(f"{name}: {value!r} must be {wanted}")
    return value
