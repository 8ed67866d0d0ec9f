"""The options of `moselect evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli import completion
from moselect.cli.options import (
    JsonOption,
    ReadOption,
    reading_of,
    split,
)
from moselect.cli.terminal import Terminal


def evaluate(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A CSV or Parquet file, or a folder of them.",
            show_default=False,
            autocompletion=completion.tables,
        ),
    ],
    true: Annotated[str, typer.Option(help="Column of the true classes.", show_default=False)],
    score: Annotated[str | None, typer.Option(help="Column of scores.")] = None,
    pred: Annotated[str | None, typer.Option(help="Column of predicted classes.")] = None,
    order: Annotated[
        str | None, typer.Option(help="Labels of text classes, lowest first: low,mid,high")
    ] = None,
    level: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
    stream: Annotated[
        bool,
        typer.Option(
            "--stream",
            help="Read part by part, in little memory; so are folders and files > 512 MB.",
        ),
    ] = False,
    dask: Annotated[
        str | None,
        typer.Option(help="With --stream: count a folder's files on the Dask scheduler here."),
    ] = None,
    read: ReadOption = None,
    json: JsonOption = False,
) -> None:
    """Measure the predictions of any model, with intervals."""
    from moselect.cli.evaluate import run_evaluate, run_streamed_evaluate
    from moselect.cli.evaluate_stream import Columns, is_large

    terminal = Terminal(json=json)
    reading = reading_of(read)
    if score is None and pred is None:
        raise ValueError("say which column to measure: --score, --pred, or both")
    columns = Columns(true, score, pred)
    if stream or dask is not None or is_large(file):
        if reading is not None:
            raise ValueError(
                "--read is for tables that are read as a whole: plain CSV and Parquet files are "
                "read part by part"
            )
        run_streamed_evaluate(file, columns, split(order), level, terminal, dask)
    else:
        run_evaluate(file, columns, reading, split(order), level, terminal)
