"""`moselect compare`: fit, keep each model as it ends, and print tables."""

from pathlib import Path

from moselect._types import Document
from moselect.cli.options import DEFAULT_SEED
from moselect.cli.pictures import check_picture, save_figure
from moselect.cli.requests import check_output, usage_errors
from moselect.cli.results import print_report, record_of
from moselect.cli.search import print_notes
from moselect.cli.table_requests import CompareRequest
from moselect.cli.terminal import INTERRUPTED, Show, Terminal
from moselect.datasets import Dataset, load_dataset
from moselect.io.atomic import write_file
from moselect.io.documents import as_json
from moselect.io.run_record import load_recorded, read_record, settings_of
from moselect.metrics.objectives import short_measure
from moselect.plots import front_on_new_data
from moselect.preprocessing import Preparation
from moselect.report.sections import report
from moselect.selection import Evidence, comparison


def compare(request: CompareRequest) -> None:
    """Compare models on a table, and print the evidence."""
    if request.out is not None:
        picture = request.out.with_suffix(".png")
        for path in (request.out, picture):
            check_output(path, request.force, request.data, request.cost_matrix)
        with usage_errors():
            check_picture(picture)
    terminal = request.terminal()
    with terminal.progress(f"reading {request.data}") as show:
        evidence, lost = _run(request, terminal, show)
    interrupted = comparison.UNFINISHED in evidence.excluded.values()
    if interrupted:
        terminal.inform("Interrupted.")
    if terminal.json:
        terminal.print_json(_record_of_comparison(evidence))
    else:
        _print_comparison(evidence, terminal)
    if request.out is not None:
        try:
            save_figure(front_on_new_data(evidence), picture)
        except (OSError, ValueError) as error:
            terminal.inform(f"No picture: {error}")
    if lost:
        raise lost[-1]
    if interrupted:
        raise SystemExit(INTERRUPTED)


def _run(
    request: CompareRequest, terminal: Terminal, show: Show
) -> tuple[Evidence, list[OSError]]:
    """Compare models and save the evidence after each; also return errors of saving."""
    dataset, prepare, seed = _read(request)
    print_notes(dataset, prepare, terminal)
    costs = request.costs_of(dataset.labels)
    if costs is None:
        terminal.inform("No costs are given: the cost is the distance in classes.")
    models = request.models or comparison.DEFAULT_MODELS
    lost: list[OSError] = []
    written = False

    def report(evidence: Evidence) -> None:
        nonlocal written
        done = len(evidence.evaluations) + len(evidence.excluded)
        doing = f"fitting {models[done]}" if done < len(models) else "comparing"
        show(f"{doing}, {done} of {len(models)} models done", done, len(models))
        if request.out is None or not evidence.evaluations:
            return
        content = as_json(_record_of_comparison(evidence))
        try:
            write_file(request.out, content, overwrite=request.force or written)
            written = True
        except OSError as error:  # the other models are fitted and printed all the same
            lost.append(error)

    evidence = comparison.compare(
        models,
        dataset.X,
        dataset.y,
        report=report,
        cv=request.folds,
        random_state=seed,
        n_jobs=request.n_jobs,
        prepare=prepare,
        costs=costs,
        labels=dataset.labels,
        **dataset.roles,
    )
    return evidence, lost


def _read(request: CompareRequest) -> tuple[Dataset, bool | Preparation, int]:
    """Return the data, of a table or of a run folder, their preparation and the seed."""
    seed = DEFAULT_SEED
    if request.is_run:
        record = read_record(Path(request.data))
        dataset = load_recorded(record, None, "moselect compare DATA")
        settings = settings_of(record)
        prepare = settings.prepare
        seed = settings.random_state or seed
    else:
        dataset = load_dataset(request.data, **request.loaded_by)
        prepare = True
    if request.random_state is not None:
        seed = request.random_state
    if request.prepared:
        prepare = Preparation(random_state=seed, **request.prepared)
    return dataset, prepare, seed


def _record_of_comparison(evidence: Evidence) -> Document:
    """Return a comparison as a document for scripts."""
    measures = evidence.fold_measures()
    summary = measures.summary
    return record_of(evidence) | {
        "n_folds": evidence.evaluations.n_folds,
        "random_state": evidence.comparison.random_state,
        "fingerprint": evidence.comparison.fingerprint,
        "measures": {name: summary[name] for name in measures.per_fold},
        "front": measures.front(),
        "notes": [*evidence.notes, *measures.notes],
    }


def _print_comparison(evidence: Evidence, terminal: Terminal) -> None:
    """Print the evidence, the Pareto front of the measures, and how to reproduce them."""
    print_report(report(evidence), evidence, terminal)
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
    n_folds = evidence.evaluations.n_folds
    terminal.print(f"Seed {evidence.comparison.random_state}, {n_folds} folds.")
