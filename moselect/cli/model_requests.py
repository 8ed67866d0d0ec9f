"""Requests of commands on models, and on predictions and scores of any model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Struct

from moselect.cli.options import (
    By,
    ClassCosts,
    CostMatrix,
    Force,
    Group,
    LeaveOut,
    Limits,
    Loss,
    Metric,
    ModelPath,
    Names,
    Order,
    Priors,
    Read,
    Refer,
    Time,
    Weight,
    WeightType,
    argument,
    check_file,
    data_argument,
    names_option,
    option,
)
from moselect.cli.requests import Request


class PredictRequest(Request, frozen=True, kw_only=True):
    """Write a score and a class for each row of DATA.

    Rows with unusable values get a reason in place of a class. The reasons also name
    imputed columns that were complete in training, and unknown levels. If a kept column
    has the name score or class, the new one is predicted_score or predicted_class.
    """

    model: ModelPath
    data: Annotated[
        str,
        data_argument(
            "A table with the model's features, found by name; other columns are ignored."
        ),
    ]
    out: Annotated[
        Path | None,
        option(
            "New file: .csv, .parquet or .xlsx; by default the terminal.", "--out", "-o"
        ),
    ] = None
    keep: Annotated[
        Names,
        names_option(
            "Columns of DATA to copy into the output: key,date",
            metavar="COLS|all",
        ),
    ] = None
    proba: Annotated[bool, option("Add the probability of each class.", "--proba")] = (
        False
    )
    coverage: Annotated[
        float | None,
        option(
            "Add the range of classes, lowest to highest, that holds the true class with this "
            "probability: 0.9."
        ),
    ] = None
    coverage_by: Annotated[
        Literal["class"] | None,
        option("Hold the --coverage in each class instead of over all rows."),
    ] = None
    explain: Annotated[
        bool, option("Add the contribution of each feature to the score.", "--explain")
    ] = False
    reasons: Annotated[
        bool,
        option(
            "Add a sentence on the three largest contributions to the score.", "--reasons"
        ),
    ] = False
    strict: Annotated[
        bool,
        option(
            "No class if a column that was complete in training is missing.", "--strict"
        ),
    ] = False
    force: Force = False
    reading: Read = None

    def __post_init__(self) -> None:
        if self.coverage_by is not None and self.coverage is None:
            raise ValueError("--coverage-by needs --coverage")


class CheckRequest(Request, frozen=True, kw_only=True):
    """Compare the cost of a model on later rows with the estimate at its selection.

    Checks may be repeated as rows accumulate, with all rows so far or with a --history.
    Weights and groups default to the columns used in training, if DATA has them.
    The exit code is 3 if the cost is higher than estimated.
    """

    model: ModelPath
    data: Annotated[str, data_argument("Later rows, with or without their classes.")]
    target: Annotated[
        str | None, option("Column of the classes; by default the target of training.")
    ] = None
    unlabelled: Annotated[
        bool,
        option("Rows without classes: estimate class shares and cost.", "--unlabelled"),
    ] = False
    weight: Weight = None
    weight_type: WeightType = None
    group: Group = None
    by: By = None
    history: Annotated[
        Path | None,
        option(
            "History of checks, .csv. This check is appended, and a figure drawn; the verdict "
            "covers all rows so far. Rows of earlier checks may be repeated, first and complete."
        ),
    ] = None
    reading: Read = None

    def __post_init__(self) -> None:
        if self.unlabelled and self.target is not None:
            raise ValueError("--target and --unlabelled cannot be combined")
        if self.unlabelled and (self.history or self.by):
            raise ValueError("--history and --by need the classes of the rows")


class LabelledRequest(Request, frozen=True, kw_only=True):
    """Options of a command that reads labelled rows with scores or predictions."""

    file: Annotated[
        Path,
        argument(
            "Table with the true classes; only the named columns of a Parquet file are read.",
            check_file,
            metavar="FILE",
        ),
    ]
    true: Annotated[
        str,
        option("Column of the true classes.", "--true", "--target", show_default=False),
    ]
    order: Order = None
    leave_out: LeaveOut = None
    weight: Weight = None
    weight_type: WeightType = None
    group: Group = None
    class_costs: ClassCosts = None
    cost_matrix: CostMatrix = None
    reading: Read = None

    def __post_init__(self) -> None:
        if self.weight_type is not None and self.weight is None:
            raise ValueError("--weight-type needs --weight")

    @property
    def columns(self) -> list[str]:
        """Columns of the table that are named."""
        names = ("true", "score", "pred", "weight", "group", "time")
        return [*self.given(*names).values()]


class EvaluateRequest(LabelledRequest, frozen=True, kw_only=True):
    """Evaluate the predictions of any model, with intervals."""

    score: Annotated[str | None, option("Column of scores.")] = None
    pred: Annotated[str | None, option("Column of predicted classes.")] = None
    refer: Refer = None
    by: By = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.score is None and self.pred is None:
            raise ValueError("name the column to evaluate: --score, --pred, or both")
        has_costs = bool(self.given("class_costs", "cost_matrix"))
        if self.pred is None and (has_costs or self.by):
            raise ValueError("--class-costs, --cost-matrix and --by need --pred")
        if self.refer is not None and not has_costs:
            raise ValueError("--refer needs costs: --class-costs or --cost-matrix")

    @property
    def columns(self) -> list[str]:
        """Columns of the table that are named."""
        return [*super().columns, *(self.by or ())]


class ThresholdsRequest(LabelledRequest, frozen=True, kw_only=True):
    """Find the thresholds of a column of scores for costs, a metric and limits.

    The scores are out-of-fold or hold-out scores of any model. The exit code is 3 if a limit
    is not met.
    """

    score: Annotated[
        str, option("Column of scores, higher for higher classes.", show_default=False)
    ]
    loss: Loss = None
    metric: Metric = None
    priors: Priors = None
    limit: Limits = None
    time: Time = None
    folds: Annotated[int, option("Cross-validation folds.", min=2)] = 5
    bands: Annotated[
        int | None,
        option(
            "Instead, divide the score into this many bands with rising rates of a two-class "
            "outcome.",
            min=2,
        ),
    ] = None
    min_share: Annotated[
        float | None,
        option("Least share of the rows in a band; by default 0.02.", min=0.0, max=0.5),
    ] = None
    out: Annotated[
        Path | None,
        option(
            "File for a model that predicts from the column of scores.", "--out", "-o"
        ),
    ] = None
    force: Force = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.limits  # checked early
        given = self.check_costs()
        if self.bands is None:
            if not given:
                raise ValueError("give costs: --class-costs, --cost-matrix or --metric")
            if self.min_share is not None:
                raise ValueError("--min-share needs --bands")
            return
        others = self.given("weight", "group", "time", "limit", "out")
        if given or others:
            flags = ", ".join(f"--{name.replace('_', '-')}" for name in given | others)
            raise ValueError(f"--bands is for rates alone: leave out {flags}")


class DiffRequest(Request, frozen=True, kw_only=True):
    """Compare two selected models: data, costs, limits and cross-validated figures."""

    first: ModelPath
    second: ModelPath


class ExportRequest(Struct, frozen=True, kw_only=True):
    """Export a model as SQL, ONNX or a printable page, without selecting again."""

    model: ModelPath
    file: Annotated[
        Path,
        argument(
            "New file: .sql, .onnx, or .html, .txt, .md or .xlsx for the model card. For a "
            "scorecard, .html and .txt are the scorecard itself, and summary.html the model card.",
            metavar="FILE",
        ),
    ]
    table: Annotated[str, option("Name of the table in SQL.")] = "data"
    force: Force = False
