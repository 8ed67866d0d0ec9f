"""`moselect select`: from a run folder to one model, and the evidence for it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.columns import Columns

from moselect import __version__
from moselect.cli.commands.report import save_figure
from moselect.cli.select_options import SUMS, Request
from moselect.cli.selected_card import card_of_member, card_of_selected
from moselect.cli.summary import figures_of, print_evidence, print_figures
from moselect.cli.terminal import Terminal
from moselect.decision import Costs, Evidence
from moselect.listing import in_one_line
from moselect.models import Model, ModelCard
from moselect.scorecard.sheet import is_scorecard, sheet_of
from moselect.storage import Run, read_cost_matrix, read_run, search_of
from moselect.storage.kept_fits import KeptFits
from moselect.storage.last_decision import keep_decision
from moselect.storage.run_record import load_recorded

LIMIT_NOT_MET = 3  # exit code


def run_select(path: Path, data: str | None, request: Request, terminal: Terminal) -> None:
    """Do the whole job of `moselect select`."""
    request.check_ways()
    run = read_run(path)
    request.check_files(run)
    if request.is_member:
        _take_member(run, data, request, terminal)
        return
    costs = _costs(run, request)
    dataset = load_recorded(run.record, data, "--data DATA")
    search = search_of(run.record, labels=dataset.labels, n_jobs=-1)
    selector = search.selector(run.front, dataset.X, dataset.y, **dataset.roles)
    kept = KeptFits(path, run.record, selector)
    if request.conditions is not None:
        selector.fits.take_conditions(request.conditions)
    text = "{task.description}, fits without folds: {task.completed} of {task.total}"
    with terminal.progress(text) as bar:
        line = bar.add_task("", total=None)

        def report(kind: str, done: int, of: int) -> None:
            bar.update(line, description=kind, completed=done, total=of)
            if done == 0 and request.conditions is None:  # the kinds before it are complete
                kept.keep()

        selector.fits.report = report

        def take(kind: str | None) -> Model:
            others = (kind, request.limits, request.models)
            if costs is not None:
                return selector.for_costs(costs, *others)
            return selector.for_preferences(request.preferences, *others)

        model = take(request.kind)
        model = _held(model, take, request, terminal)
    if request.conditions is None:
        kept.keep()
    evidence = model.evidence
    assert evidence is not None  # a selected model has some
    card = None
    if hasattr(model, "coef_"):
        card = card_of_selected(model, evidence, dataset, run.record)
    about = _about(evidence, run.record, request.priors)
    if card is None:
        chosen = evidence.preferences
        about |= _data(run.record) | {"preferences": None if chosen is None else dict(chosen)}
    request.write(model, about, card)
    picture = path / "figures" / "decision.png"
    if terminal.json:
        files = {**_files(model, request), "picture": str(picture)}
        terminal.print_json({**files, **_as_record(model, evidence)})
    else:
        print_evidence(evidence, terminal)
        _print_rule(model, card, request, terminal)

    from moselect import plots  # slow to import: while the result is read

    save_figure(plots.decision(evidence), picture)
    with suppress(ValueError):  # fewer than two objectives differ
        figure = plots.front_on_new_data(evidence, run.front)
        save_figure(figure, picture.with_name("new_data.png"))
    save_figure(plots.trade_off(evidence), picture.with_name("trade_off.png"))
    if costs is not None:
        keep_decision(path, costs, request.limits)
    if evidence.costs is not None:
        save_figure(plots.price_of_limit(evidence), picture.with_name("price_of_limit.png"))
        if evidence.costs.referral is not None:
            save_figure(plots.referral(evidence), picture.with_name("referral.png"))
    if not all(limit.met for limit in evidence.limits):
        raise SystemExit(LIMIT_NOT_MET)


def _held(
    model: Model, take: Callable[[str], Model], request: Request, terminal: Terminal
) -> Model:
    """Take the best kind that the files can hold."""
    evidence, refused = model.evidence, model
    losses = evidence.rules["new data"]
    kinds = [str(name) for name in losses.index if name in (*SUMS, "pool")]
    while not request.holds(model):
        model = take(kinds.pop(0))
    kind, wish = model.evidence.selected, request.export or request.out
    if model is not refused:
        beside = f"{losses[kind]:.3g} beside {losses[evidence.selected]:.3g}"
        terminal.warn(f"'{wish}' holds no {evidence.selected}: taken is {kind} ({beside} a row)")
    return model


def _costs(run: Run, request: Request) -> Costs | None:
    classes = run.front.classes
    for option, given in (("--class-costs", request.class_costs), ("--priors", request.priors)):
        if given is not None and len(given) != len(classes):
            raise ValueError(
                f"{option} has {len(given)} numbers, but there are {len(classes)} "
                f"classes: {', '.join(in_one_line(str(label)) for label in classes)}"
            )
    if request.costs_file is not None:
        matrix = read_cost_matrix(request.costs_file, classes.tolist())
        return Costs(cost_matrix=matrix, priors=request.priors, refer=request.refer)
    if request.class_costs is None:
        return None
    loss = request.loss or "absolute"
    return Costs(request.class_costs, loss, priors=request.priors, refer=request.refer)


def _take_member(run: Run, data: str | None, request: Request, terminal: Terminal) -> None:
    """Write a model of the front as it is, and print its figures."""
    front = run.front
    if request.best is not None:
        index = front.best(request.best)
    else:
        index = front.balanced() if request.model is None else request.model
    if index >= len(front):
        raise ValueError(f"--model {index}: the models of the front are 0 to {len(front) - 1}")
    model = front[index]
    card = None
    try:
        dataset = load_recorded(run.record, data, "--data DATA")
        card = card_of_member(model, front, index, dataset, run.record)
    except ValueError as error:  # the model itself does not need the data
        terminal.warn(f"the model has no model card: {error}")
    about = {"member": index, "moselect": __version__}
    if card is None:
        about |= _data(run.record)
    about["fingerprint"] = run.record["data"]["fingerprint"]
    request.write(model, about, card)
    if terminal.json:
        figures = figures_of(front, index).to_dict("index")
        terminal.print_json({**_files(model, request), "member": index, "figures": figures})
        return
    print_figures(front, index, terminal)
    _print_rule(model, None, request, terminal)


def _files(model: Model, request: Request) -> dict[str, str]:
    export = {} if request.export is None else {"export": str(request.export)}
    return {"model": str(request.path(model)), **export}


def _data(record: dict[str, Any]) -> dict[str, Any]:
    """Return what a model card says of the data."""
    return {"data": record["data"]["name"], "target": record["data"]["target"]}


def _about(
    evidence: Evidence, record: dict[str, Any], priors: list[float] | None
) -> dict[str, Any]:
    """Return what a model's file is to hold about it."""
    return {
        "fingerprint": record["data"]["fingerprint"],
        "priors": priors,
        f"expected_{evidence.value}": evidence.expected,
        "standard_error": evidence.expected_se,
        "moselect": __version__,
    }


