"""What an experiment showed: each variant's metrics, and each candidate against each baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyprof import metrics
from pyprof.contrast import FEW, Contrast, compare_variants, paired_test
from pyprof.errors import ResultsError
from pyprof.experiment import Experiment
from pyprof.measured import VariantResult, measure
from pyprof.results import ResultsFile
from pyprof.suggest import nearest
from pyprof.trials import Trial


@dataclass(repr=False)
class Comparison(Mapping[str, VariantResult]):
    """What one results file shows. A mapping from a variant's name to its results.

    ``comparisons`` are the candidates' against the baselines, ``identical`` those of a baseline against itself, which
    ran twice per block (``--aa``).
    """

    experiment: Experiment
    environment: dict[str, Any]
    variants: dict[str, VariantResult]
    comparisons: list[Contrast]
    identical: list[Contrast]
    path: Path | None = None
    sequential: bool = False  # somebody may have looked between blocks: limits must allow for that
    later_margins: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> VariantResult:
        try:
            return self.variants[name]
        except KeyError:
            known = ", ".join(repr(key) for key in self.variants)
            raise KeyError(f"there is no variant {name!r}{nearest(name, self.variants)}; there are: {known}") from None

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(map(repr, self))} in {self.experiment.blocks} blocks>"

    def __iter__(self) -> Iterator[str]:
        return iter(self.variants)

    def __len__(self) -> int:
        return len(self.variants)

    def contrast(self, metric: str, candidate: str, baseline: str | None = None) -> Contrast:
        """The comparison of two variants by name in one metric; the first baseline of that Node where none is named."""
        names = candidate, baseline or self.first_baseline(candidate)
        for contrast in (*self.comparisons, *self.identical):
            if (contrast.metric.name, contrast.candidate, contrast.baseline) == (metric, *names):
                return contrast
        return compare_variants(metrics.find(metric), *(self[name] for name in names))

    def interaction(self, metric: str, profiler: str, baseline: str, node: str, other: str) -> Contrast:
        """How much more ``profiler`` differs from ``baseline`` on ``node`` than it does on ``other``.

        "Leaks here, not there" as one test: the difference of the two differences, paired by block. For a ratio it is
        the ratio of the ratios.
        """
        here, there = (self.contrast(metric, f"{where} {profiler}", f"{where} {baseline}") for where in (node, other))
        pairs = [
            (here.differences[i], there.differences[there.blocks.index(block)])
            for i, block in enumerate(here.blocks)
            if block in there.blocks
        ]
        name = f"{profiler} - {baseline}"
        if len(pairs) < 2:
            return Contrast(
                node, here.metric, f"{other} {name}", f"{node} {name}", len(pairs), here.relative, reason=FEW
            )
        found = paired_test([a for a, _ in pairs], [b for _, b in pairs], here.relative)
        return Contrast(node, here.metric, f"{other} {name}", f"{node} {name}", len(pairs), here.relative, **found)

    def first_baseline(self, candidate: str) -> str:
        """The name of the first baseline on the candidate's Node."""
        node, profiler = self[candidate].node, self.experiment.baselines[0]
        return next(v.name for v in self.variants.values() if (v.node, v.profiler) == (node, profiler))

    @property
    def nodes(self) -> list[str]:
        """The Nodes in their order."""
        return list(dict.fromkeys(variant.node for variant in self.variants.values()))

    @property
    def margins(self) -> tuple[str, ...]:
        """Those recorded before the run, then those given later."""
        recorded = self.experiment.margins
        return (*recorded, *(text for text in self.later_margins if text not in recorded))

    @property
    def failed(self) -> list[Trial]:
        """The trials that gave no valid measurement."""
        return [trial for variant in self.variants.values() for trial in variant.failed]

    @property
    def n_missing(self) -> int:
        """Trials of the plan that were not run or failed."""
        return self.experiment.blocks * len(self.variants) - sum(len(v.trials) for v in self.variants.values())

    def _repr_html_(self) -> str:
        from pyprof.report import html

        return html.render(self)


class Results:
    """Opens results files."""

    @staticmethod
    def open(path: str | Path) -> Comparison:
        """The comparison that a results file holds. ResultsError where it is no such file."""
        with ResultsFile.open_existing(Path(path)) as results:
            try:
                return from_results(results)
            except (AttributeError, KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
                raise ResultsError(f"{path} is damaged: {error!r}") from error


def from_results(results: ResultsFile) -> Comparison:
    """Compute the comparison anew from the raw series."""
    experiment, variants = results.experiment(), results.variants()
    by_variant: dict[str, list[Trial]] = {variant.name: [] for variant in variants}
    for trial in results.trials():
        by_variant[trial.variant].append(trial)
    shown = {variant.name: measure(variant, by_variant[variant.name]) for variant in variants}
    contrasts = list(_contrasts(experiment, shown))
    return Comparison(
        experiment,
        results.read_document("environment", {}),
        shown,
        [contrast for contrast in contrasts if not shown[contrast.candidate].again],
        [contrast for contrast in contrasts if shown[contrast.candidate].again],
        results.path,
        results.read_document("sequential", False),
    )


def _contrasts(experiment: Experiment, variants: Mapping[str, VariantResult]) -> Iterator[Contrast]:
    for baseline in variants.values():
        if baseline.again or baseline.profiler not in experiment.baselines:
            continue
        again = next((v for v in variants.values() if v.variant.repeats(baseline.variant)), None)
        for candidate in variants.values():
            if candidate.node != baseline.node or candidate is baseline or (candidate.again and candidate is not again):
                continue
            for metric in metrics.all_metrics().values():
                if candidate.metrics[metric.name].n and baseline.metrics[metric.name].n:
                    yield compare_variants(metric, candidate, baseline, None if candidate is again else again)
