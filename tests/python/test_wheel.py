"""The wheel: one for every CPython from 3.11 up, with all that an installation outside the repository needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ("csrc", "proto", "node_addon")
INPUT = [*NATIVE, "pyprof", "setup.py", "pyproject.toml", "MANIFEST.in", "LICENSE", "README.md"]
PRODUCTS = shutil.ignore_patterns("build", "node_modules", "*.so", "*.node", "__pycache__", "_native")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, with what an ordinary build leaves behind in the source folders."""
    source, output = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in INPUT:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=PRODUCTS)
        else:
            shutil.copy(ROOT / name, source / name)
    for left_behind in (
        "node_addon/build/Release/addon.node",
        "node_addon/node_modules/a/index.js",
        "pyprof/workloads/express/node_modules/a/index.js",
    ):
        (source / left_behind).parent.mkdir(parents=True)
        (source / left_behind).touch()
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    done = subprocess.run([*command, output, source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (file,) = output.iterdir()
    return file


def test_abi3(wheel: Path) -> None:
    assert wheel.name.startswith("pyprof_node-0.1.0-cp311-abi3-linux_")


def test_contents(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert not {name for name in names if "node_modules" in name or "/build/" in name or name.endswith(".node")}
    assert "pyprof/_core.abi3.so" in names

    def of_package(path: Path) -> bool:
        folders = set(path.parent.parts)
        return path.suffix in {".py", ".pyi", ".js", ".json", ".toml"} and not folders & {"node_modules", "_native"}

    package = {str(path) for file in (ROOT / "pyprof").rglob("*") if of_package(path := file.relative_to(ROOT))}
    assert not package - names
    native = {
        f"pyprof/_native/{file.relative_to(ROOT)}"
        for folder in ("csrc", "node_addon/src", "proto")
        for file in (ROOT / folder).glob("*.*")
        if file.suffix not in {".o", ".gcda", ".gcno"}
    }
    assert not native - names
    assert {"pyprof/_native/node_addon/binding.gyp", "pyprof/_native/node_addon/.npmrc", "pyprof/py.typed"} <= names
