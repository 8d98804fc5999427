"""`pyprof node` and `pyprof cache`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyprof.cli import main
from pyprof.nodes import Store


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of an empty cache, which the command uses."""
    monkeypatch.setenv("PYPROF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_install_of_what_is_there_needs_no_network(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    node = store.find("12.19.0")
    store.tools()
    assert main(["node", "install", "--offline", "--json", "12.19.0"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == [
        {
            "version": "12.19.0", "exec_path": str(node.exec_path), "abi": "72", "v8": node.v8, "arch": node.arch,
            "source": "npm",
        }
    ]  # fmt: skip
    assert err == ""
    assert main(["node", "list"]) == 0
    assert any(line.split()[:3] == ["12.19.0", "ABI", "72"] for line in capsys.readouterr().out.splitlines())


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("node install --offline 12.19.0", 4, "with network: `pyprof node install 12.19.0`"),
        ("node install --offline foo", 2, "no such Node: 'foo'"),
        ("node install --offline 12.19.0 --profiler kepe", 2, "unknown profiler 'kepe'"),
        ("node remove 12.19.0", 2, "Node 12.19.0 is not in the cache"),
        ("cache clean node", 2, "the cache has no part 'node'"),
    ],
)
def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], arguments: str, code: int, message: str) -> None:
    assert main(arguments.split()) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_remove(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (cache / "nodes/12.19.0").mkdir(parents=True)
    (cache / "nodes/24.1.0").mkdir()
    assert main(["node", "remove", "v12.19.0"]) == 0
    assert capsys.readouterr().err == "removed Node 12.19.0\n"
    assert [path.name for path in (cache / "nodes").iterdir()] == ["24.1.0"]


def test_cache(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "path"]) == 0
    assert capsys.readouterr().out == f"{cache}\n"
    assert main(["cache", "clean"]) == 0
    assert not cache.exists()
    (cache / "tools/key").mkdir(parents=True)
    (cache / "tools/key/file").write_bytes(b"x" * 100_000)
    capsys.readouterr()
    assert main(["cache", "size", "--json"]) == 0
    size = json.loads(capsys.readouterr().out)
    assert size["path"] == str(cache)
    assert size["total"] == size["bytes"]["tools"] >= 100_000
    assert main(["cache", "size"]) == 0
    assert "0.1 MB  tools" in capsys.readouterr().out
    assert main(["cache", "clean", "tools"]) == 0
    assert "freed 0.1 MB" in capsys.readouterr().err
    assert not (cache / "tools").exists()
