"""`moselect select`: from a run folder to one model, and the evidence for it."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

# First: deep within other imports it takes a tenth longer (experiments/benchmarks).
import sklearn.model_selection  # noqa: F401

import moselect
from moselect._types import Document, Integers
from moselect.cli.model_files import (
    CHOICES,
    check_early,
    check_files,
    path_of,
    print_files,
    text_files,
    write_files,
    write_summary,
)
from moselect.cli.requests import UsageError
from moselect.cli.results import inform_of_run, print_selection, record_of_selection
from moselect.cli.run_requests import TUNED, SelectRequest
from moselect.cli.terminal import Show, Terminal, as_options
from moselect.export.summary import summarise
from moselect.inspection.groups import GroupEstimates
from moselect.io import Run
from moselect.io.kept import LastDecision, cached_selector
from moselect.io.model_file import suffix_of
from moselect.io.run_record import TRIALS
from moselect.listing import listing
from moselect.monitoring import AllRows, evaluate_rows
from moselect.predictor import Model
from moselect.report.headline import costliest_class, criterion_words
from moselect.report.sections import Report, report, result_of
from moselect.selection import Evidence
from moselect.selection.selector import Selector
from moselect.tables.reading import Reading
from moselect.tables.tables import check_column

# Exit code of a selection without a candidate that meets the limits.
LIMIT_NOT_MET = 3


def select(request: SelectRequest) -> None:
    """Select a model of a run, and print the evidence."""
    terminal = request.terminal()
    with terminal.progress(f"reading {request.run}") as show:
        selected = select_and_write(request, terminal, show)
    run, model, reported, groups, all_rows, files, selector = selected
    if not terminal.json:
        print_selection(model, reported, terminal)

    # The answer comes before its figures, which take longer than later costs.
    with terminal.progress("drawing figures"):
        from moselect.cli.pictures import draw_evidence  # matplotlib

        draw = partial(draw_evidence, model.evidence, groups.values(), selector)
        write_summary(run, model, files, terminal, draw)
    if terminal.json:
        terminal.print_json(files | record_of_selection(model, groups, all_rows))
    else:
        print_files(files, terminal)
    check_limits(model.evidence)


def check_limits(evidence: Evidence) -> None:
    """Exit with a code of its own if a limit is not met."""
    if not all(limit.met for limit in evidence.limits):
        raise SystemExit(LIMIT_NOT_MET)


class Selected(NamedTuple):
    """A model of a run, its report and groups, the files that were written, and its selector."""

    run: Run
    model: Model
    reported: Report
    groups: dict[str, GroupEstimates]
    all_rows: AllRows | None
    files: dict[str, str]
    selector: Selector


def select_and_write(
    request: SelectRequest, terminal: Terminal, show: Show, factors: Sequence[float] = ()
) -> Selected:
    """Select a model of a run, and write it with its card.

    The card has the selections at ``factors`` of the cost of the costliest class, too.
    """
    run = moselect.io.read_run(request.run)
    inform_of_run(run, terminal)
    check_early(request, request.model, run.front[0])
    dataset, selector, kept = cached_selector(run, show, None, request.conditions)
    sample_rows = dataset.source_rows if request.all_rows else None
    if request.all_rows and sample_rows is None:
        raise UsageError(
            "--all-rows: all rows were used for training, there are no others"
        )
    costs = request.costs_for(run)
    named = request.candidates or ()
    if TUNED in named:
        # slow to import, and seldom needed
        from moselect.tuning.trials import TrialArchive

        TrialArchive(request.run / TRIALS, selector).restore(selector)
    # Columns that are no features have groups, limits and costs of rows, too.
    table = dataset.table
    columns = request.by or ()
    for name in columns:
        check_column(name, [*table])
    added = [name for name in named if name != TUNED]
    texts = text_files(request)
    others = []
    if texts:  # hold sums of terms: the other candidates are compared only
        candidates = selector.fits.candidates.values()
        others = [
            each.name for each in candidates if not (each.is_baseline or each.is_sum)
        ]
        others += added
    select_for = partial(
        selector.select,
        model=request.model,
        limits=request.limits,
        candidates=added or None,
        by=table,
        preferences=request.prefer,
        without=others,
        confidence=request.confidence,
    )
    model = select_for(costs)
    evidence = model.evidence
    losses = evidence.candidates[evidence.value]
    better = losses[: evidence.selected].index[:-1].intersection(others)
    if request.model in CHOICES and len(better):
        terminal.warn(
            f"'{texts[0]}' cannot hold the {listing(better)}: selected {evidence.selected} "
            f"instead ({losses[evidence.selected]:.3g}, {better[0]} {losses[better[0]]:.3g})"
        )
    check_files(request, model)
    show("writing the model")
    groups = {name: evidence.group_estimates(name) for name in columns}
    data = run.record["data"]
    all_rows = None
    if sample_rows is not None:
        show("evaluating all rows")
        all_rows = evaluate_all_rows(model, sample_rows, request.data, data)
    changed = {}
    if costs is not None and factors:
        show("selecting for other costs")
        code = costliest_class(evidence)
        for factor in factors:
            other = costs.with_class_cost(code, factor, evidence.samples.n_classes)
            changed[factor] = select_for(other).evidence
    reported = report(evidence, groups, all_rows, changed)
    remarks = [*run.record["remarks"], *evidence.samples.remarks, *evidence.notes]
    card = summarise(
        model,
        predicts=data["target"],
        data=data["name"],
        reported=reported,
        contributions=kept.contributions(model, evidence),
        file=path_of(request, suffix_of(model)).name,
        remarks=[*map(as_options, remarks)],
    )
    model = model.replace(card=card)
    files = write_files(request, run, model, _about(run, evidence, request))
    # A page has scorecards of the usual length.
    result = None
    if request.conditions is None:
        result = result_of(reported, evidence, files["file"])
    if costs is not None:
        settings = LastDecision(
            costs, request.limits, request.confidence, by=[*columns], result=result
        )
        kept.keep_decision(evidence, settings)
    return Selected(run, model, reported, groups, all_rows, files, selector)


def evaluate_all_rows(
    model: Model, sample_rows: Integers, source: str | None, recorded: Document
) -> AllRows:
    """Evaluate a model on the rows of the source of a run that are not in its sample."""
    loaded_by = recorded["loaded_by"]
    return evaluate_rows(
        model,
        source or loaded_by["source"],
        target=recorded["target"],
        bin_edges=recorded["bin_edges"],
        leave_out=loaded_by.get("leave_out", ()),
        weight=loaded_by.get("weight"),
        group=loaded_by.get("group"),
        sample_rows=sample_rows,
        reading=Reading(**loaded_by.get("reading", {})),
    )


def _about(run: Run, evidence: Evidence, request: SelectRequest) -> Document:
    """Return the origin of a model, for its file and for checks."""
    data = run.record["data"]
    loaded_by = data["loaded_by"]
    return {
        "bin_edges": data["bin_edges"],
        # codes that are no class, columns of weights and groups: a check needs them, too
        "leave_out": loaded_by.get("leave_out"),
        "priors": request.priors,
        f"expected_{evidence.value}": evidence.expected,
        "std_error": evidence.expected_se,
        "criterion": criterion_words(evidence),
        "preferences": evidence.loss.preferences,
        "sample_weight": loaded_by.get("weight"),
        "weight_type": loaded_by.get("weight_type"),
        "groups": loaded_by.get("group"),
    }
