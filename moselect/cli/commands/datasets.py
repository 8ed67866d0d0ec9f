"""`moselect datasets`."""

from __future__ import annotations

from moselect.cli.terminal import Terminal, short
from moselect.datasets.sources import list_datasets

FORMS = {"openml:ID": "data set of openml.org", "FILE": "CSV, Parquet or Excel file"}
LONGEST_NAME = 24


def datasets() -> None:
    """List the data sets that can be loaded by name, and what else can be given."""
    terminal = Terminal()
    table = terminal.table("DATA")
    table.add_column("")
    for name, description in (list_datasets() | FORMS).items():
        table.add_row(short(name, LONGEST_NAME), description)
    terminal.results.print(table)
