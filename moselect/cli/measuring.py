"""Measures of predictions in a table: rankings, classes, costs and groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from moselect.metrics.objectives import RANKING_OBJECTIVES

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect._types import Floats, Integers
    from moselect.datasets.reading import Reading
    from moselect.datasets.tables import Source
    from moselect.metrics import Costs
    from moselect.samples.samples import Samples
    from moselect.selection import GroupEstimates

FIELDS = ["estimate", "lower", "upper"]


class Columns(NamedTuple):
    """Names of the columns to measure."""

    true: str
    score: str | None
    predicted: str | None
    weight: str | None
    group: str | None

    @property
    def of_classes(self) -> list[str]:
        """Columns of true and predicted classes; one may be predicted that no row has."""
        return [name for name in (self.true, self.predicted) if name is not None]


class Measured(NamedTuple):
    """Measures of predictions.

    ``measures`` has a row for each measure, ``counts`` the rows of each class, ``sizes``
    further sizes by name: the effective number of rows of real weights, and the number of
    groups; ``notes`` are on the order of the classes.
    """

    measures: pd.DataFrame
    counts: Mapping[object, int]
    sizes: Mapping[str, float]
    notes: Sequence[str] = ()
    confusion: pd.DataFrame | None = None
    groups: Mapping[str, GroupEstimates] = {}


def measure(
    file: Path,
    columns: Columns,
    reading: Reading | None,
    order: Sequence[str] | None,
    costs: Callable[[Sequence[object]], Costs | None],
    referred: str | None,
    by: Sequence[str],
) -> Measured:
    """Measure scores and predicted classes against the true classes of a table.

    Predictions called ``referred`` are rows without a class, at the cost of a review.
    """
    import numpy as np
    import pandas as pd

    from moselect.datasets.ordered_target import order_target
    from moselect.datasets.tables import read_source
    from moselect.datasets.target_and_features import check_complete, choose_target
    from moselect.samples.labels import as_label_array, encode_labels
    from moselect.samples.samples import Samples
    from moselect.samples.validation import as_counts, as_numbers, ranks_of
    from moselect.selection import group_estimates
    from moselect.selection.decision_loss import confusion_of

    source = read_source(
        file, reading, [name for name in (*columns, *by) if name is not None]
    )

    def column(name: str) -> pd.Series:
        return source.table[choose_target(source, name)].iloc[rows]

    rows = np.arange(len(source.table))
    truth, *predictions = (_labels(source, name, order) for name in columns.of_classes)
    is_referred = np.zeros(len(truth), dtype=np.bool_)
    if referred is not None:
        is_referred = predictions[0].astype(str).to_numpy() == referred
        predictions[0] = predictions[0].where(~is_referred, truth)  # to be read as one
    both = pd.concat([truth, *predictions], ignore_index=True).rename(columns.true)
    ordered = order_target(both, order)
    names = as_label_array(ordered.labels)
    codes = encode_labels(ordered.values, names)
    sizes = dict[str, float]()
    weights = groups = None
    if columns.weight is not None:
        cells = column(columns.weight)
        weights = as_numbers(f"--weight {columns.weight}", cells).astype(np.float64)
        repeated = as_counts(weights)
        if repeated is None:
            sizes["effective_rows"] = weights.sum() ** 2 / (weights @ weights)
        else:
            rows = np.repeat(rows, repeated)
            weights = None
    if columns.group is not None:
        members = column(columns.group)
        groups = ranks_of("groups", members, len(rows))
        sizes["n_groups"] = members.nunique()
    X = np.empty((len(rows), 0))
    samples = Samples(X, codes[rows], names, weights=weights, groups=groups)
    counted = np.bincount(samples.codes, minlength=len(names)).tolist()
    counts = dict(zip(ordered.labels, counted, strict=True))
    tables = []
    if columns.score is not None:
        scores = column(columns.score)
        check_complete(scores)
        if not pd.api.types.is_numeric_dtype(scores.dtype):
            raise ValueError(f"the scores in '{columns.score}' are not numbers")
        tables.append(_measure_scores(samples, scores))
    if columns.predicted is None:
        return Measured(pd.concat(tables), counts, sizes, ordered.notes)
    # Codes of the true classes come first, then the predicted ones.
    predicted = np.where(is_referred, len(names), codes[len(truth) :])[rows]
    stated = costs(ordered.labels)
    matrix = None
    if stated is not None:
        # without priors and metric, costs do not depend on how common the classes are
        matrix = stated.with_referral(names)[0]
    tables.append(_measure_classes(samples, predicted, matrix))
    answers = [*ordered.labels, *([] if referred is None else [referred])]
    confusion = pd.DataFrame(
        confusion_of(samples, predicted, len(answers)), ordered.labels, answers
    )
    estimates = {
        name: group_estimates(
            column(name).reset_index(drop=True), samples, predicted, matrix
        )
        for name in by
    }
    return Measured(pd.concat(tables), counts, sizes, ordered.notes, confusion, estimates)


def _measure_classes(
    samples: Samples, predicted: Integers, costs: Floats | None
) -> pd.DataFrame:
    """Measure predicted codes (n,): referred rows by their cost only, the others by class."""
    import numpy as np
    import pandas as pd

    from moselect.metrics import prediction_inference
    from moselect.selection import group_estimates

    r = samples.n_classes
    is_class = predicted < r
    has_referral = costs is not None and costs.shape[1] > r
    classified = samples.take(is_class)
    table = prediction_inference(
        classified.codes,
        predicted[is_class],
        sample_weight=classified.weights,
        groups=classified.groups,
        labels=range(r),
        cost_matrix=None if has_referral else costs,
    )
    if has_referral:
        all_rows = pd.Series("all", range(len(samples)), name="rows")
        found = group_estimates(all_rows, samples, predicted, costs)
        cost = float(found.table["cost"].iloc[0])
        # standard errors on each side of a 95 % interval
        normal = 1.96
        margin = normal * float(found.table["std_error"].iloc[0])
        share = float(np.average(~is_class, weights=samples.weights))
        extra = {
            "expected_cost": (cost, cost - margin, cost + margin),
            "referred": (share, np.nan, np.nan),
        }
        table = pd.concat([table, pd.DataFrame.from_dict(extra, "index", columns=FIELDS)])
    return table


def _measure_scores(samples: Samples, scores: pd.Series) -> pd.DataFrame:
    """Measure a ranking; where a class has one row only, nothing is known of the intervals."""
    import numpy as np
    import pandas as pd

    from moselect.metrics import ranking_inference, ranking_scores

    codes = samples.codes
    present, counts = np.unique(codes, return_counts=True)
    labels = present.tolist()
    weights = samples.weights
    if counts.min() < 2:
        estimates = ranking_scores(codes, scores, sample_weight=weights, labels=labels)
        return pd.DataFrame({"estimate": estimates}, RANKING_OBJECTIVES).reindex(
            columns=FIELDS
        )
    rows = {}
    for measure in RANKING_OBJECTIVES:
        inference = ranking_inference(
            codes,
            scores,
            measure,
            sample_weight=weights,
            groups=samples.groups,
            labels=labels,
        )
        rows[measure] = (inference.estimates[0], *inference.confidence_intervals[0])
    return pd.DataFrame.from_dict(rows, orient="index", columns=FIELDS)


def _labels(source: Source, name: str, order: Sequence[str] | None) -> pd.Series:
    """Return a complete column; words such as None are labels if ``order`` has them."""
    from pandas.api.types import is_numeric_dtype

    from moselect.datasets.target_and_features import (
        check_complete,
        choose_target,
        target_values,
    )
    from moselect.io.tables import unescaped

    values = target_values(source, choose_target(source, name), order)
    check_complete(values)
    return values if is_numeric_dtype(values.dtype) else values.map(unescaped)
