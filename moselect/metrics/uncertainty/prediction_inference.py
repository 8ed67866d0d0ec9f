"""How sure one can be of measures of predicted classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers
from moselect._validation import check_cost_matrix, check_level
from moselect.class_values import in_class_order
from moselect.labels import order_is_guessed
from moselect.metrics.class_costs import distances
from moselect.metrics.predicted.confusion import count_confusion
from moselect.metrics.uncertainty.draws import check_draws, draw_squares

N_DRAWS = 10_000
TINY = np.finfo(np.float64).tiny  # divides what is 0, too
MOST_DRAWS = 2000  # that count on their own: their variance is then known to 3 %


def prediction_inference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    labels: Sequence[Any] | None = None,
    cost_matrix: ArrayLike | None = None,
    confidence_level: float = 0.95,
    random_state: int | np.random.Generator | None = None,
) -> pd.DataFrame:
    """Estimate measures of predicted classes with their uncertainty.

    The sizes of the classes are taken as given: the samples of each class are a random
    sample of that class.

    Parameters
    ----------
    y_true, y_pred, labels
        As in `accuracy_score`.
    sample_weight, groups : array-like of shape (n,), optional
        Weights of the samples, and names of groups, as in `ranking_inference`.
    cost_matrix : array-like of shape (r, r), optional
        What mistakes cost, rows true classes, columns predicted ones, for a row
        ``expected_cost``.
    confidence_level : float, default=0.95
        Probability with which an interval is to cover the expected measure.
    random_state : int or Generator, optional
        Source of the 10,000 draws of the confusion matrix.

    Returns
    -------
    DataFrame
        One row a measure, with the columns ``estimate``, ``lower`` and ``upper``.

    Raises
    ------
    ValueError
        On wrong input as in `accuracy_score`, if the level is not between 0 and 1, or if
        all samples are of one class, which is also the only one predicted.

    Notes
    -----
    What is predicted for a class of n samples with counts c is drawn from the Dirichlet
    distribution with parameters c + 1 / r; intervals lie between quantiles of the
    measures of those draws, widened to hold the estimate. For one of two classes this is
    Jeffreys' interval of a binomial share (Brown, Cai and DasGupta 2001, section 4.3),
    which, unlike the bootstrap, stays honest where all predictions are right.

    Such a draw counts each sample as often as an exponential variable says (Rubin's
    Bayesian bootstrap), and one more sample that is predicted to be every class. Real
    weights multiply these variables, and samples of a group share one, so that all that
    they have in common counts; the further sample then weighs as much as an effective
    draw of its class does: the total weight over the effective number by influence, or,
    in a class that is always predicted the same, over the (sum w)^2 / sum w^2 of its
    groups, as if samples of a group always agreed. Of more than 2,000 groups or weights,
    several share a variable. Below some 30 groups, intervals are too short.

    References
    ----------
    Brown, Cai, DasGupta (2001), Interval estimation for a binomial proportion,
    Statistical Science 16:101-133.
    Rubin (1981), The Bayesian bootstrap, Annals of Statistics 9:130-134.

    Examples
    --------
    >>> table = prediction_inference([1, 1, 2, 2, 3, 3] * 10, [1, 1, 2, 2, 3, 2] * 10,
    ...                              random_state=0)
    >>> table.loc["accuracy"].round(1).tolist()
    [0.8, 0.7, 0.9]
    """
    weights, draws = check_draws(sample_weight, groups, np.size(y_true))
    confusion = count_confusion(y_true, y_pred, weights, labels)
    r = len(confusion.matrix)
    guessed = order_is_guessed(y_true, labels)
    costs = in_class_order("cost_matrix", cost_matrix, confusion.classes, guessed=guessed)
    if costs is not None:
        costs = check_cost_matrix(costs, r)
    rng = np.random.default_rng(random_state)
    drawn = None if draws is None else _draw(confusion.cells, weights, draws, r, rng)
    return confusion_inference(confusion.matrix, confidence_level, rng, costs, drawn)


def confusion_inference(
    counts: Floats,
    confidence_level: float = 0.95,
    random_state: int | np.random.Generator | None = None,
    cost_matrix: Floats | None = None,
    drawn: Floats | None = None,
) -> pd.DataFrame:
    """Estimate as `prediction_inference` does, from a confusion matrix (r, r) of counts.

    With ``drawn`` (d, r, r), its draws, they may be weights.
    """
    check_level(confidence_level)
    r = len(counts)
    if r < 2:
        raise ValueError("there is one class only: nothing can be predicted wrongly")
    sizes = counts.sum(axis=1)
    if not sizes.any():
        raise ValueError("no row has a weight: there is nothing to measure")
    if drawn is None:
        rng = np.random.default_rng(random_state)
        drawn = np.zeros((N_DRAWS, r, r))
        for k in np.flatnonzero(sizes):
            drawn[:, k] = sizes[k] * rng.dirichlet(counts[k] + 1.0 / r, size=N_DRAWS)
    tails = (0.5 - confidence_level / 2.0, 0.5 + confidence_level / 2.0)
    estimates = _measures(counts[np.newaxis], sizes, cost_matrix)
    draws = _measures(drawn, sizes, cost_matrix)
    rows = {}
    for name, (estimate,) in estimates.items():
        lower, upper = np.quantile(draws[name], tails)
        rows[name] = (estimate, min(lower, estimate), max(upper, estimate))
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["estimate", "lower", "upper"]
    )


def _draw(
    cells: Integers,
    weights: Floats | None,
    draws: Integers,
    r: int,
    rng: np.random.Generator,
) -> Floats:
    """Draw confusion matrices (d, r, r) with the row sums of that of samples in cells (n,)."""
    weights = np.ones(len(cells)) if weights is None else weights
    draw_squared = draw_squares(cells // r, weights, draws, r)
    draws = draws % MOST_DRAWS
    cells = draws * r * r + cells
    sums = np.bincount(cells, weights, minlength=(draws.max() + 1) * r * r).reshape(
        -1, r, r
    )
    confusion = sums.sum(axis=0)
    totals = confusion.sum(axis=1, keepdims=True)
    shares = confusion / np.maximum(totals, TINY)
    spreads = (shares * (1.0 - shares)).sum(axis=1)
    influences = sums - shares * sums.sum(axis=2, keepdims=True)
    squares = (influences**2).sum(axis=(0, 2)) / np.maximum(spreads, TINY)
    squares = np.where(spreads > 0.0, squares, draw_squared)[:, np.newaxis]
    drawn = np.tensordot(rng.exponential(size=(N_DRAWS, len(sums))), sums, 1)
    drawn += squares / np.maximum(totals, TINY) * rng.gamma(1.0 / r, size=drawn.shape)
    return np.asarray(
        drawn * (totals / np.maximum(drawn.sum(axis=2, keepdims=True), TINY))
    )


def _measures(
    confusions: Floats, sizes: Floats, cost_matrix: Floats | None
) -> dict[str, Floats]:
    """Return each measure of many confusion matrices (d, r, r) with the same rows' sums (r,)."""
    distance, present, n = distances(sizes), sizes > 0.0, sizes.sum()
    deviations = (confusions * distance).sum(axis=2)
    by_class = deviations[:, present] / sizes[present]
    right = np.diagonal(confusions, axis1=1, axis2=2)
    by_chance = sizes @ distance @ confusions.sum(axis=1).T / n
    measures = {
        "accuracy": right.sum(axis=1) / n,
        "off_by_one_accuracy": (confusions * (distance <= 1)).sum(axis=(1, 2)) / n,
        "mean_absolute_error": deviations.sum(axis=1) / n,
        "macro_mean_absolute_error": by_class.mean(axis=1),
        "minimum_sensitivity": (right[:, present] / sizes[present]).min(axis=1),
        "weighted_kappa": 1.0 - deviations.sum(axis=1) / by_chance,
    }
    if cost_matrix is not None:
        measures["expected_cost"] = (confusions * cost_matrix).sum(axis=(1, 2)) / n
    return measures
