"""`moselect select`: from a run folder to one model, and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import moselect
from moselect.cli.files import draw_evidence
from moselect.cli.model_files import (
    CHOICES,
    ModelRequest,
    print_files,
    write_summary,
)
from moselect.cli.options import (
    By,
    ClassCosts,
    CostMatrix,
    Growth,
    Limits,
    Metric,
    Moved,
    Names,
    Numbers,
    Refer,
    option,
)
from moselect.cli.parsers import numbers, weights
from moselect.cli.terminal import Show, Terminal
from moselect.io.run_record import TRIALS, read_record
from moselect.listing import listing, names

if TYPE_CHECKING:  # slow to import
    from collections.abc import Callable, Collection

    from moselect._types import Document
    from moselect.inspection.groups import GroupEstimates
    from moselect.io import Run
    from moselect.predictor import Model
    from moselect.selection import Evidence, Selector

TUNED = "tuned"  # candidate name of the trials of a run folder
# Exit code of a selection without a candidate that meets the limits.
LIMIT_NOT_MET = 3
ROWS_OF_A_TRIAL = 300  # enough for the form, which does not depend on their number


class SelectRequest(ModelRequest, frozen=True, kw_only=True):
    """Options of `moselect select`."""

    class_costs: ClassCosts = None
    loss: Annotated[
        Growth,
        option(
            "How the cost grows with the distance between classes: absolute by default."
        ),
    ] = None
    cost_matrix: CostMatrix = None
    metric: Metric = None
    priors: Annotated[
        Numbers,
        option(
            "Class prevalence in production, if it differs from the data: 0.9,0.1",
            read=numbers,
        ),
    ] = None
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
        option(
            "Further candidates, separated by commas, by the names of moselect compare: "
            "random_forest,gradient_boosting; tuned adds the trials of moselect tune.",
            read=names,
        ),
    ] = None
    conditions: Annotated[
        int | None,
        option("Number of rules of a scorecard; by default 8.", min=1, max=20),
    ] = None
    limit: Limits = None
    refer: Refer = None
    by: By = None
    data: Moved = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.limits  # checked early
        # Each of these determines the model alone; together they would contradict each other.
        self.given_one("class_costs", "cost_matrix", "metric", "prefer")
        has_costs = bool(self.given("class_costs", "cost_matrix"))
        if (self.priors or self.refer) and not has_costs:
            raise ValueError("--priors and --refer need --class-costs or --cost-matrix")
        if self.loss is not None and self.class_costs is None:
            raise ValueError("--loss needs --class-costs")
        if self.conditions is not None and self.model != "scorecard":
            raise ValueError("--conditions needs --model scorecard")

    @property
    def inputs(self) -> tuple[object, ...]:
        """Files and run folders that the command reads."""
        return (self.run, self.data, self.cost_matrix)

    @property
    def added(self) -> list[str]:
        """Names of known models among the further candidates."""
        return [name for name in self.candidates or () if name != TUNED]


class Selection(NamedTuple):
    """Result of the command: the model, its groups, and its files."""

    model: Model
    groups: dict[str, GroupEstimates]
    files: dict[str, str]


def select(request: SelectRequest) -> None:
    """Cross-validate models for given costs or preferences, and write the best one.

    A new folder in the run folder contains a two-page summary and the figures.
    """
    # A wrong folder, or a limit given twice, is an error before the slow imports.
    read_record(request.run)
    terminal = request.terminal()
    with terminal.progress(f"reading {request.run}") as show:
        # First: deep within other imports it takes a tenth longer (experiments/benchmarks).
        import sklearn.linear_model  # noqa: F401

        from moselect.cli.selected import print_selection, record_of_selection

        selection = _run(request, terminal, show)
    if terminal.json:
        terminal.print_json(
            {**selection.files, **record_of_selection(selection.model, selection.groups)}
        )
    else:
        print_selection(selection.model, selection.groups, terminal)
        print_files(selection.files, terminal)
    if not all(limit.met for limit in selection.model.evidence.limits):
        raise SystemExit(LIMIT_NOT_MET)


def _run(request: SelectRequest, terminal: Terminal, show: Show) -> Selection:
    """Select a model of a run, and write it with its summary and figures."""
    from moselect.export.summary import summarise
    from moselect.io.kept import cached_selector
    from moselect.tables.tables import check_column

    run = moselect.io.read_run(request.run)
    if run.record["interrupted"]:
        terminal.inform(
            f"The search in '{request.run}' was interrupted: its front comes from "
            f"{run.record['n_evaluations']:,} evaluations."
        )
    request.check_early(request.model, run.front[0])
    dataset, selector, kept = cached_selector(
        run, request.data, show, -1, request.conditions
    )
    costs = request.costs_for(run)
    if TUNED in (request.candidates or ()):
        from moselect.tuning.trial import TrialArchive  # an extra

        TrialArchive(request.run / TRIALS, selector).restore(selector)
    # Columns that are no features have groups, limits and costs of rows, too.
    table = dataset.table
    columns = request.by or ()
    for name in columns:
        check_column(name, [*table])
    if request.model in request.added:
        _try_form(selector, request.model, request)

    def fit(without: Collection[str]) -> Model:
        added = request.added or None
        return selector.select(
            costs, request.model, request.limits, added, table, request.prefer, without
        )

    model = _select_writable(fit, request, terminal)
    show("writing the model")
    evidence = model.evidence
    groups = {name: evidence.group_estimates(name) for name in columns}
    data = run.record["data"]
    card = summarise(model, predicts=dataset.target, data=data["name"], groups=groups)
    model = model.replace(card=card)
    files = request.write(model, _about(run, evidence, request))
    # A page has scorecards of the usual length.
    file = files["file"] if request.conditions is None else None
    kept.keep_decision(evidence, costs, request.limits, columns, file)
    show("drawing figures")

    def draw(folder: Path) -> None:
        draw_evidence(evidence, run.front, groups.values(), folder)

    write_summary(run, model, files, terminal, draw)
    return Selection(model, groups, files)


def _about(run: Run, evidence: Evidence, request: SelectRequest) -> Document:
    """Return what a check and a reader of the model's file find there."""
    from moselect.report.headline import criterion_words

    data = run.record["data"]
    loaded_by = data["loaded_by"]
    return {
        "fingerprint": data["fingerprint"],
        "moselect": moselect.__version__,
        "priors": request.priors,
        f"expected_{evidence.value}": evidence.expected,
        "std_error": evidence.expected_se,
        "criterion": criterion_words(evidence),
        "preferences": evidence.criteria.preferences,
        # columns of weights and groups, which a check counts, too
        "sample_weight": loaded_by.get("weight"),
        "weight_type": loaded_by.get("weight_type"),
        "groups": loaded_by.get("group"),
    }


