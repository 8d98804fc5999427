"""The statistics of the C core: t tests, description, robust slope, effective sample size, planning.

Inputs are sequences of finite numbers, or one-dimensional buffers of float64 (numpy arrays), which are faster. Bad
input is a ``ValueError`` or ``TypeError`` that names the parameter. Methods, sources and limits: the head of each
``csrc/stats_*.c``.
"""

from pyprof._core import (
    Description,
    SlopeResult,
    TTestResult,
    describe,
    effective_sample_size,
    log_two_sided_t,
    paired,
    required_blocks,
    settleable_margin,
    student,
    t_quantile,
    theil_sen,
    welch,
)

__all__ = [
    "Description",
    "SlopeResult",
    "TTestResult",
    "describe",
    "effective_sample_size",
    "log_two_sided_t",
    "paired",
    "required_blocks",
    "settleable_margin",
    "student",
    "t_quantile",
    "theil_sen",
    "welch",
]
