"""One table of the line coverage of C, C++, Python and JavaScript, out of the reports of gcovr, coverage.py and c8."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

LANGUAGES = {".c": "C", ".h": "C", ".cc": "C++", ".py": "Python", ".js": "JavaScript"}
Row = dict[str, Any]


def read(folder: Path) -> list[Row]:
    """A row for each language and one for all: ``language``, ``files``, ``lines``, ``covered``, ``percent``; and
    ``least``, the language's least covered files as (percent, path).

    ``folder`` holds ``native.json`` of gcovr, ``python.json`` of coverage.py and ``js/coverage-summary.json`` of c8.
    """
    files = [file for file in _files(folder) if file[1]]
    rows = [_row(name, [f for f in files if _language(f[0]) == name]) for name in dict.fromkeys(LANGUAGES.values())]
    return [*rows, {**_row("all", files), "least": []}]


def text(rows: list[Row]) -> str:
    """The table, and below it the files that are covered least."""
    lines = [f"{'language':<12}{'files':>8}{'lines':>8}{'covered':>9}{'percent':>9}"]
    lines += [
        f"{row['language']:<12}{row['files']:>8}{row['lines']:>8}{row['covered']:>9}{row['percent']:>9.1f}"
        for row in rows
    ]
    least = [pair for row in rows for pair in row["least"]]
    if least:
        lines += ["", "least covered of each language:", *(f"{percent:>8.1f} %  {path}" for percent, path in least)]
    return "\n".join(lines)


def _files(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Path from the root of the checkout, lines that can run, lines that ran."""
    for file in _load(folder / "native.json")["files"]:
        yield file["filename"], file["line_total"], file["line_covered"]
    for path, file in _load(folder / "python.json")["files"].items():
        yield path, file["summary"]["num_statements"], file["summary"]["covered_lines"]
    for path, file in _load(folder / "js/coverage-summary.json").items():
        if path != "total":
            yield str(PurePath(path).relative_to(folder / "tree")), file["lines"]["total"], file["lines"]["covered"]


def _row(language: str, files: list[tuple[str, int, int]]) -> Row:
    lines, covered = sum(file[1] for file in files), sum(file[2] for file in files)
    least = sorted((100 * ran / total, path) for path, total, ran in files if ran < total)[:3]
    return {
        "language": language, "files": len(files), "lines": lines, "covered": covered,
        "percent": 100 * covered / lines if lines else 0.0, "least": least,
    }  # fmt: skip


def _language(path: str) -> str:
    """A header belongs to the language of its folder."""
    return "C++" if path.startswith("node_addon/src/") else LANGUAGES[PurePath(path).suffix]


def _load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
