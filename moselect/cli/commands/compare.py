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
    LossOption,
    OrderOption,
    QuietOption,
    ReadOption,
    TargetOption,
    binning_of,
    numbers,
    reading_of,
    split,
)
from moselect.cli.terminal import Terminal


def _list_models(wanted: bool) -> None:
    if wanted:
        from moselect.comparison import known_models

        for name, description in known_models().items():
            typer.echo(f"{name:20} {description}")
        raise typer.Exit


def compare(
    data: DataArgument = None,
    target: TargetOption = None,
    order: OrderOption = None,
    bins: BinsOption = None,
    binning: BinningOption = None,
    models: Annotated[
        str | None,
        typer.Option(
            help="Names with commas (--list-models); quick ones by default.",
            autocompletion=completion.known_models,
        ),
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(help="Measures with commas: accuracy,mean_absolute_error,vus,..."),
    ] = None,
    folds: Annotated[
        int | None, typer.Option(help="Stratified folds of a repeat; 5 by default.")
    ] = None,
    repeats: Annotated[
        int | None, typer.Option(help="How often to split anew; 2 by default.")
    ] = None,
    class_costs: ClassCostsOption = None,
    loss: LossOption = "absolute",
    cost_matrix: Annotated[
        Path | None,
        typer.Option(
            help="CSV or Excel file of all costs: true classes down, predicted across.",
            autocompletion=completion.tables,
        ),
    ] = None,
    priors: Annotated[
        str | None,
        typer.Option(help="Shares of the classes in use, if they differ from the data: 0.9,0.1"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same result; random by default.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes to fit with.")] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(help="Longest time of one fit: a model that takes longer is left out."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="File to keep the comparison in, with a picture beside it.")
    ] = None,
    extend: Annotated[
        bool, typer.Option("--extend", help="Add to what is in that file; fit what is missing.")
    ] = False,
    save_best: Annotated[
        Path | None,
        typer.Option(
            help="File for the winner, fitted to all rows: linear rules as .json, pools as .skops."
        ),
    ] = None,
    no_prepare: Annotated[
        bool,
        typer.Option("--no-prepare", help="Take finite numbers only: refuse text, dates and gaps."),
    ] = False,
    list_models: Annotated[
        bool,
        typer.Option(
            "--list-models", callback=_list_models, is_eager=True, help="Show the known models."
        ),
    ] = False,
    read: ReadOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Compare models of DATA on the same folds by the same measures."""
    from moselect.cli.compare import AskedCosts, Fits, Kept, run_compare
    from moselect.datasets.orders import parse_order

    source = {
        "target": target,
        "order": parse_order(order) if order else None,
        "bins": bins,
        "binning": binning_of(binning),
        "reading": reading_of(read),
    }
    run_compare(
        data,
        source,
        Fits(
            split(models), split(measures), folds, repeats, seed, jobs, not no_prepare, max_seconds
        ),
        AskedCosts(
            numbers("--class-costs", class_costs), loss, cost_matrix, numbers("--priors", priors)
        ),
        Kept(out, extend, save_best),
        Terminal(quiet=quiet, json=json),
    )
