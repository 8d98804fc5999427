"""Keys of cache entries: what an entry was made from decides its name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from pyprof.nodes.node import Node

# What builds and package managers leave beside sources; never copied, never part of a key.
LEFT_OUT = ("build", "prebuilds", "node_modules", "__pycache__", ".npmrc")


def tree(*folders: Path) -> str:
    """Twelve hex digits of the names and contents of all files below the folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(_files(folder)):
            digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def node_key(node: Node) -> str:
    """A Node's part in the keys of what is built for it: its version; also where it is, unless it came from npm."""
    if node.source == "npm":
        return node.version
    identity = f"{node.exec_path}\0{node.abi}\0{node.v8}\0{node.arch}"
    return f"{node.version}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}"


def _files(folder: Path) -> Iterable[Path]:
    for entry in folder.iterdir():
        if entry.name in LEFT_OUT:
            continue
        if entry.is_dir():
            yield from _files(entry)
        else:
            yield entry
