"""Builds what pyproject.toml cannot say: the C extension, and the native sources that the wheel carries.

The sources travel because the Node addon is built on the user's machine, once for each Node version under test.

Environment: ``PYPROF_SANITIZE=1`` builds with ASan and UBSan, ``PYPROF_COVERAGE=1`` with gcov instrumentation;
``PYPROF_PREBUILDS`` is a folder of addons, as ``make dist`` makes it, that the wheel shall bring.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
NATIVE = ("csrc", "proto", "node_addon")
NOT_SOURCES = shutil.ignore_patterns("build", "prebuilds", "node_modules", "*.node", "*.o", "*.so", "*.gcda", "*.gcno")


class BuildPyWithNativeSources(build_py):
    """Copies the native sources to ``pyprof/_native``; an editable install reads the checkout's own folders."""

    def run(self) -> None:
        """Copies the Python files, then the native ones."""
        super().run()
        if self.editable_mode:
            return
        for folder in NATIVE:
            target = Path(self.build_lib, "pyprof", "_native", folder)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(ROOT / folder, target, ignore=NOT_SOURCES)
        if prebuilds := os.environ.get("PYPROF_PREBUILDS"):
            shutil.copytree(prebuilds, Path(self.build_lib, "pyprof/_native/node_addon/prebuilds"))


def files(pattern: str) -> list[str]:
    """Paths relative to this file, as setuptools wants them."""
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))


def flags() -> tuple[list[str], list[str]]:
    """The compiler's and the linker's flags."""
    compile_flags = ["-std=c11", "-Wall", "-Wextra", "-fvisibility=hidden"]
    link_flags: list[str] = []
    if (ROOT / ".git").exists():  # a user's newer compiler may warn of more than ours; that must not stop an install
        compile_flags.append("-Werror")
    if os.environ.get("PYPROF_SANITIZE") == "1":
        sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        # GCC's instrumentation makes it warn of what is initialised
        compile_flags += [*sanitizers, "-fno-omit-frame-pointer", "-g", "-O1", "-Wno-maybe-uninitialized"]
        link_flags += sanitizers
    if os.environ.get("PYPROF_COVERAGE") == "1":
        compile_flags += ["--coverage", "-fprofile-update=atomic", "-O0", "-g"]  # atomic: threads count, too
        link_flags.append("--coverage")
    return compile_flags, link_flags


compile_flags, link_flags = flags()
setup(
    ext_modules=[
        Extension(
            "pyprof._core",
            sources=[*files("pyprof/binding/*.c"), "csrc/pp.c"],
            depends=[*files("csrc/*.c"), *files("csrc/*.h"), *files("pyprof/binding/*.h")],
            include_dirs=["csrc"],
            define_macros=[("Py_LIMITED_API", "0x030B0000"), ("PY_SSIZE_T_CLEAN", None)],
            libraries=["protobuf-c", "z", "m"],
            extra_compile_args=compile_flags,
            extra_link_args=link_flags,
            py_limited_api=True,
        )
    ],
    cmdclass={"build_py": BuildPyWithNativeSources},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
