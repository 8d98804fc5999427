"""The registry of report formats: every module here that has a SUFFIX and render(comparison) -> str is one."""

from __future__ import annotations

import errno
import importlib
import importlib.util
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

from pyprof.comparison import Comparison
from pyprof.errors import DiskFullError, ResultsError, UsageError

_SQLITE = b"SQLite format 3"
Render = Callable[[Comparison], str]


@cache
def formats() -> dict[str, Render]:
    """Renderers by suffix, such as ``.md``."""
    modules = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    return {module.SUFFIX: module.render for module in modules if hasattr(module, "SUFFIX")}


def check_suffix(path: Path) -> None:
    """UsageError where no format has the suffix of ``path``."""
    if path.suffix not in formats():
        raise UsageError(f"--export {path}: the name must end in one of {', '.join(sorted(formats()))}")
    if path.suffix == ".svg" and importlib.util.find_spec("matplotlib") is None:
        raise UsageError(f"--export {path}: pictures need matplotlib: pip install matplotlib")


def check_target(path: Path, results: Path | None) -> None:
    """UsageError where ``path`` names no format, or a results file."""
    check_suffix(path)
    check_not_results(path, results)


def check_not_results(path: Path, results: Path | None) -> None:
    """UsageError where ``path`` is a results file, which must never be overwritten."""
    if results is not None and path.resolve() == results.resolve():
        raise UsageError(f"{path} is the results file itself: choose another name")
    if path.is_file():
        with path.open("rb") as existing:
            if existing.read(len(_SQLITE)) == _SQLITE:
                raise UsageError(f"{path}: there is a results file of that name; choose another")


def export(comparison: Comparison, path: Path) -> None:
    """Write the report in the format that the suffix of ``path`` names."""
    check_suffix(path)
    text = formats()[path.suffix](comparison)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="backslashreplace")  # a file's name need not be text
    except OSError as error:
        kind = DiskFullError if error.errno == errno.ENOSPC else ResultsError
        raise kind(f"{path} cannot be written ({error.strerror}); the results are safe in {comparison.path}") from error
