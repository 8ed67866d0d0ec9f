"""Requests of commands on a run folder: plot, report, select and take."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Struct

from moselect.candidates.names import SCORECARD
from moselect.cli.options import (
    By,
    ClassCosts,
    CostMatrix,
    Force,
    Jobs,
    Limits,
    Loss,
    Metric,
    Names,
    Priors,
    Refer,
    RunFolder,
    names_option,
    option,
    weights,
)
from moselect.cli.requests import Request

if TYPE_CHECKING:  # slow to import
    from moselect.search.front import Front

TUNED = "tuned"  # candidate name of the trials of a run folder


class PlotRequest(Struct, frozen=True, kw_only=True):
    """Plot the front of a run folder in pairs of objectives."""

    run: RunFolder
    out: Annotated[
        Path | None,
        option("File for the figure; by default in the run folder.", "--out", "-o"),
    ] = None
    force: Force = False


class ReportRequest(Request, frozen=True, kw_only=True):
    """Write an HTML page to select a model by costs and limits, cross-validated.

    It opens with the costs and limits of the last `moselect select` by costs.
    """

    run: RunFolder
    out: Annotated[Path, option("File for the page.", "--out", "-o")] = Path("page.html")
    jobs: Jobs = None
    force: Force = False


class ModelRequest(Request, frozen=True, kw_only=True):
    """Options of a command that writes a model of a run, and its exported form."""

    run: RunFolder
    out: Annotated[
        Path | None,
        option(
            "File for the model: .json, or .npz for an ensemble; by default model.json.",
            "--out",
            "-o",
        ),
    ] = None
    export: Annotated[
        Path | None,
        option(
            "Also write the model as .sql or .onnx, or its card as .html, .txt, .md or .xlsx."
        ),
    ] = None
    force: Force = False


class SelectRequest(ModelRequest, frozen=True, kw_only=True):
    """Cross-validate models for given costs or preferences, and write the best one.

    A new folder in the run folder contains a summary and the figures.
    """

    usual: ClassVar = "run class_costs cost_matrix limit refer by model out export"

    class_costs: ClassCosts = None
    loss: Loss = None
    cost_matrix: CostMatrix = None
    metric: Metric = None
    priors: Priors = None
    prefer: Annotated[
        Mapping[str, float] | None,
        option(
            "Objective weights, instead of costs: vus=2,accuracy=1; equal by default.",
            read=weights,
        ),
    ] = None
    model: Annotated[
        str | None,
        option(
            "Candidate to select: scorecard, linear, additive, ensemble, cheapest, or simple (the "
            "simplest within 5 % of the lowest cost). By default the cheapest."
        ),
    ] = None
    candidates: Annotated[
        Names,
        names_option(
            "Further candidates, separated by commas, by the names of moselect compare: "
            "random_forest,gradient_boosting; tuned adds the trials of moselect tune.",
        ),
    ] = None
    conditions: Annotated[
        int | None,
        option("Number of rules of a scorecard; by default 8.", min=1, max=20),
    ] = None
    limit: Limits = None
    confidence: Annotated[
        float,
        option(
            "Confidence that a limit holds on unseen rows, from 0.5; a higher confidence "
            "costs more.",
            min=0.5,
            max=0.999,
        ),
    ] = 0.9
    refer: Refer = None
    by: By = None
    all_rows: Annotated[
        bool,
        option(
            "Of a sample: also evaluate the model on all other rows of its source.",
            "--all-rows",
        ),
    ] = False
    data: Annotated[
        str | None, option("With --all-rows: path of the source, if it has moved.")
    ] = None

    def __post_init__(self) -> None:
        _ = self.limits  # checked early
        self.check_costs("prefer")
        if self.data is not None and not self.all_rows:
            raise ValueError("--data is for --all-rows: the run holds the rows it needs")
        if self.conditions is not None and self.model != SCORECARD:
            raise ValueError("--conditions needs --model scorecard")


class TakeRequest(ModelRequest, frozen=True, kw_only=True):
    """Write a model of the front as it is, without candidates and cross-validation.

    It needs no data. A new folder in the run folder contains a summary.
    """

    member: Annotated[int | None, option("The model of this number.", min=0)] = None
    best: Annotated[str | None, option("The model that is best in an objective.")] = None
    balanced: Annotated[bool, option("The compromise model.", "--balanced")] = False

    def __post_init__(self) -> None:
        if not self.given_one("member", "best", "balanced"):
            raise ValueError("name the model: --member NUMBER, --best vus or --balanced")

    def index_in(self, front: Front) -> int:
        """Return the number of the model in a front."""
        if self.best is not None:
            return front.best(self.best)
        if self.member is None:
            return front.balanced()
        if self.member >= len(front):
            raise ValueError(
                f"--member {self.member}: the models of the front are 0 to {len(front) - 1}"
            )
        return self.member
