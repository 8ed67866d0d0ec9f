"""The options of `moselect predict`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli.options import (
    ForceOption,
    JsonOption,
    QuietOption,
    ReadOption,
    complete_data,
    reading_of,
)
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import check_source


def predict(
    model: Annotated[
        Path,
        typer.Argument(metavar="MODEL", help="A model.json or model.skops.", show_default=False),
    ],
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="A table with the model's features, found by name; other columns are ignored.",
            show_default=False,
            autocompletion=complete_data,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="New file: .csv, .parquet or .xlsx; by default the terminal.",
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(metavar="COLS|all", help="Columns of DATA to put in front: key,date"),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of each class.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add what each feature adds to the score.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="No class where a value lacks that all rows had.")
    ] = False,
    force: ForceOption = False,
    read: ReadOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Write a score and a class for each row of DATA.

    A row with an unusable value gets no class but a reason; one without a value that all rows had
    in training is marked there. A column that is kept and is called score or class stays; the new
    one is then called predicted_score or predicted_class.
    """
    if not model.is_file():
        raise ValueError(f"there is no model '{model}'")
    check_source(data)
    terminal = Terminal(quiet=quiet, json=json)

    from moselect.cli.predict import run_predict

    run_predict(model, data, reading_of(read), out, terminal, keep, proba, explain, strict, force)
