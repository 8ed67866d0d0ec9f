"""Requests of commands that read a table with its target: search, tune and compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import get_annotations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from moselect.cli.options import (
    By,
    ClassCosts,
    CostMatrix,
    Force,
    Group,
    Jobs,
    LeaveOut,
    Limits,
    Metric,
    Names,
    Order,
    Read,
    Seconds,
    Seed,
    Time,
    Weight,
    WeightType,
    binning,
    data_argument,
    directions,
    missing_codes,
    names_option,
    option,
)
from moselect.cli.requests import Request
from moselect.metrics.objectives import DECLARED
from moselect.search.settings import (
    DEFAULT_ITERATIONS,
    Columns,
    SearchSettings,
    preset_settings,
)

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document


ANY_TABLE = data_argument(
    "A bundled name (boston), openml:ID, a CSV, .xlsx or Parquet file, a folder or pattern of "
    "Parquet files, or the URL of a database."
)
RunOut = Annotated[Path | None, option("Run folder; by default a new one in runs/.")]


class TableRequest(Request, frozen=True, kw_only=True):
    """Options of a command that reads a table with its target and roles."""

    target: Annotated[
        str | None, option("Target column; by default a usual name or the last.")
    ] = None
    order: Order = None
    bins: Annotated[
        int | None,
        option("Number of classes into which a numeric target is binned.", min=2),
    ] = None
    # A name or priors: typer takes no unions.
    binning: Annotated[
        object,
        option(
            "Bins of a numeric target: uniform, quantile or priors such as 0.5,0.3,0.2.",
            read=binning,
        ),
    ] = None
    leave_out: LeaveOut = None
    categorical: Annotated[
        Names, names_option("Numeric columns to treat as categorical.")
    ] = None
    weight: Weight = None
    weight_type: WeightType = None
    group: Group = None
    time: Time = None
    rows: Annotated[
        int | None,
        option(
            "Draw a sample of about so many rows of a larger source, with sampling weights; by "
            "default 200000 of files that do not fit into memory.",
            min=1,
        ),
    ] = None
    reading: Read = None

    @property
    def loaded_by(self) -> Document:
        """Options of the table that are given, as `load_dataset` takes them."""
        return self.given(*get_annotations(TableRequest), "random_state")

    @property
    def prepared(self) -> Document:
        """Settings of the preparation that are given."""
        return {}


class PreparedRequest(TableRequest, frozen=True, kw_only=True):
    """Options of a command that also prepares the columns of its table."""

    drop: Annotated[Names, names_option("Columns to exclude, separated by commas.")] = (
        None
    )
    keep: Annotated[
        Names,
        names_option("Columns to keep although they are constant or look like keys."),
    ] = None
    missing: Annotated[
        Mapping[str, Sequence[float]] | None,
        option(
            "Codes of missing values in numeric columns: income=999,score=-9",
            read=missing_codes,
            metavar="COL=CODE,...",
        ),
    ] = None

    @property
    def prepared(self) -> Document:
        """Settings of the preparation that are given."""
        return self.given("drop", "keep", "categorical", "missing")


class SearchRequest(PreparedRequest, frozen=True, kw_only=True):
    """Find the Pareto-optimal models for DATA, and save them in a run folder."""

    usual: ClassVar = "data target order bins drop group time out"

    data: Annotated[str | None, ANY_TABLE] = None
    preset: Annotated[
        Literal["waegeman2008"] | None, option("Settings of a published paper.")
    ] = None
    out: RunOut = None
    force: Annotated[bool, option("Replace the run folder.", "--force")] = False
    resume: Annotated[Path | None, option("Resume the search in this run folder.")] = None
    objectives: Annotated[
        Names,
        names_option(
            f"Objectives, separated by commas: {', '.join(DECLARED)}, or a metric of select such "
            "as f1:severe; by default as in Waegeman et al. (2008).",
        ),
    ] = None
    n_particles: Annotated[
        int | None, option("Particles per swarm.", "--particles", min=1)
    ] = None
    n_runs: Annotated[
        int | None, option("Independent runs, merged.", "--runs", min=1)
    ] = None
    max_evaluations: Annotated[
        int | None,
        option(
            "Maximum number of evaluations of all runs together; by default "
            f"{DEFAULT_ITERATIONS} per particle and run.",
            "--evaluations",
            min=1,
        ),
    ] = None
    max_seconds: Seconds = None
    holdout: Annotated[
        float | None,
        option("Share of rows to hold out for an evaluation of the front."),
    ] = None
    cv: Annotated[
        int | None,
        option(
            "Cross-validation folds; the search is repeated in each. 5 by default, 0 for none.",
            "--folds",
            min=0,
        ),
    ] = None
    class_costs: ClassCosts = None
    columns: Annotated[
        Columns | None,
        option(
            "Inputs of the linear models: features, splines of them, or scores of other models."
        ),
    ] = None
    monotone: Annotated[
        Mapping[str, int] | None,
        option(
            "Monotonic effects: predictions only rise (+) or only fall (-) with a column: "
            "age:+,income:-.",
            read=directions,
        ),
    ] = None
    n_jobs: Jobs = None
    random_state: Seed = None

    def __post_init__(self) -> None:
        if self.data is None and self.resume is None:
            raise ValueError("give a file, or the name of a data set such as boston")
        if self.cv == 1:
            raise ValueError("--folds 1: give at least 2, or 0 for none")
        settings = self.settings.keys() - {"n_jobs"}
        others = settings or self.prepared or self.out or self.force or self.loaded_by
        if self.resume is not None and (others or self.data):
            raise ValueError(
                "--resume keeps the rows and settings of the search: give --jobs, --quiet or "
                "--json only"
            )

    @property
    def settings(self) -> Document:
        """Settings of the search: a preset, overridden by given settings."""
        settings = {} if self.preset is None else preset_settings(self.preset)
        settings |= self.given("class_costs", *SearchSettings.__dataclass_fields__)
        if self.cv == 0:
            settings["cv"] = None
        return settings


class DecideRequest(PreparedRequest, frozen=True, kw_only=True):
    """Select a model for the costs of mistakes, and write it with one page that explains it.

    The new folder has the page decision.html, the model, predict.sql if the model has such a form,
    and the run in details. Without --target and costs, the command asks for them.
    """

    usual: ClassVar = "data target class_costs cost_matrix order limit by out drop"

    data: Annotated[
        str,
        data_argument(
            "A CSV, .xlsx or Parquet file, a bundled name (boston) or openml:ID."
        ),
    ]
    class_costs: ClassCosts = None
    cost_matrix: CostMatrix = None
    limit: Limits = None
    by: By = None
    out: Annotated[
        Path | None,
        option("New folder; by default <DATA>-decision.", "--out", "-o"),
    ] = None
    random_state: Seed = None
    force: Annotated[bool, option("Replace the folder.", "--force")] = False

    def __post_init__(self) -> None:
        _ = self.limits  # checked early
        self.given_one("class_costs", "cost_matrix")


class TuneRequest(TableRequest, frozen=True, kw_only=True):
    """Tune models by cross-validated objectives; select takes one: --candidates tuned.

    Trials are saved in the run folder. Given this folder, the command goes on with them.
    """

    data: Annotated[
        str,
        data_argument(
            "A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file, which is "
            "searched first; or a run folder, to tune on its data and folds, or to resume.",
            "DATA|RUN",
        ),
    ]
    models: Annotated[
        Names,
        names_option(
            "Models to tune, separated by commas, such as lightgbm,random_forest,ensemble; by "
            "default gradient_boosting,random_forest. An unknown name lists all.",
        ),
    ] = None
    trials: Annotated[int, option("Number of trials of all models.", min=1)] = 100
    objectives: Annotated[
        Names,
        names_option(
            "Objectives, separated by commas: accuracy,one_minus_mae,vus by default, or cost "
            "with --class-costs.",
        ),
    ] = None
    class_costs: ClassCosts = None
    seconds: Seconds = None
    out: RunOut = None
    random_state: Seed = None
    n_jobs: Jobs = None


class CompareRequest(PreparedRequest, frozen=True, kw_only=True):
    """Compare the cross-validated costs of models on the same folds."""

    data: Annotated[str, ANY_TABLE]
    models: Annotated[
        Names,
        names_option(
            "Models, separated by commas, such as scorecard,ensemble,random_forest; fast ones by "
            "default. An unknown name lists all.",
        ),
    ] = None
    folds: Annotated[
        int | None,
        option("Number of stratified folds; by default the 5 of select.", min=2),
    ] = None
    class_costs: ClassCosts = None
    cost_matrix: CostMatrix = None
    metric: Metric = None
    random_state: Seed = None
    n_jobs: Jobs = None
    out: Annotated[
        Path | None,
        option("JSON file for the result, as --json prints it."),
    ] = None
    force: Force = False
