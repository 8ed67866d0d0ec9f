"""`moselect datasets`: what can be loaded, and how large it is."""

from __future__ import annotations

from typing import Any

from moselect.cli.completion import data_files
from moselect.cli.terminal import Terminal, short
from moselect.datasets import list_datasets, load_dataset

FORMS = {
    "openml:ID": "data set of openml.org",
    "FILE": "CSV or Parquet file",
}
SIZES = ("rows", "features", "classes")
LARGEST_FILE = 2**21  # bytes; larger ones are named but not read
LONGEST_NAME = 24


def run_datasets(terminal: Terminal) -> None:
    """List the data sets that have names, and what else can be given instead of a name."""
    known = [
        {"name": name, "description": description, **_sizes(name)}
        for name, description in list_datasets().items()
    ]
    if terminal.json:
        terminal.print_json({"datasets": known, "forms": FORMS})
        return
    table = terminal.table("DATA", *SIZES)
    table.add_column("")
    for facts in known:
        sizes = ("" if facts[size] is None else f"{facts[size]:,}" for size in SIZES)
        table.add_row(short(facts["name"], LONGEST_NAME), *sizes, facts["description"])
    for form, description in FORMS.items():
        table.add_row(form, "", "", "", description)
    terminal.results.print(table)


def _sizes(name: str) -> dict[str, Any]:
    """Return the size of a data set as it is loaded without options, if that is quick and works."""
    file = data_files().get(name)
    if file is not None and file.stat().st_size > LARGEST_FILE:
        return dict.fromkeys(SIZES)
    try:
        data = load_dataset(name)
    except ValueError:  # it needs options, or mending
        return dict.fromkeys(SIZES)
    return dict(zip(SIZES, (*data.X.shape, len(data.labels)), strict=True))
