"""Names of the metrics that decisions can be optimised for."""

import re

import numpy as np
from numpy.typing import ArrayLike

from moselect.listing import listing
from moselect.metrics.decision_metrics import DecisionMetric, Kappa, LinearRatio
from moselect.metrics.worst_class import WorstClass
from moselect.samples.labels import as_label_array

METRICS = (
    *("quadratic_kappa", "linear_kappa", "kappa", "minimum_sensitivity", "maximum_mae"),
    *("f1:CLASS", "jaccard:CLASS"),
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
    words = "largest MAE of a class" if measure == "maximum_mae" else measure
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
    observed = np.arange(len(labels)) if observed is None else np.asarray(observed)
    # Classes without samples stay on the scale: distances count them, but rows and
    # columns do not.
    cells = np.ix_(observed, observed)
    ranks = np.arange(len(labels), dtype=np.float64)
    distance = np.abs(np.subtract.outer(ranks, ranks))
    wrong = np.minimum(distance, 1.0)
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
    if len({*above[observed].tolist()}) < 2:
        raise ValueError(
            f"the metric {name!r} needs rows below class {parts['label']}, and rows of it or above"
        )
    # Cells of the confusion matrix of the two halves of the scale.
    hits = above[:, None] & above
    missed = above[:, None] & ~above
    false = ~above[:, None] & above
    # F = (1 + b) TP / ((1 + b) TP + b FN + FP) with b = beta^2; Jaccard = TP / (TP + FN +
    # FP)
    beta = 1.0 if parts["beta"] is None else float(parts["beta"]) ** 2
    errors = beta * missed + false
    below = errors + (1.0 if parts["beta"] is None else 1.0 + beta) * hits
    return LinearRatio(name, distance[cells], errors[cells], below[cells])
