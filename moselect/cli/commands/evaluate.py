"""The options of `moselect evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli.options import (
    ClassCostsOption,
    JsonOption,
    OrderOption,
    ReadOption,
    numbers,
    reading_of,
)
from moselect.cli.terminal import Terminal
from moselect.datasets.orders import parse_order

STREAM_ABOVE = 1 << 29  # bytes on disk


def evaluate(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A table, or a folder of CSV or Parquet files; those and files of more than "
            "512 MB are read part by part.",
            show_default=False,
        ),
    ],
    true: Annotated[str, typer.Option(help="Column of the true classes.", show_default=False)],
    score: Annotated[str | None, typer.Option(help="Column of scores.")] = None,
    pred: Annotated[str | None, typer.Option(help="Column of predicted classes.")] = None,
    order: OrderOption = None,
    class_costs: ClassCostsOption = None,
    dask: Annotated[
        str | None,
        typer.Option(help="Count the files of a folder on the Dask scheduler at this address."),
    ] = None,
    read: ReadOption = None,
    json: JsonOption = False,
) -> None:
    """Measure the predictions of any model, with intervals."""
    terminal = Terminal(json=json)
    reading = reading_of(read)
    if score is None and pred is None:
        raise ValueError("say which column to measure: --score, --pred, or both")
    if str(file) != "-" and not file.exists():
        raise ValueError(f"there is no file '{file}'")
    in_parts = file.is_dir() or (file.is_file() and file.stat().st_size > STREAM_ABOVE)
    if in_parts and reading is not None:
        raise ValueError("--read is for tables that are read as a whole, and these are not")
    costs = numbers("--class-costs", class_costs)
    if costs is not None and (in_parts or pred is None):
        raise ValueError("--class-costs needs --pred, and a table that is read as a whole")
    if dask is not None and not in_parts:
        raise ValueError("--dask counts the files of a folder: name one")

    from moselect.cli.evaluate import measure_table, print_measures
    from moselect.cli.evaluate_stream import Columns, measure_stream

    columns, labels = Columns(true, score, pred), parse_order(order) if order else None
    if in_parts:
        measured = measure_stream(file, columns, labels, terminal, dask)
    else:
        measured = measure_table(file, columns, reading, labels, costs)
    print_measures(*measured, terminal)
