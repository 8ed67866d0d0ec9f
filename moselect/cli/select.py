"""`moselect select`: from a run folder to one model, and the evidence for it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import moselect
from moselect import __version__
from moselect.cli.by_group import print_groups, records_of
from moselect.cli.figures import figures_of, print_figures
from moselect.cli.options import (
    By,
    ClassCosts,
    CostMatrix,
    Force,
    Json,
    Limits,
    Metric,
    Moved,
    Numbers,
    Quiet,
    Refer,
    RunFolder,
    costs_of,
    option,
)
from moselect.cli.report import figures_of_run, fits_of, save_figure
from moselect.cli.request import SUMS, Request
from moselect.cli.terminal import Show, Terminal
from moselect.cli.values import names, numbers, weights
from moselect.io.run_record import load_recorded, read_record

if TYPE_CHECKING:  # slow to import
    from moselect.front import Front
    from moselect.io import Run
    from moselect.metrics import Costs
    from moselect.predictor import Model, ModelCard
    from moselect.selection import Evidence

LIMIT_NOT_MET = 3  # exit code


def select(
    run: RunFolder,
    quiet: Quiet = False,
    json: Json = False,
    out: Annotated[
        Path | None,
        option(
            "File for the model: .json, or .npz for an ensemble; by default model.json.",
            *("--out", "-o"),
        ),
    ] = None,
    class_costs: ClassCosts = None,
    loss: Annotated[
        Literal["absolute", "squared", "zero_one"] | None,
        option(
            "How the cost grows with the distance between classes: absolute by default."
        ),
    ] = None,
    cost_matrix: CostMatrix = None,
    metric: Metric = None,
    priors: Annotated[
        Numbers,
        option(
            "Class shares in use, if they differ from the data: 0.9,0.1",
            read=numbers,
        ),
    ] = None,
    prefer: Annotated[
        Mapping[str, float] | None,
        option(
            "Objective weights, instead of costs: vus=2,accuracy=1; equal by default.",
            read=weights,
        ),
    ] = None,
    member: Annotated[
        int | None, option("Number of the model of the front to take as it is.", min=0)
    ] = None,
    best: Annotated[
        str | None, option("Take the model of the front that is best in an objective.")
    ] = None,
    balanced: Annotated[
        bool, option("Take the most balanced model of the front.", "--balanced")
    ] = False,
    model: Annotated[
        str | None,
        option(
            "Candidate to select: scorecard, linear, additive, ensemble, cheapest, or simple (the "
            "simplest within 5 % of the lowest cost). By default the cheapest."
        ),
    ] = None,
    candidates: Annotated[
        Sequence[str] | None,
        option(
            "Further candidates, by their names in compare, separated by commas: "
            "random_forest,gradient_boosting.",
            read=names,
        ),
    ] = None,
    conditions: Annotated[
        int | None,
        option("Number of conditions of a scorecard; by default 8.", min=1, max=20),
    ] = None,
    limit: Limits = None,
    refer: Refer = None,
    by: By = None,
    export: Annotated[
        Path | None,
        option("Also write the model as .sql or .onnx, or its card as .html or .txt."),
    ] = None,
    dialect: Annotated[
        str | None,
        option(
            "Dialect of exported SQL: bigquery or snowflake. By default for SQLite, PostgreSQL "
            "and DuckDB."
        ),
    ] = None,
    data: Moved = None,
    force: Force = False,
) -> None:
    """Cross-validate models for given costs or preferences, and write the best one."""
    read_record(run)
    request = Request(
        out=out,
        class_costs=class_costs,
        loss=loss,
        cost_matrix=cost_matrix,
        metric=metric,
        priors=priors,
        prefer=prefer,
        member=member,
        best=best,
        balanced=balanced,
        model=model,
        candidates=candidates,
        conditions=conditions,
        limit=limit,
        refer=refer,
        by=by,
        export=export,
        dialect=dialect,
        data=data,
        force=force,
    )
    request.check()
    terminal = Terminal(quiet=quiet, json=json)
    with terminal.progress(f"reading {run}") as show:
        # First: deep within other imports it takes a tenth longer (experiments/benchmarks).
        import sklearn.linear_model  # noqa: F401

        searched = moselect.io.read_run(run)
        if searched.record["interrupted"]:
            terminal.say(
                f"The search in '{run}' was interrupted: its front is that of "
                f"{searched.record['n_evaluations']:,} evaluations."
            )
        request.check_files(searched.front[0])
        costs = costs_of(
            searched.scale.tolist(),
            *(request.class_costs, request.cost_matrix, request.loss),
            *(request.priors, request.refer, request.metric),
        )
        if costs is not None:
            costs = costs.for_seen(searched.front.classes, searched.scale)
        if not request.is_member:
            taken, card, files = _select(searched, costs, request, show, terminal)
    if request.is_member:
        _take_member(searched, request, terminal)
        return

    from moselect.cli.selected import print_evidence, record_of

    evidence, figures = taken.evidence, run / "figures"
    groups = {name: evidence.group_estimates(name) for name in by or ()}
    if terminal.json:
        files["picture"] = str(figures / "decision.png")
        about = {**record_of(taken, evidence), "by": records_of(groups)}
        terminal.print_json({**files, **about})
    else:
        print_evidence(evidence, terminal)
        print_groups(groups, terminal)
        _print_next(taken, card, files, terminal)

    try:
        _draw(evidence, searched.front, figures_of_run(run))
        for name, found in groups.items():
            picture = f"by_{re.sub(r'[^0-9A-Za-z]+', '_', name)}.png"
            save_figure(moselect.plots.by_group(found).figure, figures / picture)
    except OSError as error:  # the model is written: pictures are no reason to fail
        terminal.warn(f"no pictures could be written to '{figures}' ({error.strerror})")
    if not all(limit.met for limit in evidence.limits):
        raise SystemExit(LIMIT_NOT_MET)


def _draw(evidence: Evidence, front: Front, folder: Path) -> None:
    """Draw the evidence for a selected model into a folder."""
    plots = moselect.plots  # slow to import: while the result is read
    save_figure(plots.decision(evidence), folder / "decision.png")
    with suppress(ValueError):  # fewer than two objectives differ
        save_figure(plots.front_on_new_data(evidence, front), folder / "new_data.png")
    save_figure(plots.trade_off(evidence), folder / "trade_off.png")
    if evidence.costs is not None:
        save_figure(plots.price_of_limit(evidence), folder / "price_of_limit.png")
        if evidence.costs.referral is not None:
            save_figure(plots.referral(evidence), folder / "referral.png")


def _select(
    run: Run, costs: Costs | None, request: Request, show: Show, terminal: Terminal
) -> tuple[Model, ModelCard | None, dict[str, str]]:
    """Fit candidates not cached, select one and write it; return it, its card and files."""
    from moselect.cli.model_cards import card_of_selected

    record, limits = run.record, dict(request.limit or [])
    dataset, selector, kept = fits_of(run, request.data, show, -1, request.conditions)
    if "groups" in dataset.roles:
        terminal.warn_of_few_groups(dataset.roles["groups"].nunique())

    table = dataset.X.assign(
        **{str(values.name): values for values in dataset.roles.values()}
    )
    for name in request.by or ():
        if name not in table:
            raise ValueError(f"--by {name}: there is no such column")

    def take(candidate: str | None) -> Model:
        how = (candidate, limits, request.candidates, table)
        if costs is None:
            return selector.for_preferences(request.prefer, *how)
        return selector.for_costs(costs, *how)

    model = _held(take, request, terminal)
    show("writing the model")
    evidence = model.evidence
    if costs is not None and evidence.metric is not None:
        costs = moselect.Costs(cost_matrix=evidence.costs.matrix)
    if costs is not None:
        # a page has no groups
        overall = {words: limits[words] for words in limits if " by " not in words}
        kept.keep_decision(costs, overall, evidence.criterion)
    about = {
        "fingerprint": record["data"]["fingerprint"],
        "priors": request.priors,
        f"expected_{evidence.value}": evidence.expected,
        "std_error": evidence.expected_se,
        "moselect": __version__,
        "criterion": evidence.criterion,
        # columns of weights and groups, which a check counts, too
        "sample_weight": record["data"]["loaded_by"].get("weight"),
        "groups": record["data"]["loaded_by"].get("group"),
    }
    card = None
    if hasattr(model, "coef_"):
        card = card_of_selected(model, evidence, dataset, record)
    else:
        about |= _data(record) | {"preferences": evidence.preferences}
    return model, card, request.write(model, about, card)


def _held(
    take: Callable[[str | None], Model], request: Request, terminal: Terminal
) -> Model:
    """Select the best candidate that the output files can hold."""
    model = best = take(request.model)
    losses = best.evidence.candidates[best.evidence.value]
    for candidate in losses.index[losses.index.isin((*SUMS, "ensemble"))]:
        if request.holds(model):
            break
        model = take(candidate)  # if the last cannot be held either, writing says why
    if model is not best:
        candidate, refused = model.evidence.selected, best.evidence.selected
        terminal.warn(
            f"'{request.export or request.out}' holds no {refused}: taken is {candidate} "
            f"({losses[candidate]:.3g} beside {losses[refused]:.3g} a row)"
        )
    return model


def _take_member(run: Run, request: Request, terminal: Terminal) -> None:
    """Write a model of the front as it is, and print its figures."""
    from moselect.cli.model_cards import card_of_member

    front, record = run.front, run.record
    if request.best is not None:
        index = front.best(request.best)
    else:
        index = front.balanced() if request.member is None else request.member
    if index >= len(front):
        raise ValueError(
            f"--member {index}: the models of the front are 0 to {len(front) - 1}"
        )
    model = front[index]
    about = {"member": index, "moselect": __version__}
    try:
        dataset = load_recorded(record, request.data, "--data DATA")
        card = card_of_member(model, front, index, dataset, record)
    except ValueError as error:  # the model itself does not need the data
        terminal.warn(f"the model has no model card: {error}")
        card, about = None, about | _data(record)
    about["fingerprint"] = record["data"]["fingerprint"]
    files = request.write(model, about, card)
    if terminal.json:
        figures = figures_of(front, index)
        terminal.print_json({**files, "member": index, "figures": figures})
        return
    print_figures(front, index, f"model {index} of the front", terminal)
    _print_next(model, None, files, terminal)


def _data(record: dict[str, Any]) -> dict[str, Any]:
    """Return the description of the data for a model card."""
    return {"data": record["data"]["name"], "target": record["data"]["target"]}


def _print_next(
    model: Model, card: ModelCard | None, files: dict[str, str], terminal: Terminal
) -> None:
    """Print the score range of each class, the path of the model, and next steps."""
    from moselect.cli.selected import print_rule

    print_rule(model, card, terminal)
    if "export" in files:
        terminal.print(f"Exported to: {files['export']}", soft_wrap=True)
    file = shlex.quote(files["file"])
    terminal.print(
        f"Next: moselect predict {file} NEW_ROWS -o classes.csv", soft_wrap=True
    )
