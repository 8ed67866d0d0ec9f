"""`moselect select`: from a run folder to one model, and the evidence for it."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import moselect
from moselect import __version__
from moselect.cli.figures import figures_of, print_figures
from moselect.cli.options import Json, Quiet, RunFolder, costs_of, with_options
from moselect.cli.report import figures_of_run, fits_of, save_figure
from moselect.cli.request import SUMS, Request
from moselect.cli.terminal import Show, Terminal
from moselect.storage.run_record import load_recorded, read_record

if TYPE_CHECKING:  # slow to import
    from pathlib import Path

    from moselect.decision import Costs, Evidence
    from moselect.front import Front
    from moselect.models import Model, ModelCard
    from moselect.storage import Run

LIMIT_NOT_MET = 3  # exit code


@with_options(inspect.signature(Request, eval_str=True).parameters)
def select(
    run: RunFolder, quiet: Quiet = False, json: Json = False, **options: Any
) -> None:
    """Write the model that is best on new data, for given costs of mistakes or by preference."""
    read_record(run)
    request = Request(**options)
    request.check()
    terminal = Terminal(quiet=quiet, json=json)
    with terminal.progress(f"reading {run}") as show:
        # First: deep within other imports it takes a tenth longer (experiments/benchmarks).
        import sklearn.linear_model  # noqa: F401

        searched = moselect.storage.read_run(run)
        if searched.record["interrupted"]:
            terminal.say(
                f"The search in '{run}' was interrupted: its front is that of "
                f"{searched.record['n_evaluations']:,} evaluations."
            )
        request.check_files(searched.front[0])
        costs = costs_of(
            searched.scale.tolist(),
            *(request.class_costs, request.cost_matrix, request.loss),
            *(request.priors, request.refer),
        )
        if costs is not None:
            costs = costs.for_seen(searched.front.classes, searched.scale)
        if not request.is_member:
            model, card, files = _select(searched, costs, request, show, terminal)
    if request.is_member:
        _take_member(searched, request, terminal)
        return

    from moselect.cli.selected import print_evidence, record_of

    evidence, figures = model.evidence, run / "figures"
    if terminal.json:
        files["picture"] = str(figures / "decision.png")
        terminal.print_json({**files, **record_of(model, evidence)})
    else:
        print_evidence(evidence, terminal)
        _print_next(model, card, files, terminal)

    try:
        _draw(evidence, searched.front, figures_of_run(run))
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
    """Fit what is not kept, choose, and write the model; gives it, its card and its files."""
    from moselect.cli.model_cards import card_of_selected

    record, limits = run.record, dict(request.limit or [])
    dataset, selector, kept = fits_of(run, request.data, show, -1, request.conditions)
    if "groups" in dataset.roles:
        terminal.warn_of_few_groups(dataset.roles["groups"].nunique())

    def take(kind: str | None) -> Model:
        how = (kind, limits, request.models)
        if costs is None:
            return selector.for_preferences(request.prefer, *how)
        return selector.for_costs(costs, *how)

    model = _held(take, request, terminal)
    show("writing the model")
    if costs is not None:
        kept.keep_decision(costs, limits)
    evidence = model.evidence
    about = {
        "fingerprint": record["data"]["fingerprint"],
        "priors": request.priors,
        f"expected_{evidence.value}": evidence.expected,
        "standard_error": evidence.expected_se,
        "moselect": __version__,
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
    """Take the best kind that the files can hold."""
    model = best = take(request.kind)
    losses = best.evidence.rules["new data"]
    for kind in losses.index[losses.index.isin((*SUMS, "pool"))]:
        if request.holds(model):
            break
        model = take(kind)  # if the last cannot be held either, writing says why
    if model is not best:
        kind, refused = model.evidence.selected, best.evidence.selected
        terminal.warn(
            f"'{request.export or request.out}' holds no {refused}: taken is {kind} "
            f"({losses[kind]:.3g} beside {losses[refused]:.3g} a row)"
        )
    return model


def _take_member(run: Run, request: Request, terminal: Terminal) -> None:
    """Write a model of the front as it is, and print its figures."""
    from moselect.cli.model_cards import card_of_member

    front, record = run.front, run.record
    if request.best is not None:
        index = front.best(request.best)
    else:
        index = front.balanced() if request.model is None else request.model
    if index >= len(front):
        raise ValueError(
            f"--model {index}: the models of the front are 0 to {len(front) - 1}"
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
    """Return what a model card says of the data."""
    return {"data": record["data"]["name"], "target": record["data"]["target"]}


def _print_next(
    model: Model, card: ModelCard | None, files: dict[str, str], terminal: Terminal
) -> None:
    """Print which scores mean which class, where the model is, and what may be done next."""
    from moselect.cli.selected import print_rule

    print_rule(model, card, terminal)
    if "export" in files:
        terminal.print(f"Exported to: {files['export']}", soft_wrap=True)
    file = shlex.quote(files["model"])
    terminal.print(
        f"Next: moselect predict {file} NEW_ROWS -o classes.csv", soft_wrap=True
    )
