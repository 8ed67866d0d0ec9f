"""`moselect compare`: cross-validate models on a table, and print the evidence."""

from moselect._types import Document
from moselect.cli.options import DEFAULT_SEED
from moselect.cli.requests import check_output
from moselect.cli.results import print_report, record_of
from moselect.cli.search import print_notes
from moselect.cli.table_requests import CompareRequest
from moselect.cli.terminal import INTERRUPTED, Show, Terminal
from moselect.datasets import load_dataset
from moselect.inspection.fold_measures import FoldMeasures
from moselect.io.atomic import write_file
from moselect.io.documents import as_json
from moselect.metrics.objectives import short_measure
from moselect.preprocessing import Preparation
from moselect.report.sections import report
from moselect.selection import Evidence, comparison


def compare(request: CompareRequest) -> None:
    """Compare models on a table, and print the evidence."""
    check_output(request.out, request.force, request.data, request.cost_matrix)
    terminal = request.terminal()
    with terminal.progress(f"reading {request.data}") as show:
        evidence = _compared(request, terminal, show)
    measures = evidence.fold_measures()
    document = _record_of_comparison(evidence, measures)
    interrupted = comparison.UNFINISHED in evidence.excluded.values()
    if interrupted:
        terminal.inform("Interrupted.")
    if terminal.json:
        terminal.print_json(document)
    else:
        _print_comparison(evidence, measures, terminal)
    if request.out is not None:
        write_file(request.out, as_json(document), overwrite=request.force)
    if interrupted:
        raise SystemExit(INTERRUPTED)


def _compared(request: CompareRequest, terminal: Terminal, show: Show) -> Evidence:
    """Read a table and compare models on it."""
    dataset = load_dataset(request.data, **request.loaded_by)
    seed = DEFAULT_SEED if request.random_state is None else request.random_state
    prepare: bool | Preparation = True
    if request.prepared:
        prepare = Preparation(random_state=seed, **request.prepared)
    print_notes(dataset, terminal)
    costs = request.costs_of(dataset.labels)
    if costs is None:
        terminal.inform("No costs are given: the cost is the distance in classes.")
    models = request.models or comparison.DEFAULT_MODELS

    def report(evidence: Evidence) -> None:
        done = len(evidence.evaluations) + len(evidence.excluded)
        doing = f"fitting {models[done]}" if done < len(models) else "comparing"
        show(f"{doing}, {done} of {len(models)} models done", done, len(models))

    return comparison.compare(
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


def _record_of_comparison(evidence: Evidence, measures: FoldMeasures) -> Document:
    """Return a comparison as a document for scripts."""
    summary = measures.summary
    return record_of(evidence) | {
        "n_folds": evidence.splits.n_folds,
        "random_state": evidence.comparison.random_state,
        "fingerprint": evidence.comparison.fingerprint,
        "measures": {name: summary[name] for name in measures.per_fold},
        "front": measures.front(),
        "notes": [*evidence.notes, *measures.notes],
    }


def _print_comparison(
    evidence: Evidence, measures: FoldMeasures, terminal: Terminal
) -> None:
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
    terminal.warn(*measures.notes)
    shown = ", ".join(short_measure(str(name)) for name in measures.per_fold)
    terminal.print(f"Pareto front of {shown}: {', '.join(measures.front())}.")
    terminal.print(
        f"Seed {evidence.comparison.random_state}, {evidence.splits.n_folds} folds."
    )
