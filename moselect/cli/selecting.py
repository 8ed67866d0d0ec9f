"""Model selection from a run folder, and the files that it writes."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from moselect import __version__
from moselect.cli.options import costs_of
from moselect.cli.request import SUMS, Request
from moselect.cli.run_folder import (
    draw_evidence,
    fits_of,
    new_selection_folder,
    table_with_roles,
)
from moselect.cli.tables import figures_of, print_figures
from moselect.cli.terminal import Show, Terminal, as_options
from moselect.export.column_sections import column_sections
from moselect.export.export_model import export_model
from moselect.export.summary import summarise
from moselect.io.kept import LastDecision
from moselect.io.run_record import TRIALS
from moselect.metrics.objectives import objective_named
from moselect.predictor import Model, ModelCard
from moselect.predictor.card import Section

if TYPE_CHECKING:
    from moselect.io import Run
    from moselect.metrics import Costs
    from moselect.selection import GroupEstimates

SUMMARY = "summary.html"
TUNED = "tuned"  # candidate name of the trials of a run folder


@dataclass(frozen=True)
class Selected:
    """A selected model, its performance by group, and its files."""

    model: Model
    groups: Mapping[str, GroupEstimates]
    files: Mapping[str, str]


def selected(run: Run, request: Request, show: Show, terminal: Terminal) -> Selected:
    """Fit the candidates that are not cached, select one, and write model and summary."""
    record = run.record
    limits = dict(request.limit or [])
    dataset, selector, kept = fits_of(run, request.data, show, -1, request.conditions)
    costs = _costs_of(run, request)
    candidates = [name for name in request.candidates or () if name != TUNED]
    if TUNED in (request.candidates or ()):
        from moselect.tuning.trial import TrialArchive  # an extra

        TrialArchive(run.path / TRIALS, selector).restore(selector)
    table = table_with_roles(dataset)
    for name in request.by or ():
        if name not in table:
            raise ValueError(f"--by {name}: unknown column")

    def select(candidate: str | None) -> Model:
        return selector.select(
            costs, candidate, limits, candidates or None, table, request.prefer
        )

    model = _writable(select, request, terminal)
    show("writing the model")
    evidence = model.evidence
    begins = None  # words for the costs with which a page begins
    if costs is not None:
        if evidence.metric is not None:
            begins = f"the costs that optimise {evidence.criterion}"
        elif costs.by_row:
            begins = "the means of the costs of each row"
        if begins is not None:
            square = evidence.costs.matrix[:, : len(evidence.costs.matrix)]
            costs = replace(costs, metric=None, cost_matrix=square)
    groups = {name: evidence.group_estimates(name) for name in request.by or ()}
    card = summarise(
        model, predicts=dataset.target, data=record["data"]["name"], groups=groups
    )
    # The library names parameters; this file and its readers know options.
    sections = [
        msgspec.structs.replace(
            section, sentences=[as_options(sentence) for sentence in section.sentences]
        )
        for section in card.sections
    ]
    card = msgspec.structs.replace(card, sections=sections)
    model = model.replace(card=card)
    about = {
        "fingerprint": record["data"]["fingerprint"],
        "priors": request.priors,
        f"expected_{evidence.value}": evidence.expected,
        "std_error": evidence.expected_se,
        "moselect": __version__,
        "criterion": evidence.criterion,
        "preferences": evidence.preferences,
        # columns of weights and groups, which a check counts, too
        "sample_weight": record["data"]["loaded_by"].get("weight"),
        "groups": record["data"]["loaded_by"].get("group"),
    }
    files = request.write(model, about, card)
    if costs is not None:
        # A page has no limits in groups, and scorecards of the usual length.
        overall = {words: limits[words] for words in limits if " by " not in words}
        is_same = overall == limits and begins is None and request.conditions is None
        written = {"candidate": evidence.selected, "file": files["file"]}
        kept.keep_decision(
            LastDecision(
                costs,
                overall,
                begins,
                list(request.by or ()),
                written if is_same else None,
            )
        )
    show("drawing figures")

    def draw(folder: Path) -> None:
        draw_evidence(evidence, run.front, groups.values(), folder)

    files = _with_summary(run.path, model, card, files, terminal, draw)
    return Selected(model, groups, files)


def write_member(run: Run, request: Request, terminal: Terminal) -> None:
    """Write a model of the front as it is, and print its figures."""
    front = run.front
    record = run.record
    if request.best is not None:
        index = front.best(request.best)
    else:
        index = front.balanced() if request.member is None else request.member
    if index >= len(front):
        raise ValueError(
            f"--member {index}: the models of the front are 0 to {len(front) - 1}"
        )
    model = front[index]
    figures = figures_of(front, index)
    rows = [
        [objective_named(name).label, *(f"{value:.4f}" for value in row)]
        for name, row in zip(map(str, figures.index), figures.to_numpy(), strict=True)
    ]
    heading = ["objective", *figures.columns.str.replace("std_error", "standard error")]
    card = ModelCard(
        predicts=record["data"]["target"] or "class",
        n_rows=record["data"]["n_samples"],
        data=record["data"]["name"],
        headline=[f"Model {index} of the front, as the search found it."],
        sections=[Section("Performance", [], [heading, *rows]), *column_sections(model)],
    )
    about = {
        "member": index,
        "moselect": __version__,
        "fingerprint": record["data"]["fingerprint"],
    }
    files = request.write(model, about, card)
    files = _with_summary(run.path, model, card, files, terminal)
    if terminal.json:
        terminal.print_json({**files, "member": index, "figures": figures})
        return
    print_figures(front, index, f"model {index} of the front", terminal)
    terminal.print(model.summary)
    print_files(files, terminal)


def print_files(files: Mapping[str, str], terminal: Terminal) -> None:
    """Print the files of a selection, and the next command."""
    for name, path in files.items():
        terminal.print(f"{name.capitalize()}: {path}", soft_wrap=True)
    terminal.print(
        f"Next: moselect predict {shlex.quote(files['file'])} NEW_ROWS -o classes.csv",
        soft_wrap=True,
    )


def _with_summary(
    run: Path,
    model: Model,
    card: ModelCard,
    files: dict[str, str],
    terminal: Terminal,
    draw: Callable[[Path], None] | None = None,
) -> dict[str, str]:
    """Write summary and figures into a new folder of the run; return all files."""

    def write(folder: Path) -> None:
        export_model(model, folder / SUMMARY, card=card)
        if draw is not None:
            draw(folder)

    try:
        folder = new_selection_folder(run, write)
    except OSError as error:  # the model is written: figures are no reason to fail
        terminal.warn(
            f"no summary and figures could be written to '{run}' ({error.strerror})"
        )
        return files
    return {**files, "summary": str(folder / SUMMARY)}


def _costs_of(run: Run, request: Request) -> Costs | None:
    """Return the costs of a request for the classes of a run; None for preferences."""
    costs = costs_of(
        run.scale.tolist(),
        request.class_costs,
        request.cost_matrix,
        request.loss,
        request.priors,
        request.refer,
        request.metric,
    )
    if costs is None:
        return None
    return costs.for_seen(run.front.classes, run.scale)


def _writable(
    select: Callable[[str | None], Model], request: Request, terminal: Terminal
) -> Model:
    """Select the best candidate that the output files can hold."""
    model = best = select(request.model)
    losses = best.evidence.candidates[best.evidence.value]
    for candidate in losses.index[losses.index.isin((*SUMS, "ensemble"))]:
        if request.holds(model):
            break
        model = select(candidate)  # if the last cannot be held either, writing says why
    if model is not best:
        candidate = model.evidence.selected
        refused = best.evidence.selected
        terminal.warn(
            f"'{request.export or request.out}' cannot hold the {refused}: selected {candidate} "
            f"instead ({losses[candidate]:.3g}, {refused} {losses[refused]:.3g})"
        )
    return model
