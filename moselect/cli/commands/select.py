"""The options of `moselect select`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from moselect.cli.options import (
    ClassCostsOption,
    CostMatrixOption,
    ForceOption,
    JsonOption,
    LimitOption,
    MovedOption,
    QuietOption,
    ReferOption,
    RunArgument,
    numbers,
    split,
    weights,
)
from moselect.cli.terminal import Terminal
from moselect.storage.run_record import read_record


def select(
    run: RunArgument,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="File for the model: .json, or .skops for a pool; by default model.json.",
        ),
    ] = None,
    class_costs: ClassCostsOption = None,
    loss: Annotated[
        Literal["absolute", "squared", "zero_one"] | None,
        typer.Option(
            help="How the cost grows with the distance between classes: absolute by default."
        ),
    ] = None,
    cost_matrix: CostMatrixOption = None,
    priors: Annotated[
        str | None,
        typer.Option(help="Shares of the classes in use, if they differ from the data: 0.9,0.1"),
    ] = None,
    prefer: Annotated[
        str | None,
        typer.Option(
            help="Objective weights, instead of costs: vus=2,accuracy=1; all alike by default."
        ),
    ] = None,
    model: Annotated[
        int | None, typer.Option(help="Take this model of the front as it is.", min=0)
    ] = None,
    best: Annotated[
        str | None,
        typer.Option(
            help="Take the model of the front that is best in an objective.",
        ),
    ] = None,
    balanced: Annotated[
        bool, typer.Option("--balanced", help="Take the most balanced model of the front.")
    ] = False,
    kind: Annotated[
        str | None,
        typer.Option(
            help="Kind of model: points, linear, curves, pool, cheapest, or simple (the simplest "
            "within 5 % of the least cost). By default the cheapest."
        ),
    ] = None,
    models: Annotated[
        str | None,
        typer.Option(
            help="Further kinds: names of classifiers, as compare takes them, with commas between "
            "them: random_forest,gradient_boosting."
        ),
    ] = None,
    conditions: Annotated[
        int | None,
        typer.Option(min=1, max=20, help="Conditions of a scorecard; by default 8."),
    ] = None,
    limit: LimitOption = None,
    refer: ReferOption = None,
    export: Annotated[
        Path | None,
        typer.Option(
            help="Also write the model as .sql, .xlsx, .py or .onnx, or its card as .html, .txt "
            "or .png."
        ),
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option(
            help="Of exported SQL: bigquery, duckdb, postgres, snowflake, sqlite or tsql "
            "(SQL Server). By default what SQLite, PostgreSQL and DuckDB have in common."
        ),
    ] = None,
    data: MovedOption = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Write the model that is best on new data, for given costs of mistakes or by preference."""
    read_record(run)

    # First: deep within other imports it takes a tenth longer (experiments/benchmarks).
    import sklearn.linear_model  # noqa: F401

    from moselect.cli.select import run_select
    from moselect.cli.select_options import Request, limits_of, referral_of

    terminal = Terminal(quiet=quiet, json=json)
    request = Request(
        class_costs=numbers("--class-costs", class_costs),
        loss=loss,
        costs_file=cost_matrix,
        priors=numbers("--priors", priors),
        preferences=weights("--prefer", prefer),
        model=model,
        best=best,
        balanced=balanced,
        kind=kind,
        models=split(models),
        limits=limits_of(limit),
        refer=referral_of(refer),
        conditions=conditions,
        out=out,
        export=export,
        dialect=dialect,
        force=force,
    )
    run_select(run, data, request, terminal)
