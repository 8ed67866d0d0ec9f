"""`moselect compare`: fit, keep each model as it ends, and print tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from moselect.cli.files import check_output, check_picture, save_figure
from moselect.cli.options import (
    Binning,
    Bins,
    Categorical,
    ClassCosts,
    CostMatrix,
    Drop,
    Force,
    Group,
    Ignore,
    Jobs,
    Json,
    Keep,
    LeaveOut,
    Metric,
    Missing,
    Names,
    Order,
    Read,
    Target,
    Time,
    UsageError,
    Weight,
    WeightType,
    costs_of,
    data_argument,
    option,
    stated,
    table_of,
    usage_errors,
)
from moselect.cli.search_run import print_notes
from moselect.cli.terminal import INTERRUPTED, Show, Terminal
from moselect.datasets.sources import check_source
from moselect.io.atomic import write_file
from moselect.io.documents import as_json
from moselect.io.run_record import RECORD, load_recorded, read_record, settings_of
from moselect.listing import names

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document
    from moselect.datasets import Dataset
    from moselect.preprocessing import Preparation
    from moselect.selection import Evidence


def compare(
    data: Annotated[
        str,
        data_argument(
            "A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file; or a run folder, "
            "for its data, target, classes and columns.",
            "DATA|RUN",
        ),
    ],
    models: Annotated[
        Names,
        option(
            "Models, separated by commas, such as scorecard,ensemble,random_forest; fast ones by "
            "default. An unknown name lists all.",
            read=names,
        ),
    ] = None,
    folds: Annotated[
        int | None,
        option("Number of stratified folds; by default 5, repeated twice.", min=2),
    ] = None,
    class_costs: ClassCosts = None,
    cost_matrix: CostMatrix = None,
    metric: Metric = None,
    seed: Annotated[
        int | None,
        option("Random seed, for reproducible results; by default a new one.", min=0),
    ] = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        option(
            "JSON file for the result, as --json prints it, written after each model; a picture "
            "is written beside it."
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
    target: Target = None,
    order: Order = None,
    bins: Bins = None,
    binning: Binning = None,
    leave_out: LeaveOut = None,
    categorical: Categorical = None,
    weight: Weight = None,
    weight_type: WeightType = None,
    group: Group = None,
    time: Time = None,
    reading: Read = None,
    drop: Drop = None,
    keep: Keep = None,
    missing: Missing = None,
    ignore: Ignore = None,
) -> None:
    """Compare the cross-validated costs of models on the same folds."""
    is_run = Path(data, RECORD).is_file()
    loaded_by = table_of(locals())
    prepared = stated(drop=drop, keep=keep, categorical=categorical, missing=missing)
    if is_run and (prepared or loaded_by):
        raise UsageError(
            "options for reading data need DATA: a run folder already has them"
        )
    if not is_run:
        check_source(data)
    if out is not None:
        picture = out.with_suffix(".png")
        for path in (out, picture):
            check_output(path, force, data, cost_matrix)
    with usage_errors():
        if out is not None:
            check_picture(picture)
        terminal = Terminal(json=json, ignored=ignore or ())
    with terminal.progress(f"reading {data}") as show:
        from moselect.datasets import load_dataset
        from moselect.preprocessing import Preparation
        from moselect.selection.comparison import DEFAULT_MODELS, UNFINISHED

        prepare: bool | Preparation = True
        if is_run:
            record = read_record(Path(data))
            dataset = load_recorded(record, None, "moselect compare DATA")
            prepare = settings_of(record).prepare
        else:
            dataset = load_dataset(data, **loaded_by)
            if prepared:
                prepare = Preparation(random_state=seed, **prepared)
        print_notes(dataset, prepare, terminal)
        costs = costs_of(dataset.labels, class_costs, cost_matrix, metric=metric)
        if costs is None:
            terminal.inform("No costs are given: the cost is the distance in classes.")
        settings: Document = {
            "cv": folds,
            "random_state": seed,
            "n_jobs": jobs,
            "prepare": prepare,
            "costs": costs,
            "labels": dataset.labels,
        }
        models = models or DEFAULT_MODELS
        evidence, lost = _compare(dataset, models, settings, out, force, show)
    interrupted = UNFINISHED in evidence.excluded.values()
    if interrupted:
        terminal.inform("Interrupted.")
    if terminal.json:
        terminal.print_json(_record_of_comparison(evidence))
    else:
        _print_comparison(evidence, terminal)
    if out is not None:
        from moselect.plots import front_on_new_data

        try:
            save_figure(front_on_new_data(evidence), picture)
        except (OSError, ValueError) as error:
            terminal.inform(f"No picture: {error}")
    if lost:
        raise lost[-1]
    if interrupted:
        raise SystemExit(INTERRUPTED)


def _compare(
    dataset: Dataset,
    models: Sequence[str],
    settings: Document,
    out: Path | None,
    force: bool,
    show: Show,
) -> tuple[Evidence, list[OSError]]:
    """Compare models and save the evidence after each; also return errors of saving."""
    from moselect.selection.comparison import compare

    lost: list[OSError] = []
    written = False

    def report(evidence: Evidence) -> None:
        nonlocal written
        done = len(evidence.evaluations) + len(evidence.excluded)
        doing = f"fitting {models[done]}" if done < len(models) else "comparing"
        show(f"{doing}, {done} of {len(models)} models done", done, len(models))
        if out is None or not evidence.evaluations:
            return
        content = as_json(_record_of_comparison(evidence))
        try:
            write_file(out, content, overwrite=force or written)
            written = True
        except OSError as error:  # the other models are fitted and printed all the same
            lost.append(error)

    evidence = compare(
        models, dataset.X, dataset.y, report=report, **dataset.roles, **settings
    )
    return evidence, lost


def _record_of_comparison(evidence: Evidence) -> Document:
    """Return a comparison as a document for scripts."""
    from moselect.cli.selected import record_of

    measures = evidence.fold_measures()
    summary = measures.summary
    return record_of(evidence) | {
        "n_folds": len(set(evidence.evaluations.folds)),
        "random_state": evidence.comparison.random_state,
        "fingerprint": evidence.comparison.fingerprint,
        "measures": {name: summary[name] for name in measures.per_fold},
        "front": measures.front(),
        "notes": [*evidence.notes, *measures.notes],
    }


def _print_comparison(evidence: Evidence, terminal: Terminal) -> None:
    """Print the evidence, the Pareto front of the measures, and how to reproduce them."""
    from moselect.cli.selected import print_evidence
    from moselect.metrics.objectives import short_measure

    print_evidence(evidence, terminal)
    as_they_are = [
        name
        for name, each in evidence.evaluations.items()
        if each.fit.cv.proba is None and not each.fit.has_thresholds
    ]
    if as_they_are:
        terminal.print(
            f"No probabilities, so that decisions ignore the costs: {', '.join(as_they_are)}."
        )
    measures = evidence.fold_measures()
    for note in measures.notes:
        terminal.warn(note)
    shown = ", ".join(short_measure(str(name)) for name in measures.per_fold)
    terminal.print(f"Pareto front of {shown}: {', '.join(measures.front())}.")
    n_folds = len(set(evidence.evaluations.folds))
    terminal.print(f"Seed {evidence.comparison.random_state}, {n_folds} folds.")
