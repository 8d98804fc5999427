"""The directions that the layout promises: what may import, include, print and hold what."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: From the bottom up: a module imports its own layer and those below it.
LAYERS = (
    ("errors", "guard", "suggest", "native", "_core"),
    ("units", "stats", "profile", "cpuprofile", "trials"),
    ("metrics",),
    ("margins", "profilers", "workloads"),
    ("experiment",),
    ("nodes", "environment", "results"),
    ("running", "measured"),
    ("contrast",),
    ("comparison",),
    ("settling", "noise"),
    ("leaks",),
    ("verdicts",),
    ("plots", "run"),
    ("report",),
    ("__init__",),
    ("cli", "pytest_plugin", "__main__"),
)


def _layer(module: str) -> int:
    part = [*module.split("."), "__init__"][1]
    return next(number for number, names in enumerate(LAYERS) if part in names)


def _imports(path: Path, *, everywhere: bool) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "pyprof":
            if node.module == "pyprof":
                yield from (f"pyprof.{name.name}" for name in node.names)
            else:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.split(".")[0] == "pyprof")


def _modules() -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / "pyprof").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts if parts[-1] != "__init__" or len(parts) == 2 else parts[:-1]), path


@pytest.mark.parametrize(
    ("module", "path"), list(_modules()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_imports_go_one_way(module: str, path: Path) -> None:
    upward = [found for found in _imports(path, everywhere=True) if _layer(found) > _layer(module)]
    if module == "pyprof.comparison":  # Jupyter asks the object itself for its HTML
        upward.remove("pyprof.report")
    assert upward == []


def _tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def test_v8_is_met_in_the_addon_only() -> None:
    found = [
        path.relative_to(ROOT) for path in _tracked("*.c", "*.h", "*.cc") if "v8-profiler.h" in path.read_text("utf-8")
    ]
    assert found
    assert {path.parts[:2] for path in found} == {("node_addon", "src")}


def test_the_core_knows_neither_python_nor_node_nor_files() -> None:
    forbidden = re.compile(r'#include [<"](Python\.h|v8|node|napi|stdio\.h>.*FILE)|\b(fopen|printf|puts)\s*\(')
    for path in _tracked("csrc/*.c", "csrc/*.h"):
        assert not forbidden.search(path.read_text("utf-8")), path


def test_only_the_command_line_prints_and_exits() -> None:
    for module, path in _modules():
        if module.startswith(("pyprof.cli", "pyprof.__main__")):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            assert name not in ("print", "sys.exit", "exit", "SystemExit"), (module, name)


def test_no_file_is_too_long() -> None:
    for path in _tracked("*.py", "*.c", "*.h", "*.cc", "*.js", "*.ts"):
        if "pb-c" not in path.name:
            assert len(path.read_text("utf-8").splitlines()) <= 500, path


def test_no_registry_address_is_in_the_repository() -> None:
    address = re.compile(
        r"https?://(registry\.npmjs\.org|registry\.yarnpkg\.com|pypi\.org/simple|files\.pythonhosted\.org|deb\.debian\.org)"
    )
    for path in _tracked():
        if path.suffix not in (".gz", ".png") and path != Path(__file__):
            assert not address.search(path.read_text("utf-8", errors="replace")), path
