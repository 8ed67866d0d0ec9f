"""Metrics that decisions can be optimised for, by their names, and the worst class."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect.labels.labels import as_label_array
from moselect.listing import listing
from moselect.metrics.decision_metrics import (
    TIE_BREAK,
    ConfusionsAt,
    DecisionMetric,
    Kappa,
    LinearRatio,
    Solution,
)
from moselect.metrics.objective import distances, errors
from moselect.validation import ratios_or_zero

# Normal draws of the errors of all classes, and steps of the dual over class weights.
N_DRAWS = 400
DUAL_ROUNDS = 40


@dataclass(frozen=True, eq=False, repr=False)
class WorstClass(DecisionMetric):
    """Greatest mean error of a class."""

    is_exact = False

    error: Floats

    def class_losses(self, confusions: Floats) -> Floats:
        """Compute the mean error (..., r) of each class, 0 without samples."""
        sizes = confusions.sum(axis=-1)
        totals = (confusions * self.error).sum(axis=-1)
        return ratios_or_zero(totals, sizes)

    def loss(self, confusions: Floats) -> Floats:
        """Compute the greatest mean error of a class."""
        return self.class_losses(confusions).max(axis=-1)

    def slopes(self, confusions: Floats) -> Floats:
        """Compute the derivatives of the mean error of the worst class."""
        losses = self.class_losses(confusions)
        # The maximum has the slope of the class that attains it, the first if several do.
        worst = np.arange(len(self.error)) == losses.argmax(axis=-1)[..., None]
        sizes = np.maximum(confusions.sum(axis=-1), np.finfo(np.float64).tiny)
        return (worst / sizes)[..., None] * (self.error - losses[..., None])

    def unseen(self, confusions: Floats, sample_weights: Floats) -> tuple[float, float]:
        """Estimate how much the worst class is worse than the one that shows itself so.

        Decisions make the errors of the classes equal on these samples. On others each
        deviates by its standard error, which includes a further mistake by one class; the greatest
        of them exceeds the equal errors.
        """
        confusion = confusions.sum(axis=0)
        losses = self.class_losses(confusion)
        sizes = confusion.sum(axis=-1)
        # A mistake more is at most one row of the class: weights become numbers of rows.
        rows = np.maximum(ratios_or_zero(sizes, sample_weights), 1.0)
        # Variance of a sample's error within its class: mean square less squared mean.
        squares = replace(self, error=self.error**2).class_losses(confusion)
        variances = (squares - losses**2) / rows
        # With a weak signal the models of the folds differ by more than their rows.
        between = self.class_losses(confusions).var(axis=0) / max(1, len(confusions) - 1)
        variances = np.maximum(variances, between)
        # The standard error and the change by one mistake add as independent deviations.
        errors = (sizes > 0.0) * np.hypot(np.sqrt(variances), 1.0 / rows)
        drawn = np.random.default_rng(0).standard_normal((N_DRAWS, len(errors)))
        excess = (losses + errors * drawn).max(axis=-1) - losses.max()
        # The variance of the greatest error beyond the error of the class that appears worst.
        extra = excess.var() - variances[losses.argmax()]
        return excess.mean(), np.sqrt(max(extra, 0.0))

    def solve(self, confusions_at: ConfusionsAt, class_weights: ArrayLike) -> Solution:
        """Maximise the least weighted error over class weights, of sum 1 (the convex dual).

        The weight of each class is multiplied by an exponential of its error (Freund &
        Schapire 1999). The best decisions met are kept.
        """
        sizes = np.asarray(class_weights, float)
        shares = sizes / sizes.sum(axis=-1, keepdims=True)
        known = shares > 0.0
        # The dual begins with equal weights of all classes that have samples.
        weights = known / known.sum(axis=-1, keepdims=True)
        best_costs, best = (np.zeros((*sizes.shape, sizes.shape[-1])) for _ in range(2))
        least = np.full(sizes.shape[:-1], np.inf)
        for step in range(DUAL_ROUNDS):
            # Weights of classes over their shares: the cost matrix of the weighted mean
            # error.
            of_classes = ratios_or_zero(weights, shares)
            costs = of_classes[..., None] * self.error + TIE_BREAK * self.distance
            confusions = confusions_at(costs)
            losses = self.class_losses(confusions)
            better = (losses.max(axis=-1) < least)[..., None, None]
            best_costs = np.where(better, costs, best_costs)
            best = np.where(better, confusions, best)
            least = np.minimum(least, losses.max(axis=-1))
            # Multiplicative weights: classes with greater errors count more in the next
            # round, at a rate that decreases with the root of the steps.
            rate = 1.0 / np.sqrt(1.0 + step)
            weights = weights * np.exp(rate * losses / self.error.max())
            weights /= weights.sum(axis=-1, keepdims=True)
        return Solution(best_costs, best)


METRICS = (
    "quadratic_kappa",
    "linear_kappa",
    "kappa",
    "minimum_sensitivity",
    "maximum_mae",
    "f1:CLASS",
    "jaccard:CLASS",
)
_OF_BOUNDARY = re.compile(
    r"(?:f(?P<beta>\d+(?:\.\d+)?)|jaccard):(?P<label>.*)", re.DOTALL
)


def is_metric_name(name: str) -> bool:
    """Return whether a name denotes a metric, of whichever classes."""
    return name in METRICS or _OF_BOUNDARY.fullmatch(name) is not None


def metric_label(name: str) -> str:
    """Return the name of a metric as readable text.

    Examples
    --------
    >>> metric_label("quadratic_kappa"), metric_label("f1:severe")
    ('quadratic kappa', 'F1 severe')
    """
    measure, *label = name.split(":", 1)
    words = measure
    if measure == "maximum_mae":
        words = "largest MAE of a class"
    if label and measure != "jaccard":
        words = measure.upper()
    return " ".join([words.replace("_", " "), *label])


def metric_named(
    name: str, classes: ArrayLike, observed: ArrayLike | None = None
) -> DecisionMetric:
    """Return the metric of a name.

    Parameters
    ----------
    name : str
        ``"quadratic_kappa"``, ``"linear_kappa"``, ``"kappa"``, ``"minimum_sensitivity"``,
        ``"maximum_mae"``; ``"f1:severe"``, ``"f2:severe"`` or ``"jaccard:severe"`` of the
        classes from severe upwards.
    classes : array-like of shape (k,)
        All classes of the scale, lowest first.
    observed : array-like of shape (r,), optional
        Classes that have samples, by position on the scale; all by default.

    Returns
    -------
    DecisionMetric

    Raises
    ------
    ValueError
        If there is no such metric or class.

    Examples
    --------
    >>> metric_named("f1:severe", ["slight", "severe", "fatal"])
    'f1:severe'
    """
    labels = [str(label) for label in as_label_array(classes).tolist()]
    places = np.arange(len(labels)) if observed is None else np.asarray(observed)
    # Classes without samples stay on the scale: distances count them, but rows and
    # columns do not.
    cells = np.ix_(places, places)
    distance = distances(labels)
    wrong = errors(labels)
    known = {
        "quadratic_kappa": (Kappa, distance**2),
        "linear_kappa": (Kappa, distance),
        "kappa": (Kappa, wrong),
        "minimum_sensitivity": (WorstClass, wrong),
        "maximum_mae": (WorstClass, distance),
    }
    if name in known:
        make, values = known[name]
        return make(name, distance[cells], values[cells])
    parts = _OF_BOUNDARY.fullmatch(name)
    if parts is None:
        raise ValueError(f"unknown metric {name!r}: choose from {', '.join(METRICS)}")
    if parts["label"] not in labels[1:]:
        raise ValueError(
            f"the metric {name!r} needs a class above the lowest: choose from {listing(labels[1:])}"
        )
    above = np.arange(len(labels)) >= labels.index(parts["label"])
    if len({*above[places].tolist()}) < 2:
        raise ValueError(
            f"the metric {name!r} needs rows below class {parts['label']}, and rows of it or above"
        )
    # Cells of the confusion matrix of the two halves of the scale.
    hits = above[:, None] & above
    missed = above[:, None] & ~above
    false = ~above[:, None] & above
    # F = (1 + b) TP / ((1 + b) TP + b FN + FP) with b = beta^2; Jaccard = TP / (TP + FN +
    # FP)
    beta = gain = 1.0
    if parts["beta"] is not None:
        beta = float(parts["beta"]) ** 2
        gain = 1.0 + beta
    lost = (beta * missed + false)[cells]
    return LinearRatio(name, distance[cells], lost, lost + gain * hits[cells])
