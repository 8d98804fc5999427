"""Profile: reading, attributes, flat and cum, merging, writing, errors."""

from __future__ import annotations

import copy
import gzip
import pickle
import threading
from pathlib import Path

import pytest
from helpers.pprof import Stack, profile

from pyprof import Profile, _core
from pyprof.errors import ProfileFormatError, ProfileLimitError
from pyprof.profile import TopRow

MAIN, WORK, DEEP = ("main", "app.js", 10), ("work", "app.js", 20), ("deep", "lib.js", 30)
STACKS: list[Stack] = [
    ([MAIN], [1, 100]),
    ([WORK, MAIN], [2, 200]),
    ([DEEP, WORK, WORK, MAIN], [4, 400]),  # work calls itself
]


@pytest.fixture(scope="module")
def data() -> bytes:
    return profile(STACKS, time_nanos=5_000, duration_nanos=1_500_000_000, period=1000, comments=["one", "two"])


def test_attributes(data: bytes) -> None:
    p = Profile.read(data)
    assert len(p) == 3
    assert p.sample_types == [("samples", "count"), ("wall", "nanoseconds")]
    assert p.default_sample_type == 1
    assert p.period_type == ("wall", "nanoseconds")
    assert (p.period, p.time_nanos, p.duration_nanos) == (1000, 5_000, 1_500_000_000)
    assert p.comments == ["one", "two"]
    assert (p.n_locations, p.n_functions) == (3, 3)
    assert repr(p) == "<Profile: 3 samples of (samples/count, wall/nanoseconds), 1.5 s>"


def test_every_kind_of_source(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "cpu.pb.gz"
    file.write_bytes(gzip.compress(data))
    sources: list[bytes | bytearray | memoryview | Path | str] = [
        data,
        bytearray(data),
        memoryview(data),
        memoryview(data + data)[: len(data)],
        file,
        str(file),
    ]
    assert [len(Profile.read(source)) for source in sources] == [3] * len(sources)


def test_flat_and_cum(data: bytes) -> None:
    p = Profile.read(data)
    assert p.total() == 700
    assert p.total("samples") == p.total(0) == 7
    assert p.top() == [
        TopRow("deep", "", 0, 0, flat=400, cum=400),
        TopRow("work", "", 0, 0, flat=200, cum=600),  # once per sample, though it recurs
        TopRow("main", "", 0, 0, flat=100, cum=700),
    ]
    assert p.top("samples", limit=1) == [TopRow("deep", "", 0, 0, flat=4, cum=4)]
    assert p.top(limit=0) == []
    assert p.top(granularity="files") == [
        TopRow("", "lib.js", 0, 0, flat=400, cum=400),
        TopRow("", "app.js", 0, 0, flat=300, cum=700),
    ]
    assert p.top(granularity="lines")[0] == TopRow("deep", "lib.js", 30, 0, flat=400, cum=400)
    assert {row.filename for row in p.top(granularity="filefunctions")} == {"app.js", "lib.js"}
    assert len(p.top(granularity="addresses")) == 3


def test_merge(data: bytes) -> None:
    p = Profile.read(data)
    other = Profile.read(
        profile([*STACKS[:1], ([DEEP], [3, 300])], time_nanos=4_000, duration_nanos=1, comments=["two", "three"])
    )
    merged = Profile.merge([p, other])
    assert type(merged) is Profile
    assert len(merged) == 4
    assert merged.total("samples") == 7 + 1 + 3
    assert (merged.time_nanos, merged.duration_nanos) == (4_000, 1_500_000_001)
    assert merged.comments == ["one", "two", "three"]
    assert Profile.merge((p,)).top() == p.top()


def test_encode_and_read_again(data: bytes) -> None:
    p = Profile.read(data)
    for level in range(10):
        again = Profile.read(p.encode(level))
        assert (again.top(), again.sample_types, again.period) == (p.top(), p.sample_types, p.period)
    assert Profile.read(p.encode()).comments == p.comments


def test_names_keep_their_bytes() -> None:
    p = Profile.read(profile([([(b"f\xff\0\n<;>", "é.js", 1)], [1, 1])]))
    (row,) = p.top(granularity="filefunctions")
    assert row.name.encode(errors="surrogateescape") == b"f\xff\0\n<;>"
    assert row.filename == "é.js"


def test_a_subclass_reads_itself(data: bytes) -> None:
    class Special(Profile):
        pass

    assert type(Special.read(data)) is Special
    assert type(Special.merge([Profile.read(data)])) is Special


def test_not_a_profile(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ProfileFormatError, match="empty"):
        Profile.read(b"")
    with pytest.raises(ProfileFormatError) as error:
        Profile.read(data[:-3])
    assert error.value.offset > 0
    file = tmp_path / "page.pb.gz"
    file.write_text("<!DOCTYPE html>")
    with pytest.raises(ProfileFormatError, match=f"^{file}: "):
        Profile.read(file)
    with pytest.raises(FileNotFoundError):
        Profile.read(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        Profile.read(tmp_path)


def test_limit(data: bytes) -> None:
    packed = gzip.compress(data)
    assert len(Profile.read(packed, max_size=len(data))) == 3
    with pytest.raises(ProfileLimitError):
        Profile.read(packed, max_size=len(data) - 1)
    with pytest.raises(ValueError, match="max_size is -1, but must not be negative"):
        Profile.read(packed, max_size=-1)


def test_sum_beyond_64_bits() -> None:
    p = Profile.read(profile([([MAIN], [1, 2**62])]))
    with pytest.raises(ProfileLimitError):
        Profile.merge([p, p])


def test_bad_arguments(data: bytes) -> None:
    p = Profile.read(data)
    with pytest.raises(ValueError, match=r"^no sample type 'cpu': this profile has samples, wall$"):
        p.top("cpu")
    for index in (-1, 2):
        with pytest.raises(ValueError, match=f"^no sample type {index}: "):
            p.total(index)
    with pytest.raises(ValueError, match=r"^granularity is 'function', but must be one of functions, "):
        p.top(granularity="function")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^limit is -1, but must not be negative$"):
        p.top(limit=-1)
    with pytest.raises(ValueError, match=r"^level is 10, but must lie between 0"):
        p.encode(10)
    with pytest.raises(TypeError):
        p.encode("6")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Profile.read(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no profile to merge"):
        Profile.merge([])
    with pytest.raises(TypeError, match=r"^profiles\[1\] must be a Profile, not bytes$"):
        Profile.merge([p, data])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"sample type"):
        Profile.merge([p, Profile.read(profile([], sample_types=[("cpu", "nanoseconds")]))])
    with pytest.raises(TypeError, match=r"^cls must be a subclass of Profile, not type$"):
        _core.parse(int, data, 0)  # type: ignore[type-var]


def test_only_read_and_merge_make_one(data: bytes) -> None:
    p = Profile.read(data)
    for make in (Profile, lambda: object.__new__(Profile), lambda: copy.copy(p), lambda: pickle.dumps(p)):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(AttributeError):
        p.period = 3  # type: ignore[misc]


def test_threads_share_a_profile(data: bytes) -> None:
    p = Profile.read(data)
    wanted = p.top()
    found: list[list[TopRow]] = []

    def use() -> None:
        for _ in range(50):
            twice = Profile.read(Profile.merge([p, p]).encode(1))
            found.append([row._replace(flat=row.flat // 2, cum=row.cum // 2) for row in twice.top()])

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 400
