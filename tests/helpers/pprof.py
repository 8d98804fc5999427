"""Writes pprof profiles for tests, independently of the core: the few lines of protobuf that it takes."""

from __future__ import annotations

from collections.abc import Sequence

Function = tuple[str | bytes, str, int]
"""Name, file, line."""
Stack = tuple[Sequence[Function], Sequence[int]]
"""Functions, the leaf first, and one value for each sample type."""


def _varint(value: int) -> bytes:
    value %= 1 << 64
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def profile(
    stacks: Sequence[Stack],
    *,
    sample_types: Sequence[tuple[str, str]] = (("samples", "count"), ("wall", "nanoseconds")),
    time_nanos: int = 0,
    duration_nanos: int = 0,
    period: int = 0,
    comments: Sequence[str] = (),
) -> bytes:
    """A raw (not gzip'ed) profile; equal functions share one location."""
    strings: dict[str | bytes, int] = {"": 0}
    functions: dict[Function, int] = {}

    def string(text: str | bytes) -> int:
        return strings.setdefault(text, len(strings))

    def value_type(type_and_unit: tuple[str, str]) -> bytes:
        return _field(1, string(type_and_unit[0])) + _field(2, string(type_and_unit[1]))

    out = b"".join(_field(1, value_type(sample_type)) for sample_type in sample_types)
    for stack, values in stacks:
        ids = [functions.setdefault(function, len(functions) + 1) for function in stack]
        out += _field(2, b"".join(_field(1, i) for i in ids) + b"".join(_field(2, value) for value in values))
    for (name, filename, line), i in functions.items():
        out += _field(4, _field(1, i) + _field(4, _field(1, i) + _field(2, line)))
        out += _field(5, _field(1, i) + _field(2, string(name)) + _field(4, string(filename)))
    out += _field(9, time_nanos) + _field(10, duration_nanos)
    out += _field(11, value_type(("wall", "nanoseconds"))) + _field(12, period)
    out += b"".join(_field(13, string(comment)) for comment in comments)
    return out + b"".join(_field(6, text) for text in strings)
