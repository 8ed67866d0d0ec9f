"""The options of `moselect evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from moselect.cli.options import split


def evaluate(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A CSV or Parquet file.", show_default=False),
    ],
    true: Annotated[str, typer.Option(help="Column of the true classes.", show_default=False)],
    score: Annotated[str | None, typer.Option(help="Column of scores.")] = None,
    pred: Annotated[str | None, typer.Option(help="Column of predicted classes.")] = None,
    order: Annotated[
        str | None, typer.Option(help="Labels of text classes, lowest first: low,mid,high")
    ] = None,
    level: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
) -> None:
    """Measure the predictions of any model, with intervals."""
    from moselect.cli.evaluate import run_evaluate

    run_evaluate(file, true, score, pred, split(order), level, Console())
