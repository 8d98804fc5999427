"""The report for a terminal, by rich. What is not a terminal gets the same without colours."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from pyprof.comparison import Comparison
from pyprof.report import tables
from pyprof.report.cells import NONE, Table

GAP = 2  # between two columns
INDENT = 2
#: A column of text can be wrapped, but not narrower than this.
MIN_LABEL = 16


def show(comparison: Comparison, console: Console) -> None:
    """Print headline, tables and notes to ``console``."""
    console.print(Text(tables.headline(comparison)))
    console.print()
    for table in tables.tables(comparison):
        shown = _table(table) if _width(table) <= console.width else _stacked(table, console.width - INDENT)
        console.print(Group(Text(table.title, style="bold"), shown))
        for note in table.notes:
            console.print(Padding(Text(note, style="dim"), (0, 0, 0, INDENT)))
        console.print()
    for note in tables.notes(comparison):
        console.print(Text(note, style="dim"))
    console.print(Text(tables.environment_line(comparison), style="dim"))


def _width(table: Table) -> int:
    """The least width at which the table can be read."""
    columns = [max(map(len, column)) for column in zip(table.columns, *table.rows, strict=True)]
    labels = [min(width, MIN_LABEL) for width in columns[: table.labels]]
    return sum(labels) + sum(columns[table.labels :]) + GAP * (len(columns) - 1)


def _table(table: Table) -> RichTable:
    made = RichTable(box=None, pad_edge=False, header_style="bold")
    for i, column in enumerate(table.columns):
        made.add_column(column, justify="left" if i < table.labels else "right", no_wrap=i >= table.labels)
    for row in table.rows:
        made.add_row(*map(Text, row))
    return made


def _stacked(table: Table, width: int) -> RenderableType:
    """For a narrow terminal: each row as a line of its labels, and below it its numbers with their columns' names."""
    parts: list[RenderableType] = []
    for row in table.rows:
        parts.append(Text(", ".join(row[: table.labels]), style="bold"))
        named = zip(table.columns[table.labels :], row[table.labels :], strict=True)
        lines = _packed([f"{name} {cell}" for name, cell in named if cell != NONE], width)
        parts += [Padding(Text(line), (0, 0, 0, INDENT)) for line in lines]
    return Group(*parts)


def _packed(cells: list[str], width: int) -> list[str]:
    """The cells in as few lines as hold them whole."""
    lines: list[str] = []
    for cell in cells:
        if lines and len(lines[-1]) + len(cell) + 2 <= width:
            lines[-1] += f"; {cell}"
        else:
            lines.append(cell)
    return lines
