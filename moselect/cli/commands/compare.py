"""The options of `moselect compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from moselect.cli.options import (
    TABLE_OPTIONS,
    ClassCostsOption,
    CostMatrixOption,
    JsonOption,
    complete_data,
    numbers,
    split,
    table_of,
    with_options,
)
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import check_source
from moselect.storage.run_record import RECORD, read_record

DATA_OR_RUN = typer.Argument(
    metavar="DATA|RUN",
    help="A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file; or a run folder, "
    "for its data, target, classes and columns.",
    show_default=False,
    autocompletion=complete_data,
)


@with_options(TABLE_OPTIONS, {})
def compare(
    data: Annotated[str, DATA_OR_RUN],
    models: Annotated[
        str | None,
        typer.Option(
            help="Names with commas, such as points,pool,random_forest; quick ones by default. An "
            "unknown name lists all.",
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
            help="File for the cheapest model, fitted to all rows: .json for sums of terms, .skops "
            "for a pool; others cannot be kept (exit code 3)."
        ),
    ] = None,
    json: JsonOption = False,
    **options: Any,
) -> None:
    """Compare what models cost on new data, on the same folds."""
    is_run = Path(data, RECORD).is_file()
    source, prepared = table_of(options)
    if is_run and (prepared or any(source.values())):
        raise ValueError("a run folder says how its data are read: give options with DATA")
    if not is_run:
        check_source(data)
    settings: dict[str, Any] = {"cv": folds, "random_state": seed, "n_jobs": jobs}
    costs = numbers("--class-costs", class_costs)
    if costs is not None and cost_matrix is not None:
        raise ValueError("give one of --class-costs and --cost-matrix")

    from moselect.cli.compare import run_compare
    from moselect.columns import Preparation
    from moselect.comparison import DEFAULT_MODELS
    from moselect.datasets import load_dataset
    from moselect.decision import Costs
    from moselect.storage import read_cost_matrix, search_of
    from moselect.storage.atomic import check_file_path
    from moselect.storage.run_record import load_recorded

    for path in (out, save_best):
        if path is not None:
            check_file_path(path, replace=False)
    prepare: Any = True
    if is_run:
        record = read_record(Path(data))
        dataset = load_recorded(record, None, "moselect compare DATA")
        prepare = search_of(record).prepare
    else:
        dataset = load_dataset(data, categorical=prepared.get("categorical"), **source)
        if prepared:
            prepare = Preparation(random_state=seed, **prepared)
    stated = None if costs is None else Costs(costs)
    if cost_matrix is not None:
        stated = Costs(cost_matrix=read_cost_matrix(cost_matrix, dataset.labels))
    names = split(models) or DEFAULT_MODELS
    settings |= {"costs": stated, "prepare": prepare}
    run_compare(dataset, names, settings, out, save_best, Terminal(json=json))
