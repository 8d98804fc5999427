"""CPU profiles in JSON as pprof: V8's own (`.cpuprofile`, by the inspector) and that of Sentry's profiler.

Both hold every sample with its time. A sample stands for the time until the next one; Node's profilers sample at a
fixed interval of wall time, so that the values sum to the duration.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pyprof import _core
from pyprof.errors import ProfileFormatError

Frame = tuple[bytes, bytes, int, int]


def as_pprof(data: bytes) -> bytes:
    """The bytes of a profile, in whichever of the formats, as pprof; what is not JSON is returned as it is.

    Raises:
        ProfileFormatError: JSON that is neither of the two.
    """
    if not data.startswith(b"{"):
        return data
    try:
        document = json.loads(data)
        if "nodes" in document:
            return _inspector(document)
        if "stacks" in document:
            return _sentry(document)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ProfileFormatError(f"a profile in JSON that cannot be read: {type(error).__name__}: {error}") from error
    raise ProfileFormatError("JSON, but neither a .cpuprofile (nodes, samples) nor Sentry's (stacks, frames, samples)")


def _inspector(document: Mapping[str, Any]) -> bytes:
    """The format of the DevTools protocol's `Profiler.Profile`: times are microseconds."""
    nodes = {node["id"]: node for node in document["nodes"]}
    parents = {child: key for key, node in nodes.items() for child in node.get("children", ())}
    number = {key: index for index, key in enumerate(nodes)}

    def stack(key: int) -> list[int]:
        path: list[int] = []
        if key not in nodes:
            raise KeyError(key)
        while key in parents and len(path) < len(nodes):  # the root is no frame
            path.append(number[key])
            key = parents[key]
        return path[::-1]

    clock = document["startTime"]
    times = [clock := clock + delta for delta in document["timeDeltas"]]
    weights = _weights(zip(times, document["samples"], strict=True), document["endTime"])
    frames = [_frame(node["callFrame"]) for node in nodes.values()]
    rows = [(stack(key), count, micros * 1000) for key, (count, micros) in weights.items()]
    return _core.build(frames, rows, 0, (document["endTime"] - document["startTime"]) * 1000)


def _frame(call: Mapping[str, Any]) -> Frame:
    # V8 counts from 0 here, and says -1 where it knows nothing; it names the definition.
    return _text(call["functionName"] or "(anonymous)"), _text(call["url"]), max(0, call["lineNumber"] + 1), 0


def _sentry(document: Mapping[str, Any]) -> bytes:
    """What `stopProfiling` of @sentry-internal/node-cpu-profiler gives: stacks begin with the leaf."""
    frames = [
        (_text(frame["function"]), _text(frame.get("abs_path", "")), 0, max(0, frame["lineno"]))
        for frame in document["frames"]
    ]
    taken = sorted((int(sample["elapsed_since_start_ns"]), sample["stack_id"]) for sample in document["samples"])
    span = taken[-1][0] - taken[0][0] if taken else 0
    # It does not say when it ended: the last sample stands for as long as the others do on average.
    period = span // (len(taken) - 1) if len(taken) > 1 else 0
    end = taken[-1][0] + period if taken else 0
    # The outermost frame is V8's "(root)", unless the stack was cut before it.
    stacks = [
        [index for index in reversed(stack) if document["frames"][index]["function"] != "(root)"]
        for stack in document["stacks"]
    ]
    rows = [(stacks[key], count, nanos) for key, (count, nanos) in _weights(taken, end).items()]
    return _core.build(frames, rows, period, end)


def _weights(samples: Iterable[tuple[int, int]], end: int) -> dict[int, tuple[int, int]]:
    """Samples and time of each stack. Times may run backwards: V8 adds samples of its own when it deoptimises."""
    ordered: Sequence[tuple[int, int]] = sorted(samples, key=lambda sample: sample[0])
    counts: Counter[int] = Counter()
    spent: Counter[int] = Counter()
    for (time, key), following in zip(ordered, [*(time for time, _ in ordered[1:]), end], strict=False):
        counts[key] += 1
        spent[key] += max(0, following - time)
    return {key: (counts[key], spent[key]) for key in counts}


def _text(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
