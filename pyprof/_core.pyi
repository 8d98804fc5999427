from collections.abc import Sequence
from typing import Any, Final, Literal, Protocol, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, final

from typing_extensions import disjoint_base

class _Sequence(Protocol):
    """What a list of numbers, an ``array.array``, a numpy array and a pandas Series have in common."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: Any, /) -> Any: ...

_Number: TypeAlias = SupportsFloat | SupportsIndex
_Series: TypeAlias = Sequence[_Number] | _Sequence
_Groups: TypeAlias = Sequence[_Series] | _Sequence
_Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
_Design: TypeAlias = Literal["welch", "student", "paired"]
_P = TypeVar("_P", bound=Profile)

@disjoint_base
class Profile:
    @property
    def sample_types(self) -> list[tuple[str, str]]: ...
    @property
    def default_sample_type(self) -> int: ...
    @property
    def period_type(self) -> tuple[str, str]: ...
    @property
    def period(self) -> int: ...
    @property
    def time_nanos(self) -> int: ...
    @property
    def duration_nanos(self) -> int: ...
    @property
    def comments(self) -> list[str]: ...
    @property
    def n_locations(self) -> int: ...
    @property
    def n_functions(self) -> int: ...
    def __len__(self) -> int: ...
    def _encode(self, level: int, /) -> bytes: ...
    def _top(
        self, sample_type: int, granularity: int, limit: int, /
    ) -> tuple[int, list[tuple[str, str, int, int, int, int]]]: ...

def parse(cls: type[_P], data: bytes, max_size: int, /) -> _P: ...
def merge(cls: type[_P], profiles: Sequence[Profile], /) -> _P: ...
def build(
    frames: list[tuple[bytes, bytes, int, int]],
    stacks: list[tuple[list[int], int, int]],
    period: int,
    duration: int,
    /,
) -> bytes: ...

class _Result(tuple[Any, ...]):
    n_fields: int
    n_sequence_fields: int
    n_unnamed_fields: int

@final
class TTestResult(_Result):
    __match_args__: Final = ("statistic", "pvalue", "log_pvalue", "df", "difference", "ci_low", "ci_high")
    @property
    def statistic(self) -> float: ...
    @property
    def pvalue(self) -> float: ...
    @property
    def log_pvalue(self) -> float: ...
    @property
    def df(self) -> float: ...
    @property
    def difference(self) -> float: ...
    @property
    def ci_low(self) -> float: ...
    @property
    def ci_high(self) -> float: ...

@final
class Description(_Result):
    __match_args__: Final = ("n", "mean", "sd", "se", "min", "max", "median")
    @property
    def n(self) -> int: ...
    @property
    def mean(self) -> float: ...
    @property
    def sd(self) -> float: ...
    @property
    def se(self) -> float: ...
    @property
    def min(self) -> float: ...
    @property
    def max(self) -> float: ...
    @property
    def median(self) -> float: ...

@final
class SlopeResult(_Result):
    __match_args__: Final = ("slope", "intercept", "ci_low", "ci_high")
    @property
    def slope(self) -> float: ...
    @property
    def intercept(self) -> float: ...
    @property
    def ci_low(self) -> float: ...
    @property
    def ci_high(self) -> float: ...

@final
class LinregressResult(_Result):
    __match_args__: Final = ("slope", "intercept", "stderr", "intercept_stderr")
    @property
    def slope(self) -> float: ...
    @property
    def intercept(self) -> float: ...
    @property
    def stderr(self) -> float: ...
    @property
    def intercept_stderr(self) -> float: ...

@final
class TostResult(_Result):
    __match_args__: Final = (
        "pvalue",
        "log_pvalue",
        "df",
        "difference",
        "ci_low",
        "ci_high",
        "pvalue_low",
        "pvalue_high",
    )
    @property
    def pvalue(self) -> float: ...
    @property
    def log_pvalue(self) -> float: ...
    @property
    def df(self) -> float: ...
    @property
    def difference(self) -> float: ...
    @property
    def ci_low(self) -> float: ...
    @property
    def ci_high(self) -> float: ...
    @property
    def pvalue_low(self) -> float: ...
    @property
    def pvalue_high(self) -> float: ...

@final
class MannwhitneyuResult(_Result):
    __match_args__: Final = ("statistic", "pvalue", "log_pvalue", "exact")
    @property
    def statistic(self) -> float: ...
    @property
    def pvalue(self) -> float: ...
    @property
    def log_pvalue(self) -> float: ...
    @property
    def exact(self) -> bool: ...

@final
class HodgesLehmannResult(_Result):
    __match_args__: Final = ("estimate", "ci_low", "ci_high", "confidence")
    @property
    def estimate(self) -> float: ...
    @property
    def ci_low(self) -> float: ...
    @property
    def ci_high(self) -> float: ...
    @property
    def confidence(self) -> float: ...

@final
class PermutationTestResult(_Result):
    __match_args__: Final = ("statistic", "pvalue", "n_resamples", "exact")
    @property
    def statistic(self) -> float: ...
    @property
    def pvalue(self) -> float: ...
    @property
    def n_resamples(self) -> int: ...
    @property
    def exact(self) -> bool: ...

@final
class ConfidenceSequence(_Result):
    __match_args__: Final = ("n", "mean", "ci_low", "ci_high", "ci_lows", "ci_highs")
    @property
    def n(self) -> int: ...
    @property
    def mean(self) -> float: ...
    @property
    def ci_low(self) -> float: ...
    @property
    def ci_high(self) -> float: ...
    @property
    def ci_lows(self) -> list[float]: ...
    @property
    def ci_highs(self) -> list[float]: ...

@final
class BootstrapResult(_Result):
    __match_args__: Final = ("estimate", "standard_error", "ci_low", "ci_high")
    @property
    def estimate(self) -> float: ...
    @property
    def standard_error(self) -> float: ...
    @property
    def ci_low(self) -> float: ...
    @property
    def ci_high(self) -> float: ...

@final
class SdLimits(_Result):
    __match_args__: Final = ("ci_low", "ci_high")
    @property
    def ci_low(self) -> float: ...
    @property
    def ci_high(self) -> float: ...

def describe(x: _Series) -> Description: ...
def student(
    x: _Series,
    y: _Series,
    *,
    confidence: _Number = 0.95,
    alternative: _Alternative = "two-sided",
    log: bool = False,
) -> TTestResult: ...
def welch(
    x: _Series,
    y: _Series,
    *,
    confidence: _Number = 0.95,
    alternative: _Alternative = "two-sided",
    log: bool = False,
) -> TTestResult: ...
def paired(
    x: _Series,
    y: _Series,
    *,
    confidence: _Number = 0.95,
    alternative: _Alternative = "two-sided",
    log: bool = False,
) -> TTestResult: ...
def noninferiority(
    x: _Series,
    y: _Series,
    margin: _Number,
    *,
    design: _Design = "welch",
    log: bool = False,
    alpha: _Number = 0.05,
) -> TTestResult: ...
def tost(
    x: _Series,
    y: _Series,
    low: _Number,
    high: _Number,
    *,
    design: _Design = "welch",
    log: bool = False,
    alpha: _Number = 0.05,
) -> TostResult: ...
def mannwhitneyu(
    x: _Series,
    y: _Series,
    *,
    alternative: _Alternative = "two-sided",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
) -> MannwhitneyuResult: ...
def hodges_lehmann(x: _Series, y: _Series, *, confidence: _Number = 0.95) -> HodgesLehmannResult: ...
def pseudomedian(x: _Series, *, confidence: _Number = 0.95) -> HodgesLehmannResult: ...
def permutation_test(
    x: _Series,
    y: _Series,
    *,
    seed: SupportsIndex,
    n_resamples: SupportsIndex = 99999,
    alternative: _Alternative = "two-sided",
) -> PermutationTestResult: ...
def confidence_sequence(d: _Series, *, alpha: _Number = 0.05, c: _Number = 4) -> ConfidenceSequence: ...
def bootstrap(
    x: _Groups,
    y: _Groups | None = None,
    *,
    seed: SupportsIndex,
    contrast: Literal["difference", "ratio"] = "difference",
    n_resamples: SupportsIndex = 10000,
    confidence: _Number = 0.95,
) -> BootstrapResult: ...
def theil_sen(x: _Series, y: _Series, *, confidence: _Number = 0.95) -> SlopeResult: ...
def linregress(x: _Series, y: _Series) -> LinregressResult: ...
def effective_sample_size(x: _Series) -> float: ...
def autocorrelation(x: _Series, *, lag: SupportsIndex = 1) -> float: ...
def holm(p: _Series) -> list[float]: ...
def benjamini_hochberg(p: _Series) -> list[float]: ...
def power(
    sd: _Number,
    n: int,
    margin: _Number,
    *,
    low: _Number = ...,
    cost: _Number = 0.0,
    alpha: _Number = 0.05,
) -> float: ...
def required_blocks(
    sd: _Number,
    margin: _Number,
    *,
    low: _Number = ...,
    cost: _Number = 0.0,
    alpha: _Number = 0.05,
    power: _Number = 0.9,
) -> int: ...
def settleable_margin(sd: _Number, n: int, *, alpha: _Number = 0.05, power: _Number = 0.9) -> float: ...
def sd_limits(sd: _Number, n: SupportsIndex, *, confidence: _Number = 0.9) -> SdLimits: ...
def log_two_sided_t(t: _Number, df: _Number) -> float: ...
def t_quantile(p: _Number, df: _Number) -> float: ...