def _select_writable(
    fit: Callable[[Collection[str]], Model], request: SelectRequest, terminal: Terminal
) -> Model:
    """Select the best candidate that the output files can hold, beside the others.

    ``fit`` selects without some candidates.
    """
    refused: list[str] = []
    while True:
        selected = fit(refused)
        evidence = selected.evidence
        try:
            request.check(selected)
            break
        except ValueError:
            refused.append(evidence.selected)
            others = {*evidence.candidates.index} & {"scorecard", "linear", "additive"}
            # A model that is named is written, or refused; a choice moves to the next best.
            if request.model not in CHOICES or others <= {*refused}:
                raise
    if refused:
        losses = evidence.candidates[evidence.value]
        taken = evidence.selected
        terminal.warn(
            f"'{request.export or request.out}' cannot hold the {listing(refused)}: selected "
            f"{taken} instead ({losses[taken]:.3g}, {refused[0]} {losses[refused[0]]:.3g})"
        )
    return selected


def _try_form(selector: Selector, name: str, request: SelectRequest) -> None:
    """Raise ValueError if no file can hold a known model, before it is fitted in all folds."""
    from moselect.candidates.known_models import KNOWN_MODELS, named_models
    from moselect.samples.parts import draw

    (model,) = named_models(name, selector.samples.classes, KNOWN_MODELS).values()
    learner = selector.fits.classifier(model)
    fitted: Any = learner.to_predictor(
        learner.fit(draw(selector.samples, ROWS_OF_A_TRIAL))
    )
    request.check(fitted)
    with TemporaryDirectory() as folder:
        moselect.io.write_model(Path(folder) / "model.npz", fitted)
