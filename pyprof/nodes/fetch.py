"""Node versions from npm: found, checked against npm's hash, unpacked into the cache."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import shutil
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

from pyprof.errors import NpmError, OfflineError, UsageError
from pyprof.nodes import versions
from pyprof.nodes.cache import Cache
from pyprof.nodes.node import Node, describe
from pyprof.nodes.npm import NotOnNpmError, Npm

_ABOUT = "pyprof-node.json"


def cached(cache: Cache) -> list[str]:
    """The Node versions in the cache, the oldest first."""
    found = [path.name for path in (cache.root / "nodes").glob("*") if versions.parse(path.name)]
    return sorted(found, key=lambda text: versions.parse(text) or (0, 0, 0))


def load(cache: Cache, version: str) -> Node:
    """A Node of the cache."""
    root = cache.path("nodes", version)
    try:
        about: dict[str, Any] = json.loads((root / _ABOUT).read_text(encoding="utf-8"))
        return Node(**about, exec_path=root / "bin/node", root=root, source="npm")
    except (OSError, ValueError, TypeError) as cause:
        raise UsageError(f"{root} is damaged: `pyprof node remove {version}`, then try again") from cause


def choose(wanted: str, cache: Cache, npm: Npm, *, announce: Callable[[str], None]) -> str:
    """The full version that ``24`` or ``24.1`` means: the newest in the cache, else the newest on npm."""
    if versions.parse(wanted):
        return wanted
    here = cached(cache)
    if version := versions.newest_match(wanted, here):
        return version
    if npm.offline:
        raise _offline(wanted, here)
    announce(f"asking npm for the newest Node {wanted}")
    known = _on_npm(wanted, npm)
    version = versions.newest_match(wanted, known)
    if version is None:
        raise _unknown(wanted, known)
    return version


def look_up(wanted: str, cache: Cache, npm: Npm, *, announce: Callable[[str], None]) -> str:
    """As `choose`, and npm has that version if the cache has not."""
    version = choose(wanted, cache, npm, announce=announce)
    if version == wanted and version not in cached(cache) and not npm.offline:
        announce(f"asking npm for Node {version}")
        known = _on_npm(version, npm)
        if version not in known:
            raise _unknown(version, known)
    return version


def install(
    version: str, cache: Cache, npm: Npm, *, announce: Callable[[str], None], cancelled: Callable[[], bool]
) -> Node:
    """The Node of that full version, downloaded into the cache if it is not there.

    Raises:
        UsageError: npm has no such version for this machine.
        NpmError: the download failed, or its hash is not the one that npm's registry gives.
        OfflineError: it is not in the cache, and npm must not be used.
    """

    def fill(staging: Path) -> None:
        if npm.offline:
            raise _offline(version, cached(cache))
        spec = f"{versions.package_name()}@{version}"
        announce(f"downloading Node {version} ({versions.megabytes(version):.0f} MB)")
        try:
            integrity = npm.view(spec, "dist.integrity")
        except NotOnNpmError as cause:
            raise _unknown(version, _on_npm(version, npm)) from cause
        tarball = npm.pack(spec, staging)
        verify(tarball, integrity)
        unpack(tarball, staging)
        tarball.unlink()
        node = describe(staging / "bin/node", npm.commands, "npm")
        if node.version != version or node.root is None:
            raise NpmError(f"{spec} holds Node {node.version}, or not its headers: is the npm registry the right one?")
        about = {key: getattr(node, key) for key in ("version", "abi", "v8", "arch")}
        (staging / _ABOUT).write_text(json.dumps(about), encoding="utf-8")

    cache.make("nodes", version, fill, announce=announce, cancelled=cancelled)
    return load(cache, version)


def verify(tarball: Path, integrity: object) -> None:
    """Compare a file's SHA-512 with npm's `dist.integrity` (subresource integrity: ``sha512-`` and base64).

    Raises:
        NpmError: they differ, or the registry gives no SHA-512.
    """
    expected = [text[7:] for text in str(integrity or "").split() if text.startswith("sha512-")]
    if not expected:
        raise NpmError(f"the npm registry gives no sha512 for {tarball.name}: it cannot be checked, so it was not used")
    with tarball.open("rb") as file:
        digest = hashlib.file_digest(file, "sha512").digest()
    try:
        good = any(hmac.compare_digest(digest, base64.b64decode(text, validate=True)) for text in expected)
    except binascii.Error:
        good = False
    if not good:
        raise NpmError(f"{tarball.name} is not what npm's registry says (its sha512 differs): not used; try again")


def unpack(tarball: Path, destination: Path) -> None:
    """Take `bin/node`, `include/` and `LICENSE` out of a Node package: plain files only, each below ``destination``."""
    try:
        with tarfile.open(tarball, "r:gz") as archive:
            for member in archive:
                name = PurePosixPath(*PurePosixPath(member.name).parts[1:])
                if not member.isreg() or ".." in name.parts or name.is_absolute() or not _kept(name):
                    continue
                content = archive.extractfile(member)
                assert content is not None  # it is a regular file
                path = destination / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with content, path.open("wb") as file:
                    shutil.copyfileobj(content, file, 1 << 20)
                path.chmod(0o755 if name.parts[0] == "bin" else 0o644)
    except (tarfile.TarError, EOFError, zlib.error) as cause:
        raise NpmError(f"{tarball.name} is no Node package: {cause}") from cause


def _kept(name: PurePosixPath) -> bool:
    return str(name) in ("bin/node", "LICENSE") or name.parts[:1] == ("include",)


def _on_npm(wanted: str, npm: Npm) -> list[str]:
    try:
        return npm.versions(versions.package_name())
    except NotOnNpmError as cause:
        raise UsageError(f"Node {wanted} is not on npm for {versions.platform_name()}; use --node PATH") from cause


def _unknown(wanted: str, known: list[str]) -> UsageError:
    here = versions.platform_name()
    near = ", ".join(versions.nearest(wanted, known))
    where, other = ("", "") if here == "linux-x64" else (f" for {here}", ", or use --node PATH")
    return UsageError(f"Node {wanted} is not on npm{where}; nearest: {near}{other}")


def _offline(wanted: str, here: list[str]) -> OfflineError:
    there = f" (it holds {', '.join(here)})" if here else ""
    command = f"pyprof node install {wanted}"
    return OfflineError(f"Node {wanted} is not in the cache{there}; with network: `{command}`", command)
