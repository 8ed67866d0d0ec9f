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
from moselect.listing import parse_order

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
    true: Annotated[
        str,
        typer.Option("--true", "--target", help="Column of the true classes.", show_default=False),
    ],
    score: Annotated[str | None, typer.Option(help="Column of scores.")] = None,
    pred: Annotated[str | None, typer.Option(help="Column of predicted classes.")] = None,
    weight: Annotated[
        str | None,
        typer.Option(help="Column of weights: counts if whole numbers, else what rows are worth."),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(help="Column of groups, such as patients, whose rows belong together."),
    ] = None,
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
    if group is not None and in_parts:
        raise ValueError(
            "--group needs a table that is read as a whole: give one file of at most 512 MB, such "
            "as some groups with all their rows"
        )
    if dask is not None and not in_parts:
        raise ValueError("--dask counts the files of a folder: name one")

    from moselect.cli.evaluate import measure_table, print_measures
    from moselect.cli.evaluate_stream import Columns, measure_stream

    columns = Columns(true, score, pred, weight, group)
    labels = parse_order(order) if order else None
    if in_parts:
        print_measures(*measure_stream(file, columns, labels, terminal, dask), {}, terminal)
    else:
        print_measures(*measure_table(file, columns, reading, labels, costs), terminal)
