"""The report as an HTML fragment, for notebooks."""

from __future__ import annotations

from html import escape

from pyprof.comparison import Comparison
from pyprof.report import tables
from pyprof.report.cells import Table


def render(comparison: Comparison) -> str:
    """Headline, tables, notes."""
    parts = [f"<p>{escape(tables.headline(comparison))}</p>"]
    for table in tables.tables(comparison):
        parts.append(f"<h4>{escape(table.title)}</h4>")
        parts.append(_table(table))
        parts += [f"<p><small>{escape(note)}</small></p>" for note in table.notes]
    parts.append(
        "<ul>" + "".join(f"<li><small>{escape(note)}</small></li>" for note in tables.notes(comparison)) + "</ul>"
    )
    parts.append(f"<p><small>{escape(tables.environment_line(comparison))}</small></p>")
    return "\n".join(parts)


def _table(table: Table) -> str:
    def row(cells: tuple[str, ...], tag: str) -> str:
        sides = ["left" if i < table.labels else "right" for i in range(len(cells))]
        made = [
            f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>' for side, cell in zip(sides, cells, strict=True)
        ]
        return f"<tr>{''.join(made)}</tr>"

    body = "".join(row(cells, "td") for cells in table.rows)
    return f"<table><thead>{row(table.columns, 'th')}</thead><tbody>{body}</tbody></table>"
