"""The report as Markdown that can be pasted into a pull request."""

from __future__ import annotations

from pyprof.comparison import Comparison
from pyprof.report import tables
from pyprof.report.cells import Table

SUFFIX = ".md"


def render(comparison: Comparison) -> str:
    """Headline, tables, notes."""
    parts = [f"## pyprof: {_escape(comparison.experiment.name)}", _escape(tables.headline(comparison)) + "."]
    for table in tables.tables(comparison):
        parts.append(f"### {_escape(table.title)}")
        parts.append(_table(table))
        parts += [_escape(note) for note in table.notes]
    parts.append("### Notes")
    parts.append("\n".join(f"- {_escape(note)}" for note in tables.notes(comparison)))
    parts.append(f"Measured with {_escape(tables.environment_line(comparison))}.")
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> str:
    def line(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(_escape(cell) for cell in cells) + " |"

    rule = "|" + "|".join(" --- " if i < table.labels else " ---: " for i in range(len(table.columns))) + "|"
    return "\n".join([line(table.columns), rule, *map(line, table.rows)])


def _escape(text: str) -> str:
    """Names may hold what Markdown takes for markup."""
    text = text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    return " ".join(text.split())
