"""The report for a terminal, by rich. What is not a terminal gets the same without colours."""

from __future__ import annotations

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from pyprof.comparison import Comparison
from pyprof.report import tables


def show(comparison: Comparison, console: Console) -> None:
    """Print headline, tables and notes to ``console``."""
    console.print(Text(tables.headline(comparison)), "")
    for table in tables.tables(comparison):
        console.print(Group(Text(table.title, style="bold"), _table(table)))
        for note in table.notes:
            console.print(Padding(Text(note, style="dim"), (0, 0, 0, 2)))
        console.print()
    for note in tables.notes(comparison):
        console.print(Text(note, style="dim"))
    console.print(Text(tables.environment_line(comparison), style="dim"))


def _table(table: tables.Table) -> RichTable:
    made = RichTable(box=None, pad_edge=False, header_style="bold")
    for i, column in enumerate(table.columns):
        made.add_column(column, justify="left" if i < table.labels else "right", no_wrap=i >= table.labels)
    for row in table.rows:
        made.add_row(*(Text(cell) for cell in row))
    return made
