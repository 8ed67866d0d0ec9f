"""The options of `moselect predict`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli import completion
from moselect.cli.options import ForceOption, JsonOption, QuietOption
from moselect.cli.terminal import Terminal


def predict(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A model.json.",
            show_default=False,
            autocompletion=completion.models,
        ),
    ],
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="A table with the model's features, found by name; other columns are ignored.",
            show_default=False,
            autocompletion=completion.data_sets,
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="CSV file; by default the terminal.")
    ] = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Write a score and a class for each row of DATA."""
    from moselect.cli.predict import run_predict

    run_predict(model, data, out, force, Terminal(quiet=quiet, json=json))
