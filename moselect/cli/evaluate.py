"""`moselect evaluate`: the measures of any model's predictions, each with an interval."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers, Labels
from moselect.cli.labelled_rows import (
    order_labels,
    read_labels,
    read_roles,
    read_scores,
)
from moselect.cli.model_requests import EvaluateRequest
from moselect.cli.results import print_confusion, print_sections, records_of
from moselect.cli.terminal import Terminal
from moselect.costs.criteria import row_costs_of
from moselect.costs.losses import confusion_of
from moselect.datasets.target import (
    choose_target,
)
from moselect.inference.prediction_inference import prediction_inference
from moselect.inference.ranking_inference import ranking_inference
from moselect.inference.standard_errors import interval
from moselect.inspection.groups import GroupEstimates, group_estimates
from moselect.labels.labels import as_label_array, encode_labels
from moselect.listing import in_one_line
from moselect.metrics import ranking_scores
from moselect.metrics.objectives import RANKING_OBJECTIVES, short_measure
from moselect.report.sections import group_sections
from moselect.samples.samples import Samples
from moselect.samples.weights import effective_sample_size
from moselect.tables.tables import Source, read_source
from moselect.validation import ranks_of

FIELDS = ["estimate", "lower", "upper"]


def evaluate(request: EvaluateRequest) -> None:
    """Evaluate the predictions in a file, and print the measures."""
    terminal = request.terminal()
    with terminal.progress(f"evaluating the rows of {request.file}"):
        # Costs may be expressions of any column.
        named = None if request.cost_matrix else request.columns
        source = read_source(request.file, request.reading, named)
        labels = [read_labels(source, request.true, request.order)]
        is_referred = np.zeros(len(source.table), bool)
        if request.pred is not None:
            answers = read_labels(source, request.pred, request.order)
            # Referred rows have no class: they are read as if they had the true one.
            is_referred = answers.astype(str).isin(request.refer or ()).to_numpy()
            labels.append(answers.where(~is_referred, labels[0]))
        rows, ordered = order_labels(labels, request, terminal)
        classes = as_label_array(ordered.labels)
        codes, *predicted = np.split(encode_labels(ordered.values, classes), len(labels))
        samples = _samples(source, request, rows, codes, classes)
        table = source.table.iloc[rows[samples.rows]].reset_index(drop=True)
        tables = []
        confusion = None
        estimates = {}
        if request.score is not None:
            scores = read_scores(source, request.score, rows[samples.rows])
            tables.append(_measure_scores(samples, scores, terminal))
        if predicted:
            costs = _costs(request, classes, table)
            decisions = np.where(is_referred[rows], len(classes), *predicted)
            decisions = decisions[samples.rows]
            tables.append(_measure_classes(samples, decisions, costs))
            names = [*ordered.labels, *(request.refer or ())]
            counts = confusion_of(samples, decisions, len(names))
            confusion = pd.DataFrame(counts, ordered.labels, names)
            for name in request.by or ():
                values = table[choose_target(source, name)]
                estimates[name] = group_estimates(values, samples, decisions, costs)
    _print(pd.concat(tables), samples, confusion, estimates, terminal)


def _samples(
    source: Source,
    request: EvaluateRequest,
    rows: Integers,
    codes: Integers,
    classes: Labels,
) -> Samples:
    """Return some rows as samples with weights and groups; counts repeat rows."""
    given = read_roles(source, request, rows)
    others = [
        choose_target(source, name)
        for name in request.columns
        if name not in (request.weight, request.true)
    ]
    n = len(rows)
    cells = source.table.iloc[rows][others]
    groups = ranks_of("groups", given.get("groups"), n)
    samples = Samples(cells, codes, classes, groups=groups, rows=np.arange(n))
    return samples.weighted(given.get("sample_weight"), request.weight_type, codes)


def _costs(
    request: EvaluateRequest, classes: Labels, table: pd.DataFrame
) -> Floats | None:
    """Return the costs (r, a) of classes, or (n, r, a) of rows; None without any."""
    stated = request.costs_of(classes.tolist())
    if stated is None:
        return None
    stated = stated.in_order(classes)
    if stated.by_row:
        return row_costs_of(stated, classes)(table)
    # without priors, costs do not depend on how common the classes are
    return stated.with_referral(classes)[0]


def _measure_classes(
    samples: Samples, predicted: Integers, costs: Floats | None
) -> pd.DataFrame:
    """Measure predicted codes (n,): referred rows by their cost only, the others by class."""
    # A referral has the code after the last class, and the last column of the costs.
    r = samples.n_classes
    is_class = predicted < r
    is_square = costs is not None and costs.shape == (r, r)
    classified = samples.take(is_class)
    table = pd.DataFrame(columns=FIELDS, dtype=np.float64)
    if len(classified):
        table = prediction_inference(
            classified.codes,
            predicted[is_class],
            sample_weight=classified.weights,
            weight_type=None if classified.weights is None else "sampling",
            groups=classified.groups,
            labels=range(r),
            cost_matrix=costs if is_square else None,
        )
    if costs is not None and not is_square:
        every = pd.Series("all", range(len(samples)), name="rows")
        found = group_estimates(every, samples, predicted, costs).table.iloc[0]
        # as of groups of rows
        ends = interval(found["cost"], found["std_error"], len(samples), least=0.0)
        table.loc["expected_cost"] = ends
        if costs.shape[-1] > r:
            share = np.average(~is_class, weights=samples.weights)
            table.loc["referred"] = [share, np.nan, np.nan]
    return table


def _measure_scores(
    samples: Samples, scores: pd.Series, terminal: Terminal
) -> pd.DataFrame:
    """Measure a ranking; intervals are missing where a class has too few rows."""
    # A class of the order without rows ranks nothing: VUS is over the observed classes.
    y = samples.classes[samples.codes]
    labels = samples.classes[samples.class_sizes > 0].tolist()
    known = {"sample_weight": samples.weights, "labels": labels}
    table = pd.DataFrame(np.nan, RANKING_OBJECTIVES, FIELDS)
    table["estimate"] = ranking_scores(y, scores, **known)
    known["weight_type"] = None if samples.weights is None else "sampling"
    try:
        for measure in RANKING_OBJECTIVES:
            inference = ranking_inference(
                y, scores, measure, groups=samples.groups, **known
            )
            table.loc[measure, FIELDS[1:]] = inference.confidence_intervals[0]
    except ValueError as error:
        terminal.warn(f"no intervals of ranking measures: {error}")
    return table


def _print(
    measures: pd.DataFrame,
    samples: Samples,
    confusion: pd.DataFrame | None,
    groups: Mapping[str, GroupEstimates],
    terminal: Terminal,
) -> None:
    """Print the measures of predictions, with the numbers of rows, and of groups."""
    classes = samples.classes.tolist()
    counts = [*zip(classes, samples.class_sizes.tolist(), strict=True)]
    sizes = {}
    if samples.weights is not None:
        sizes["effective_rows"] = effective_sample_size(samples.weights)
    if samples.groups is not None:
        sizes["n_groups"] = samples.n_units
    if terminal.json:
        record = {
            "n_rows": len(samples),
            **sizes,
            "classes": [{"class": label, "rows": count} for label, count in counts],
            "confidence_level": 0.95,
            "measures": measures,
            "confusion": None if confusion is None else confusion.to_numpy(),
            "by": records_of(groups),
        }
        terminal.print_json(record)
        return
    shown = (f"{in_one_line(label)}: {count}" for label, count in counts)
    terminal.print(f"{len(samples)} rows (class {', '.join(shown)})")
    for name, size in sizes.items():
        terminal.print(f"{name.removeprefix('n_').replace('_', ' ')}: {size:,.0f}")
    lines = (
        (
            short_measure(str(name)),
            f"{estimate:.4f}",
            f"{lower:.4f} to {upper:.4f}".replace("nan to nan", ""),
        )
        for name, estimate, lower, upper in measures[FIELDS].itertuples()
    )
    terminal.print_table([["measure", "estimate", "95 % interval"], *lines])
    if confusion is not None:
        print_confusion(confusion, terminal)
    print_sections(group_sections(groups), terminal)
