"""The statistics of the C core, under the names that scipy's users know.

- Tests of a difference: `paired` (by block: what the verdicts use), `welch`, `student`, `noninferiority`, `tost`; by
  ranks or permutation `mannwhitneyu`, `permutation_test`. `log=True` tests logarithms: ``exp()`` of the difference and
  its limits is a ratio, and a margin is given as a logarithm too (``math.log1p(0.02)``).
- Estimates with intervals: `describe`, `hodges_lehmann`, `pseudomedian`, `theil_sen`, `linregress`, `bootstrap`.
- Looking at every block: `confidence_sequence`. Many tests at once: `holm`, `benjamini_hochberg`.
- Series in time: `autocorrelation`, `effective_sample_size`.
- Planning: `power`, `required_blocks`, `settleable_margin`, `sd_limits`.

Inputs are sequences of finite numbers, or one-dimensional buffers of float64 (numpy arrays), which are faster. Bad
input is a ``ValueError`` or ``TypeError`` that names the parameter. What is random takes its `seed`, and gives the same
numbers everywhere. Long computations run without the interpreter lock. Methods, sources and limits: the head of each
``csrc/stats_*.c``.
"""

from pyprof._core import (
    BootstrapResult,
    ConfidenceSequence,
    Description,
    HodgesLehmannResult,
    LinregressResult,
    MannwhitneyuResult,
    PermutationTestResult,
    SdLimits,
    SlopeResult,
    TostResult,
    TTestResult,
    autocorrelation,
    benjamini_hochberg,
    bootstrap,
    confidence_sequence,
    describe,
    effective_sample_size,
    hodges_lehmann,
    holm,
    linregress,
    log_two_sided_t,
    mannwhitneyu,
    noninferiority,
    paired,
    permutation_test,
    power,
    pseudomedian,
    required_blocks,
    sd_limits,
    settleable_margin,
    student,
    t_quantile,
    theil_sen,
    tost,
    welch,
)

__all__ = [
    "BootstrapResult",
    "ConfidenceSequence",
    "Description",
    "HodgesLehmannResult",
    "LinregressResult",
    "MannwhitneyuResult",
    "PermutationTestResult",
    "SdLimits",
    "SlopeResult",
    "TTestResult",
    "TostResult",
    "autocorrelation",
    "benjamini_hochberg",
    "bootstrap",
    "confidence_sequence",
    "describe",
    "effective_sample_size",
    "hodges_lehmann",
    "holm",
    "linregress",
    "log_two_sided_t",
    "mannwhitneyu",
    "noninferiority",
    "paired",
    "permutation_test",
    "power",
    "pseudomedian",
    "required_blocks",
    "sd_limits",
    "settleable_margin",
    "student",
    "t_quantile",
    "theil_sen",
    "tost",
    "welch",
]
