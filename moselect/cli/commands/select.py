"""The options of `moselect select`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli import completion
from moselect.cli.options import (
    ClassCostsOption,
    ForceOption,
    JsonOption,
    LossOption,
    QuietOption,
    RunArgument,
    numbers,
)
from moselect.cli.terminal import Terminal


def select(
    run: RunArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the model.")] = Path(
        "model.json"
    ),
    class_costs: ClassCostsOption = None,
    loss: LossOption = "absolute",
    cost_matrix: Annotated[
        Path | None,
        typer.Option(
            help="CSV file of all costs: true classes down, predicted across.",
            autocompletion=completion.tables,
        ),
    ] = None,
    priors: Annotated[
        str | None,
        typer.Option(help="Shares of the classes in use, if they differ from the data: 0.9,0.1"),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            help="Where the data of the run are now, if they have moved.",
            autocompletion=completion.data_sets,
        ),
    ] = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Give the model that is to cost least on new data, for given costs of mistakes."""
    from moselect.cli.select import run_select

    run_select(
        run,
        data,
        numbers("--class-costs", class_costs),
        loss,
        cost_matrix,
        numbers("--priors", priors),
        out,
        force,
        Terminal(quiet=quiet, json=json),
    )
