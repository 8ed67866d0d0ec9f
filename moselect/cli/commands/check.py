"""`moselect check` and `moselect decide`: what is done with a model once it is in use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli.options import (
    ClassCostsOption,
    CostMatrixOption,
    ForceOption,
    JsonOption,
    QuietOption,
    ReadOption,
    complete_data,
    numbers,
    reading_of,
)
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import check_source

NOT_KEPT = 3  # exit code

ModelArgument = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model.json or model.skops.", show_default=False)
]


def check(
    model: ModelArgument,
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="Rows that came later, with their classes or without.",
            show_default=False,
            autocompletion=complete_data,
        ),
    ],
    target: Annotated[
        str | None, typer.Option(help="Column of the classes; by default that of training.")
    ] = None,
    adapt: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the same model deciding for the class shares of these rows."
        ),
    ] = None,
    force: ForceOption = False,
    read: ReadOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Say whether what was shown of a model holds on rows that came later.

    Without classes the cost is estimated from the model's probabilities. The exit code is 3 if the
    rows are dearer than was shown.
    """
    _check_model(model)
    check_source(data)

    from moselect.cli.check import run_check

    terminal = Terminal(quiet=quiet, json=json)
    kept = run_check(model, data, target, adapt, force, reading_of(read), terminal)
    if kept is False:
        raise SystemExit(NOT_KEPT)


def decide(
    model: ModelArgument,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="New file for the model.", show_default=False)
    ],
    class_costs: ClassCostsOption = None,
    cost_matrix: CostMatrixOption = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write the same model deciding for other costs; nothing is fitted."""
    _check_model(model)
    if (class_costs is None) == (cost_matrix is None):
        raise ValueError("give the new costs: --class-costs or --cost-matrix")

    from moselect.decision import Costs
    from moselect.storage import read_cost_matrix, read_model, write_model

    known = read_model(model)
    classes = known.classes_.tolist()
    costs = (
        Costs(numbers("--class-costs", class_costs))
        if cost_matrix is None
        else Costs(cost_matrix=read_cost_matrix(cost_matrix, classes))
    )
    about = {**known.about, "cost_matrix": costs.matrix(len(classes)).tolist()}
    write_model(out, known.decide(costs.matrix(len(classes))), about, overwrite=force)
    Terminal(quiet=quiet).say(f"Written: {out}")


def _check_model(model: Path) -> None:
    if not model.is_file():
        raise ValueError(f"there is no model '{model}'")
