"""The registry of workloads: each folder beside this file is an app with a package.json."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from pyprof.errors import UsageError
from pyprof.suggest import nearest

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Workload:
    """An app of pyprof's own. ``busy_function`` is the function that every profile of it must show."""

    name: str
    folder: Path
    busy_function: str
    description: str


def names() -> list[str]:
    """Names of all workloads."""
    return sorted(path.parent.name for path in _HERE.glob("*/package.json"))


def find(name: str) -> Workload:
    """The workload of that name."""
    if name not in names():
        raise UsageError(
            f"unknown workload {name!r}{nearest(name, names())}; there are: {', '.join(names())}; "
            "for a server of your own use --app FILE.js"
        )
    about = json.loads((_HERE / name / "package.json").read_text(encoding="utf-8"))
    return Workload(name, _HERE / name, about["pyprof"]["busyFunction"], about["description"])