def _as_record(model: Model, evidence: Evidence) -> dict[str, Any]:
    return {
        "classes": model.classes_,
        "thresholds": getattr(model, "thresholds_", None),
        "cost_matrix": None if evidence.costs is None else evidence.costs.matrix,
        "preferences": evidence.preferences,
        "compared_by": evidence.value,
        "expected": evidence.expected,
        "standard_error": evidence.expected_se,
        "rules": evidence.rules.to_dict("index"),
        "differences": {rival: found._asdict() for rival, found in evidence.differences.items()},
        "verdicts": evidence.verdicts,
        "confusion": evidence.confusion.to_numpy(),
        "objectives": evidence.objectives.to_dict("index"),
        "kind": evidence.selected,
        "limits": [str(limit) for limit in evidence.limits],
        "without_limits": evidence.without_limits,
        "shuffled": evidence.shuffled,
    }


def _print_rule(model: Model, card: ModelCard | None, request: Request, terminal: Terminal) -> None:
    """Print which scores mean which class, where the model is, and what may be done next."""
    if card is not None and is_scorecard(model):
        sheet = sheet_of(model, card)
        features = [
            in_one_line(f"{feature} {'; '.join(f'{line.text}: {line.points}' for line in lines)}")
            for feature, lines in groupby(sheet.lines, key=lambda line: line.feature)
        ]
        terminal.results.print(Columns(features, padding=(0, 3)))
        sums = "; ".join(f"{in_one_line(label)}: {sums}" for label, sums in sheet.classes)
        terminal.results.print(
            f"Class by the sum of points: {sums}. As an index card: --export card.txt"
        )
    else:
        terminal.results.print(model.summary)
    if request.export is not None:
        terminal.results.print(f"Exported to: {request.export}", soft_wrap=True)
    file = shlex.quote(str(request.path(model)))
    terminal.results.print(f"Next: moselect predict {file} NEW_ROWS -o classes.csv", soft_wrap=True)
