"""Figures of a model on all rows of a source, which are read once and in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import FilePath, Floats
from moselect.budgets import MEMORY
from moselect.costs.decisions import costs_at
from moselect.datasets.sampling import group_chances
from moselect.datasets.source_tables import find_blocks
from moselect.datasets.target import (
    choose_target,
    role_values,
    target_bins,
    target_classes,
)
from moselect.inference.standard_errors import interval
from moselect.labels.labels import encode_labels
from moselect.monitoring.reference import reference_of
from moselect.predictor import Model
from moselect.predictor.predictions import predict_table, read_rows
from moselect.predictor.reference import Reference
from moselect.tables.reading import Reading
from moselect.validation import ratios_or_zero


class AllRows(NamedTuple):
    """Decisions of a model on the rows of a source.

    Attributes
    ----------
    confusion : DataFrame of shape (r, a)
        Rows, or their weights, of each true class by decision.
    cost, std_error : float
        Mean cost at the class shares of the source, with its standard error over rows or groups.
    n_rows : int
        Number of these rows.
    n_sampled, n_excluded : int
        Other rows of the source: of the sample, and without a class or a prediction.

    Examples
    --------
    >>> AllRows._fields[1:3]
    ('cost', 'std_error')
    """

    confusion: pd.DataFrame
    cost: float
    std_error: float
    n_rows: int
    n_sampled: int
    n_excluded: int

    @property
    def bounds(self) -> tuple[float, float, float]:
        """Mean cost with the ends of its 95 % interval."""
        return interval(self.cost, self.std_error, least=0.0)


def evaluate_rows(
    model: Model,
    source: FilePath,
    *,
    target: str | None = None,
    bin_edges: ArrayLike | None = None,
    leave_out: Sequence[object] = (),
    weight: str | None = None,
    group: str | None = None,
    sample_rows: ArrayLike = (),
    reading: Reading | None = None,
) -> AllRows:
    """Evaluate a model on all rows of a source of any size.

    The standard error is estimated from random groups: rows, or groups by their hash, are
    divided among 10,000 clusters (Wolter 2007, Introduction to Variance Estimation,
    chapter 2), so that memory does not grow with the source. A class without rows outside
    the sample has its cross-validated cost.

    Parameters
    ----------
    model : Model
        A model that was selected for costs.
    source : str or path
        As in `load_dataset`.
    target, weight, group : str, optional
        Columns of the classes, by default the target of training, of weights and of groups.
    bin_edges : array-like of shape (r - 1,), optional
        Cut points of a numeric target between its classes; the outer classes have no ends.
    leave_out : sequence, optional
        Labels of the target whose rows are excluded, as in `load_dataset`.
    sample_rows : array-like of int, optional
        Positions in the source of rows that are not evaluated, such as training rows.
    reading : Reading, optional
        File format, to override auto-detection.

    Raises
    ------
    ValueError
        If the model has no costs, a column is missing, or no row can be evaluated.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> found = evaluate_rows(model, "boston", target="MEDV", bin_edges=y.attrs["bin_edges"])
    >>> found.n_rows, int(found.confusion.sum(axis=None))
    (506, 506)
    """
    reference = reference_of(model)
    matrix = np.array(reference.costs)
    if target is None and model.card is not None:
        target = model.card.predicts
    classes = model.classes_.tolist()
    n_classes = len(classes)
    confusion = np.zeros(matrix.shape)
    # Weights of the classes in the source, and of each cluster weights and weighted costs.
    totals = np.zeros(n_classes)
    n_in_sample = np.zeros(n_classes)  # rows of each class
    sums = np.zeros((2, MEMORY.clusters, n_classes))
    sampled = np.asarray(sample_rows, int)
    n_read = n_rows = n_sampled = 0
    for block in find_blocks(str(source), reading):
        rows = block.source
        column = choose_target(rows, target)
        table = read_rows(model, rows)
        predicted = predict_table(model, table)
        if bin_edges is None:
            values = target_classes(rows, column, classes, leave_out)
        else:
            values = target_bins(rows, column, bin_edges, leave_out)
        codes = pd.Index(classes).get_indexer(values)  # -1 without a class
        positions = np.arange(n_read, n_read + len(table))
        in_sample = np.zeros(len(table), bool)
        in_sample[sampled[np.isin(sampled, positions)] - n_read] = True
        weights = np.ones(len(table))
        if weight is not None:
            weights = role_values(rows, "sample_weight", weight, column).to_numpy()
        clusters = positions % MEMORY.clusters
        if group is not None:
            chances = group_chances(role_values(rows, "groups", group, column), seed=0)
            clusters = (chances * MEMORY.clusters).astype(int)
        has_class = codes >= 0
        np.add.at(totals, codes[has_class], weights[has_class])
        np.add.at(n_in_sample, codes[has_class & in_sample], 1.0)
        used = np.flatnonzero(has_class & predicted.scored & ~in_sample)
        n_read += len(table)
        n_rows += len(used)
        n_sampled += int(in_sample.sum())
        costs = matrix
        if model.row_costs is not None:
            costs = model.row_costs.read(table)[0][used]
        codes = codes[used]
        weights = weights[used]
        answers = encode_labels(predicted.classes[used], model.answers)
        losses = costs_at(costs, codes, answers)
        np.add.at(confusion, (codes, answers), weights)
        np.add.at(sums[0], (clusters[used], codes), weights)
        np.add.at(sums[1], (clusters[used], codes), weights * losses)
    if not n_rows:
        raise ValueError(f"no row of '{source}' can be predicted and compared")
    cost, error = _mean_cost(reference, totals / totals.sum(), n_in_sample, *sums)
    return AllRows(
        pd.DataFrame(confusion, model.classes_, model.answers),
        cost,
        error,
        n_rows,
        n_sampled,
        n_read - n_rows - n_sampled,
    )


def _mean_cost(
    reference: Reference,
    shares: Floats,
    n_in_sample: Floats,
    weights: Floats,
    costs: Floats,
) -> tuple[float, float]:
    """Return the mean cost at the shares (r,) of the classes in the source, and its error.

    ``weights`` and ``costs`` are sums (clusters, r). A sample has more rows of rare classes: the
    other rows alone would have fewer of them than the source (post-stratification). A class
    without other rows has its cross-validated cost. Its share of the squared error
    of the reference is proportional to the variance of its mean cost on ``n_in_sample`` (r,)
    rows.
    """
    sizes = weights.sum(axis=0)
    has_rows = sizes > 0.0
    old = np.array(reference.confusion)
    proba = ratios_or_zero(old, old.sum(axis=1, keepdims=True))
    matrix = np.array(reference.costs)
    reported = (proba * matrix).sum(axis=1)
    spread = (proba * (matrix - reported[:, None]) ** 2).sum(axis=1)
    within = ratios_or_zero(shares**2 * spread, n_in_sample)
    means = np.where(has_rows, ratios_or_zero(costs.sum(axis=0), sizes), reported)
    influences = (costs - means * weights) @ ratios_or_zero(shares, sizes)
    n_clusters = int((weights.sum(axis=1) > 0.0).sum())
    variance = (influences**2).sum() * n_clusters / max(1, n_clusters - 1)
    if within[~has_rows].any():
        variance += reference.error**2 * within[~has_rows].sum() / within.sum()
    return float(means @ shares), float(np.sqrt(variance))
