"""The options of `moselect evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli import completion
from moselect.cli.options import JsonOption, QuietOption, split
from moselect.cli.terminal import Terminal


def evaluate(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A CSV or Parquet file.",
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
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Measure the predictions of any model, with intervals."""
    from moselect.cli.evaluate import run_evaluate

    terminal = Terminal(quiet=quiet, json=json)
    run_evaluate(file, true, score, pred, split(order), level, terminal)
