"""The options of `moselect compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli import completion
from moselect.cli.options import (
    DATA,
    BinningOption,
    BinsOption,
    ClassCostsOption,
    CostMatrixOption,
    JsonOption,
    OrderOption,
    ReadOption,
    TargetOption,
    numbers,
    source_of,
    split,
)
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import check_source


def compare(
    data: Annotated[str, DATA],
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
    cost_matrix: CostMatrixOption = None,
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
    check_source(data)
    source = source_of(target, order, bins, binning, read)
    settings = {"cv": folds, "random_state": seed, "n_jobs": jobs}
    costs = numbers("--class-costs", class_costs)
    if costs is not None and cost_matrix is not None:
        raise ValueError("give one of --class-costs and --cost-matrix")

    from moselect.cli.compare import run_compare
    from moselect.comparison import DEFAULT_MODELS
    from moselect.datasets import load_dataset
    from moselect.decision import Costs
    from moselect.storage import read_cost_matrix
    from moselect.storage.atomic import check_file_path

    for path in (out, save_best):
        if path is not None:
            check_file_path(path, replace=False)
    dataset = load_dataset(data, **source)
    stated = None if costs is None else Costs(costs)
    if cost_matrix is not None:
        stated = Costs(cost_matrix=read_cost_matrix(cost_matrix, dataset.labels))
    names = split(models) or DEFAULT_MODELS
    run_compare(dataset, names, settings | {"costs": stated}, out, save_best, Terminal(json=json))
