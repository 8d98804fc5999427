"""The registry of report formats: every module here that has a SUFFIX and render(comparison) -> str is one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

from pyprof.comparison import Comparison
from pyprof.errors import ResultsError, UsageError

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


def export(comparison: Comparison, path: Path) -> None:
    """Write the report in the format that the suffix of ``path`` names."""
    check_suffix(path)
    text = formats()[path.suffix](comparison)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ResultsError(
            f"{path} cannot be written ({error.strerror}); the results are safe in {comparison.path}"
        ) from error
