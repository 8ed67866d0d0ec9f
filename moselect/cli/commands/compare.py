"""The options of `moselect compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli import completion
from moselect.cli.options import (
    BinningOption,
    BinsOption,
    ClassCostsOption,
    DataArgument,
    JsonOption,
    OrderOption,
    ReadOption,
    TargetOption,
    binning_of,
    numbers,
    reading_of,
    split,
)
from moselect.cli.terminal import Terminal


def compare(
    data: DataArgument = None,
    target: TargetOption = None,
    order: OrderOption = None,
    bins: BinsOption = None,
    binning: BinningOption = None,
    models: Annotated[
        str | None,
        typer.Option(
            help=f"Names with commas: {', '.join(completion.KNOWN_MODELS)}; quick ones by default.",
            autocompletion=completion.known_models,
        ),
    ] = None,
    folds: Annotated[
        int | None, typer.Option(help="Stratified folds, once; by default 5, twice.")
    ] = None,
    class_costs: ClassCostsOption = None,
    cost_matrix: Annotated[
        Path | None,
        typer.Option(
            help="CSV or Excel file of all costs: true classes down, predicted across.",
            autocompletion=completion.tables,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same result; random by default.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes to fit with.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="File to keep each model in as it ends, with pictures beside it."),
    ] = None,
    save_best: Annotated[
        Path | None,
        typer.Option(
            help="File for the winner, fitted to all rows: linear rules as .json, pools as .skops."
        ),
    ] = None,
    read: ReadOption = None,
    json: JsonOption = False,
) -> None:
    """Compare models of DATA on the same folds by the same measures."""
    from moselect.cli.compare import run_compare
    from moselect.datasets.orders import parse_order

    source = {
        "target": target,
        "order": parse_order(order) if order else None,
        "bins": bins,
        "binning": binning_of(binning),
        "reading": reading_of(read),
    }
    settings = {"models": split(models), "cv": folds, "random_state": seed, "n_jobs": jobs}
    costs = numbers("--class-costs", class_costs)
    run_compare(data, source, settings, costs, cost_matrix, out, save_best, Terminal(json=json))
