"""Which experiments are simulated, and the bounds that their rates must keep: the rows of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from bench import rates

Bounds = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Cell:
    """One row of a table."""

    table: str
    labels: Mapping[str, object]
    measure: Callable[..., rates.Rates]
    arguments: tuple[object, ...]
    bounds: Bounds = field(default_factory=dict)


def effects(block_sd: float, heavy: bool = False) -> str:
    """How large block effects are."""
    return f"{'heavy' if heavy else 'normal'}, {block_sd:g} × residual" if block_sd else "none"


def paired() -> Iterator[Cell]:
    """What the verdicts rest on."""
    table = "The paired t test on logarithms (nominal 5 % and 95 %; verdicts where the cost is the margin)"
    bounds = {"type I": (0.04, 0.06), "coverage": (0.94, 0.96), "false pass": (0, 0.06), "false fail": (0, 0.06)}
    for block_sd, heavy in ((0, False), (1, False), (3, False), (1, True), (3, True)):
        for n_blocks in (3, 5, 8, 10, 20):
            labels = {"block effects": effects(block_sd, heavy), "blocks": n_blocks}
            yield Cell(table, labels, rates.paired, (n_blocks, block_sd, heavy), bounds)


def disturbed() -> Iterator[Cell]:
    """Where the paired test bends."""
    kinds = {
        "rare": "5 % of trials slowed, by 50 % on average",
        "often": "20 % of trials slowed, by 20 % on average",
        "skew": "skew in one arm only",
        "correlated": "block differences correlated, 0.3",
    }
    for kind, text in kinds.items():
        bounds: Bounds = {"type I": (0, 0.06)} if kind in ("rare", "often") else {}
        for n_blocks in (3, 5, 8, 10, 20):
            labels = {"disturbance": text, "blocks": n_blocks}
            yield Cell("The same where its assumptions do not hold", labels, rates.disturbed, (n_blocks, kind), bounds)


def others() -> Iterator[Cell]:
    """What stands beside the paired test."""
    for block_sd in (0, 1, 3):
        for n_blocks in (3, 5, 8, 10, 20):
            labels = {"block effects": effects(block_sd), "blocks": n_blocks}
            table = "Other methods on such blocks: type I error at nominal 5 %"
            yield Cell(table, labels, rates.others, (n_blocks, block_sd))


def samples() -> Iterator[Cell]:
    """The test that the original table used."""
    table = "Student's test on 200 samples of one process against 200 of another that does the same"
    for between in (0, 1):
        for rho in (0, 0.5, 0.9, 0.95, 0.99):
            labels = {"processes' spread / samples'": between, "lag-1 correlation": rho}
            yield Cell(table, labels, rates.samples, (rho, between))


def bootstrap() -> Iterator[Cell]:
    """Why no verdict rests on it."""
    for n_processes in (3, 5, 10, 20, 30):
        table = "Two-level bootstrap, 95 % percentile interval (1,000 resamples)"
        yield Cell(table, {"processes an arm": n_processes}, rates.bootstrap, (n_processes,))


def sequence() -> Iterator[Cell]:
    """`--until-settled`."""
    table = "Until settled: t confidence sequence, a look after every block up to 50 (margin 2 %, residual 3 %)"
    bounds = {"false pass": (0, 0.05), "false fail": (0, 0.05)}
    for block_sd, heavy in ((0, False), (1, False), (3, False), (1, True), (3, True)):
        labels = {"block effects": effects(block_sd, heavy)}
        yield Cell(table, labels, rates.sequence, (block_sd, heavy), bounds)


def leak() -> Iterator[Cell]:
    """Preset `leak`: 3 + 3 processes of 50 s."""
    bounds: Mapping[int, Bounds] = {
        0: {"fail": (0, 0.05)},
        8: {"pass": (0, 0.06), "fail": (0, 0.06)},
        16: {"fail": (0.98, 1)},
    }
    for n_blocks in (3, 5):
        for kib in (0, 4, 8, 16):
            labels = {"blocks": n_blocks, "leaks (KiB a profile)": kib}
            yield Cell(
                "Leak: verdict against 8 KiB a profile", labels, rates.leak, (n_blocks, kib), bounds.get(kib, {})
            )


CELLS: tuple[Cell, ...] = tuple(
    cell for table in (paired, disturbed, others, samples, bootstrap, sequence, leak) for cell in table()
)
