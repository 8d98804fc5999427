"""Real runs of profilers whose memory grows in a known way: `growth.js`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_SCRIPT = Path(__file__).with_name("growth.js")
FIBONACCI = Path(__file__).resolve().parents[2] / "pyprof/workloads/fibonacci/app.js"

#: A window of 10 s with some 5,000 turns on a quiet machine; few requests, so that what grows is the adapter's.
SHORT: dict[str, Any] = {
    "app": str(FIBONACCI), "rate": 10.0, "connections": 1, "warmup": 1.0, "duration": 10.0, "profile_duration": 0.001,
}  # fmt: skip


def write_adapters(folder: Path, calls: Mapping[str, str]) -> list[str]:
    """An adapter file for each name, which makes that call of `growth.js`; returns how the profilers are named."""
    for name, call in calls.items():
        text = f"'use strict'\n\nmodule.exports = require({json.dumps(str(_SCRIPT))}).{call}\n"
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return [f"./{name}.js" for name in calls]
