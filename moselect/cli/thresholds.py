"""`moselect thresholds`: thresholds, or bands, of a column of scores of any model."""

import pandas as pd

import moselect
from moselect._types import Document
from moselect.cli.labelled_rows import (
    order_labels,
    read_labels,
    read_roles,
    read_scores,
)
from moselect.cli.model_files import print_files
from moselect.cli.model_requests import ThresholdsRequest
from moselect.cli.requests import check_output
from moselect.cli.results import print_confusion, record_of_selection
from moselect.cli.select import check_limits
from moselect.cli.terminal import Terminal, short
from moselect.export.summary import summarise
from moselect.report.sections import report
from moselect.selection.own_scores import ScoreThresholds
from moselect.tables.tables import read_source


def thresholds(request: ThresholdsRequest) -> None:
    """Find thresholds or bands of the scores in a file, and print them."""
    check_output(request.out, request.force, request.file, request.cost_matrix)
    terminal = request.terminal()
    with terminal.progress(f"cross-validating thresholds of {request.score}"):
        source = read_source(request.file, request.reading, request.columns)
        labels = [read_labels(source, request.true, request.order)]
        rows, ordered = order_labels(labels, request, terminal)
        data: Document = {
            "y": ordered.values,
            "score": read_scores(source, request.score, rows),
            "labels": [*ordered.labels],
            "cv": request.folds,
        }
        if request.bands is not None:
            data |= request.given("min_share")
            bands = moselect.bands(n_bands=request.bands, **data)
        else:
            found = moselect.thresholds(
                **data,
                costs=request.costs_of(ordered.labels),
                **read_roles(source, request, rows),
                weight_type=request.weight_type,
                limits=request.limits,
            )
    if request.bands is not None:
        _print_bands(bands.table, ordered.labels[1], terminal)
        return
    model = found.to_predictor()
    if request.out is not None:
        card = summarise(model, predicts=request.true, data=str(request.file))
        about = {
            "moselect": moselect.__version__,
            "sample_weight": request.weight,
            "weight_type": request.weight_type,
            "groups": request.group,
        }
        moselect.io.write_model(
            request.out, model.replace(card=card), about, overwrite=request.force
        )
    _print(found, request, terminal)
    check_limits(found.evidence)


def _print(
    found: ScoreThresholds, request: ThresholdsRequest, terminal: Terminal
) -> None:
    """Print thresholds and their spread, the cost, the errors and the limits."""
    model = found.to_predictor()
    evidence = found.evidence
    low, high = found.interval
    files = {} if request.out is None else {"file": str(request.out)}
    if terminal.json:
        record = record_of_selection(model, {})
        about = {"interval": [low, high], "fold_thresholds": found.fold_thresholds}
        terminal.print_json(files | record | about)
        return
    reported = report(evidence)
    *compared, _, cases_found = reported.headline  # but the basis, which follows
    terminal.print_sentences([*compared, cases_found])
    terminal.print(
        f"{evidence.loss.words.capitalize()}: {found.cost:.3g} (95 % interval {low:.3g} to "
        f"{high:.3g}), cross-validated on {len(evidence.samples):,} cases."
    )
    in_folds = found.fold_thresholds
    ends = zip(in_folds.min(axis=0), in_folds.max(axis=0), strict=True)
    # The lowest class has no threshold below it.
    spread = ["", *(f"{lowest:.4g} to {highest:.4g}" for lowest, highest in ends)]
    rows = zip(found.classes.tolist(), model.score_ranges, spread, strict=True)
    terminal.print_table(
        [
            ["class", "score", "threshold by fold"],
            *([short(label), scores, in_fold] for label, scores, in_fold in rows),
        ]
    )
    print_confusion(found.confusion, terminal)
    terminal.print_sentences(reported.criteria.sentences)
    terminal.warn(*evidence.notes)
    if files:
        print_files(files, terminal)
    else:
        terminal.print(
            "Next: -o model.json writes a model that predicts from the scores."
        )


def _print_bands(table: pd.DataFrame, label: object, terminal: Terminal) -> None:
    """Print bands of a score with the rate of a class in each."""
    if terminal.json:
        terminal.print_json({"class": label, "bands": table.reset_index()})
        return
    rows = [
        [
            str(band),
            f"{above:.4g}",
            f"{up_to:.4g}",
            f"{n:,}",
            f"{rate:.1%}",
            f"{low:.1%} to {high:.1%}",
        ]
        for band, above, up_to, n, _, rate, low, high in table.itertuples()
    ]
    headings = [
        "band",
        "above",
        "up to",
        "rows",
        f"rate of {short(label)}",
        "95 % interval",
    ]
    terminal.print_table([headings, *rows])
