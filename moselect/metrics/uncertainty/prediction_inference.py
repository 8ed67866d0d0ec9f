"""Confidence intervals of measures of predicted classes."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, LabelOrder
from moselect.metrics.class_costs import distances, errors
from moselect.metrics.predicted.confusion import count_confusion
from moselect.metrics.uncertainty.covariance import check_draws
from moselect.metrics.uncertainty.prediction_law import DrawnCells, PredictionLaw
from moselect.samples.class_values import in_class_order
from moselect.samples.labels import order_is_guessed
from moselect.samples.validation import check_cost_matrix, check_level


def prediction_inference(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    labels: LabelOrder = None,
    cost_matrix: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Estimate measures of predicted classes with confidence intervals.

    Inference is conditional on the class sizes: the samples of each class are a random
    sample from that class.

    Parameters
    ----------
    y_true, y_pred, labels
        As in `accuracy_score`.
    sample_weight, groups : array-like of shape (n,), optional
        Weights of the samples, and names of groups, as in `ranking_inference`.
    cost_matrix : array-like of shape (r, r), optional
        Costs, rows true classes, columns predicted ones, for a row ``expected_cost``.
    confidence_level : float, default=0.95
        Nominal coverage probability of the intervals.

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
    Each measure but the minimum sensitivity is a weighted mean of the losses of single
    samples; kappa is linearised at its estimate. A mean loss L is treated as the share p
    = L / S of errors of one size S in n samples, and its interval is Jeffreys' interval of this
    share (Brown, Cai and DasGupta 2001, section 4.3) times S, which keeps a width where
    all predictions are right. The size S = E[loss^2] / E[loss] and the effective number n
    = L (S - L) / variance are such that n such samples have the mean and the variance of
    the loss (Korn and Graubard 1998). Their moments come from a smoothed confusion
    matrix, with half a correct and half a wrong prediction added to each class, the latter
    distributed over distances like the errors of all classes.

    For real weights and groups, n is divided by the design effect: the ratio of the
    sandwich variance of group influences to the variance of (sum w)^2 / sum w^2 effective
    samples of each class, times the squared ratio of the quantiles of Student's t (with
    the effective number less one degrees of freedom) and the normal distribution. With few
    errors it is poorly estimated and shrunk towards complete agreement within groups.

    The minimum sensitivity over several classes is biased downwards. Its lower limit is
    the minimum of the Jeffreys limits of the classes. The upper limit is the sensitivity s
    at which the observed least one, m, would be exceeded by all classes with a
    probability of (1 + level) / 2, if each had at least s, or its smoothed sensitivity if
    that is higher.

    References
    ----------
    Brown, Cai, DasGupta (2001), Interval estimation for a binomial proportion,
    Statistical Science 16:101-133.
    Korn, Graubard (1998), Confidence intervals for proportions with small expected number
    of positive counts estimated from survey data, Survey Methodology 24:193-201.

    Examples
    --------
    >>> table = prediction_inference([1, 1, 2, 2, 3, 3] * 10, [1, 1, 2, 2, 3, 2] * 10)
    >>> table.loc["accuracy"].round(2).tolist()
    [0.83, 0.75, 0.9]
    """
    weights, draws = check_draws(sample_weight, groups, np.size(y_true))
    confusion = count_confusion(y_true, y_pred, weights, labels)
    guessed = order_is_guessed(y_true, labels)
    costs = in_class_order("cost_matrix", cost_matrix, confusion.classes, guessed=guessed)
    if costs is not None:
        costs = check_cost_matrix(costs, len(confusion.matrix))
    # Counts need no draws: a confusion matrix says all.
    drawn = None
    if draws is not None:
        weights = np.ones(len(draws)) if weights is None else weights
        drawn = DrawnCells(confusion.cells, weights, draws)
    return confusion_inference(confusion.matrix, confidence_level, costs, drawn)


def confusion_inference(
    counts: Floats,
    confidence_level: float = 0.95,
    cost_matrix: Floats | None = None,
    drawn: DrawnCells | None = None,
) -> pd.DataFrame:
    """Estimate as `prediction_inference` does, from a confusion matrix (r, r) of counts.

    With ``drawn``, the samples behind it, the matrix may hold weights.
    """
    check_level(confidence_level)
    if len(counts) < 2:
        raise ValueError("there is one class only: nothing can be predicted wrongly")
    if not counts.any():
        raise ValueError("no row has a weight: there is nothing to measure")
    law = PredictionLaw(counts, confidence_level, drawn)
    rows = {}
    for name, loss, class_shares, upside_down in _mean_losses(counts, cost_matrix):
        value, lower, upper = law.interval(loss, class_shares)
        rows[name] = (value, lower, upper)
        # The measure is 1 - loss: its limits change places.
        if upside_down:
            rows[name] = (1.0 - value, 1.0 - upper, 1.0 - lower)
    rows["minimum_sensitivity"] = law.minimum_sensitivity()
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["estimate", "lower", "upper"]
    )


def _mean_losses(
    counts: Floats, cost_matrix: Floats | None
) -> Iterator[tuple[str, Floats, Floats, bool]]:
    """Yield name, losses (r, r), class shares (r,) and whether the measure is 1 - mean loss."""
    sizes = counts.sum(axis=1)
    present = sizes > 0.0
    shares = sizes / sizes.sum()
    distance = distances(sizes)
    yield "accuracy", errors(sizes), shares, True
    yield "off_by_one_accuracy", (distance > 1.0).astype(np.float64), shares, True
    yield "mean_absolute_error", distance, shares, False
    # Macro averages weigh all classes with samples equally.
    yield "macro_mean_absolute_error", distance, present / present.sum(), False
    # 1 - kappa = D / E, with the mean distance D and that by chance E; its derivative by
    # the cells is (distance - D / E chance) / E.
    chance = shares @ distance  # by the class that is predicted
    # Mean distance under independence of class and prediction.
    expected = chance @ counts.sum(axis=0) / sizes.sum()
    with np.errstate(invalid="ignore"):
        ratio = (counts * distance).sum() / sizes.sum() / expected
        yield (
            "weighted_kappa",
            (distance - ratio * (chance - expected)) / expected,
            shares,
            True,
        )
    if cost_matrix is not None:
        yield "expected_cost", cost_matrix, shares, False
