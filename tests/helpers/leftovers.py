"""Processes that should have ended."""

from __future__ import annotations

import time

import psutil


def with_setting(name: str, value: str, patience: float = 5.0) -> list[psutil.Process]:
    """Processes whose environment has this, after the dying have had their time."""
    deadline = time.monotonic() + patience
    while True:
        found = [p for p in psutil.process_iter(["environ"]) if (p.info["environ"] or {}).get(name) == value]
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.1)
