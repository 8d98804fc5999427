"""The notebook runs from top to bottom on a real results file."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import pyprof

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


@pytest.mark.filterwarnings("default")  # of Jupyter's own libraries
@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = tmp_path / "x.pyprof"
    pyprof.compare(profilers=["none", "recreate"], blocks=2, duration=1.5, warmup=0.3, output=results)
    monkeypatch.setenv("PYPROF_RESULTS", str(results))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", ()) for kind in output.get("data", {})}
    assert {"text/html", "image/png"} <= kinds
    assert any(
        "<table>" in output.get("data", {}).get("text/html", "")
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    )


def test_they_are_committed_with_their_pictures() -> None:
    for path in NOTEBOOKS.glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
        assert any("image/png" in output.get("data", {}) for output in outputs), path
        assert not any(output.output_type == "error" for output in outputs), path
