"""The cache: entries are whole or absent, whoever is killed, and processes wait for each other."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers import small_disk

from pyprof.errors import DiskFullError, PyprofError, UsageError
from pyprof.nodes import Cache

Start = Callable[[str], "subprocess.Popen[str]"]

HALF_AN_ENTRY = """
def fill(folder):
    (folder / "half").write_text("half")
    print("half", flush=True)
    time.sleep(60)
cache.make("tools", "key", fill)
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Runs code in another Python that has ``cache``, until it prints a line."""
    processes: list[subprocess.Popen[str]] = []

    def call(code: str) -> subprocess.Popen[str]:
        head = "import sys, time\nfrom pathlib import Path\nfrom pyprof.nodes import Cache\n"
        argv = [sys.executable, "-c", f"{head}cache = Cache(Path(sys.argv[1]))\n{code}", str(tmp_path / "cache")]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        assert process.stdout is not None
        assert process.stdout.readline()
        return process

    yield call
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def write(text: str) -> Callable[[Path], None]:
    def fill(folder: Path) -> None:
        (folder / "whole").write_text(text)

    return fill


def test_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYPROF_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert Cache().root == tmp_path / "own"
    monkeypatch.delenv("PYPROF_CACHE")
    assert Cache().root == tmp_path / "xdg/pyprof"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/invalid")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Cache().root == tmp_path / ".cache/pyprof"


def test_makes_once(cache: Cache) -> None:
    assert not cache.has("tools", "key")
    folder = cache.make("tools", "key", write("first"))
    assert cache.make("tools", "key", write("second")) == folder
    assert (folder / "whole").read_text() == "first"


def test_a_failure_leaves_nothing(cache: Cache) -> None:
    def fill(folder: Path) -> None:
        (folder / "half").write_text("half")
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        cache.make("tools", "key", fill)
    assert not cache.has("tools", "key")
    assert list((cache.root / "tmp").iterdir()) == []


def test_a_killed_process_leaves_nothing_that_counts(cache: Cache, start: Start) -> None:
    process = start(HALF_AN_ENTRY)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    assert not cache.has("tools", "key")
    assert len(list((cache.root / "tmp").iterdir())) == 1
    assert "unfinished" in cache.size()
    folder = cache.make("tools", "key", write("whole"))
    assert [path.name for path in folder.iterdir()] == ["whole"]
    assert list((cache.root / "tmp").iterdir()) == []


def test_waits_for_another_process_and_takes_its_result(cache: Cache, start: Start) -> None:
    start(
        "def fill(folder):\n    print('filling', flush=True)\n    time.sleep(1)\n"
        "    (folder / 'whole').write_text('theirs')\ncache.make('tools', 'key', fill)\n"
    )
    lines: list[str] = []
    folder = cache.make("tools", "key", write("ours"), announce=lines.append)
    assert (folder / "whole").read_text() == "theirs"
    assert lines == ["waiting for another pyprof that is making tools-key"]


def test_takes_over_when_the_other_process_is_killed(cache: Cache, start: Start) -> None:
    process = start(HALF_AN_ENTRY)
    timer = threading.Timer(0.5, process.kill)
    timer.start()
    folder = cache.make("tools", "key", write("ours"))
    assert [path.name for path in folder.iterdir()] == ["whole"]
    timer.join()


def test_threads_wait_too(cache: Cache) -> None:
    inside: list[int] = []

    def task() -> None:
        with cache.lock("name"):
            inside.append(1)
            assert len(inside) == 1
            time.sleep(0.05)
            inside.pop()

    threads = [threading.Thread(target=task) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert not inside


def test_waiting_can_be_given_up(cache: Cache, start: Start) -> None:
    start(HALF_AN_ENTRY)
    with pytest.raises(PyprofError, match="gave up"):
        cache.make("tools", "key", write("ours"), cancelled=lambda: True)


def test_size_and_clean(cache: Cache) -> None:
    assert cache.size() == {}
    cache.make("tools", "key", write("x" * 10_000))
    cache.make("addons", "key", write("y" * 10_000))
    assert list(cache.size()) == ["tools", "addons"]
    assert min(cache.size().values()) >= 10_000
    assert cache.clean(["tools"]) >= 10_000
    assert list(cache.size()) == ["addons"]
    cache.clean()
    assert cache.size() == {}
    with pytest.raises(UsageError, match="no part 'tool'"):
        cache.clean(["tool"])


def test_clean_is_refused_while_another_uses_it(cache: Cache, start: Start) -> None:
    cache.make("tools", "key", write("x"))
    process = start("cache.use()\nprint('using', flush=True)\ntime.sleep(60)\n")
    with pytest.raises(UsageError, match="another pyprof is using the cache"):
        cache.clean()
    with pytest.raises(UsageError, match="another pyprof is using the cache"):
        cache.remove("tools", "key")
    assert cache.has("tools", "key")
    process.kill()
    process.wait(10)
    cache.remove("tools", "key")
    assert not cache.has("tools", "key")


@pytest.mark.parametrize("spoil", ["a file", "a folder that cannot be made"])
def test_a_root_that_cannot_be_written(tmp_path: Path, spoil: str) -> None:
    (tmp_path / "file").write_text("")
    root = tmp_path / "file" if spoil == "a file" else tmp_path / "file/cache"
    with pytest.raises(UsageError, match=r"cannot write the cache .*; set PYPROF_CACHE"):
        Cache(root).make("tools", "key", write("x"))


@pytest.mark.parametrize("copied", ["a file", "a tree"])
def test_a_full_disk_is_one_line(tmp_path: Path, copied: str) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for number in range(20):
        (source / f"file-{number}").write_bytes(b"x" * 10_000)

    def fill(folder: Path) -> None:
        if copied == "a file":
            (folder / "file").write_bytes(b"x" * 200_000)
        else:
            shutil.copytree(source, folder / "tree")

    with small_disk.mounted(tmp_path / "disk", 100) as disk:
        cache = Cache(disk / "cache")
        with pytest.raises(DiskFullError) as caught:
            cache.make("tools", "key", fill)
        assert str(caught.value) == (
            f"no space left for the cache {disk}/cache: `pyprof cache clean`, or set PYPROF_CACHE"
        )
        assert not cache.has("tools", "key")
