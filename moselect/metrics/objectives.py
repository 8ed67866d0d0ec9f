"""Declared objectives of a search: definitions, chance levels and labels."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from moselect.metrics.objective import (
    Objective,
    by_class,
    distances,
    errors,
    half,
    largest_share,
    no_costs,
    one_in_orders,
    squares,
)

if TYPE_CHECKING:  # the command line lists the objectives before it loads numpy
    from numpy.typing import ArrayLike

    from moselect._types import Floats, Integers
    from moselect.metrics.decision_metrics import DecisionMetric


def _metric_value(name: str, metric: DecisionMetric | None, confusion: Floats) -> float:
    """Compute 1 - the loss of a metric from a confusion matrix (r, r)."""
    from moselect.metrics.metric_names import metric_named

    # A metric without classes is on the ranks 1 .. r.
    metric = metric or metric_named(name, range(len(confusion)))
    return 1.0 - float(metric.loss(confusion))


ALL_OBJECTIVES = (
    Objective(
        "accuracy",
        errors,
        chance=largest_share,
        meaning="Accuracy is the share of rows whose class is predicted exactly right.",
    ),
    Objective(
        "one_minus_mae",
        distances,
        label="1 - MAE",
        symbol=r"$1 - \mathrm{MAE}$",
        description="1 - mean absolute error",
        meaning="1 - MAE: MAE is the mean distance in classes between predicted and true class, "
        "so 1 is perfect, and 0 one class off on average.",
    ),
    Objective(
        "vus",
        chance=one_in_orders,
        label="VUS",
        description="volume under the ROC surface",
        meaning="VUS (volume under the ROC surface) is the chance that one row drawn from each "
        "class is ranked in the right order from the lowest class to the highest.",
    ),
    Objective(
        "u_cons",
        chance=half,
        label="U cons",
        symbol=r"$U_\mathrm{cons}$",
        description="mean AUC of splits of the classes",
        meaning="U cons splits the classes into low and high at each boundary and averages how "
        "often a high row scores above a low one (the mean AUC of the splits).",
    ),
    Objective(
        "u_ovo",
        chance=half,
        label="U ovo",
        symbol=r"$U_\mathrm{ovo}$",
        description="mean AUC of pairs of classes",
        meaning="U ovo averages over all pairs of classes how often a row of the higher class "
        "scores above one of the lower class (the mean AUC of the pairs).",
    ),
    Objective(
        "u_pairs",
        chance=half,
        label="U pairs",
        symbol=r"$U_\mathrm{pairs}$",
        description="share of pairs ranked in order",
        meaning="U pairs is the share of all pairs of rows from different classes that are ranked "
        "in the right order, so large classes count more.",
    ),
    Objective(
        "one_minus_mse",
        squares,
        label="1 - MSE",
        symbol=r"$1 - \mathrm{MSE}$",
        description="1 - mean squared error",
        meaning="1 - MSE: MSE is the mean squared distance in classes.",
    ),
    Objective(
        "one_minus_macro_mae",
        partial(by_class, distances),  # their mean is the macro-averaged MAE
        label="1 - macro MAE",
        symbol=r"$1 - \mathrm{MAE}^M$",
        description="1 - mean absolute error of the classes",
        meaning="1 - macro MAE: the MAE within each class, averaged over the classes, so that a "
        "rare class counts as much as a common one.",
    ),
    Objective(
        "macro_accuracy",
        partial(by_class, errors),  # their mean is 1 - the mean recall
        meaning="Macro accuracy is the recall of each class, averaged over the classes.",
    ),
    Objective(
        "cost",
        no_costs,
        label="1 - cost",
        description="1 - mean cost",
        meaning="1 - cost: 1 minus the mean misclassification cost, for the costs of the search.",
    ),
    Objective(
        "quadratic_kappa",
        measure=partial(_metric_value, "quadratic_kappa", None),
        symbol=r"$\kappa_2$",
        description="quadratically weighted kappa",
        meaning="Kappa is the agreement with the true classes beyond chance, with errors weighted "
        "by the squared distance in classes.",
    ),
)
DECLARED = {objective.name: objective for objective in ALL_OBJECTIVES}
SHORT_NAMES = {objective.name: objective.label for objective in ALL_OBJECTIVES} | {
    "mean_absolute_error": "MAE",
    "macro_mean_absolute_error": "macro MAE",
    "mean_squared_error": "MSE",
    "off_by_one_accuracy": "within one class",
    "ranked_probability_error": "RPS",
    "expected_cost": "mean cost",
}
# by default
OBJECTIVES = (
    "accuracy",
    "one_minus_mae",
    "vus",
    "u_cons",
    "u_ovo",
    "u_pairs",
)
RANKING_OBJECTIVES = tuple(
    objective.name for objective in ALL_OBJECTIVES if not objective.of_classes
)


def objective_named(name: str) -> Objective:
    """Return a declared objective, a metric, or a bare one for any other name.

    Parameters
    ----------
    name : str
        Name in the table of a front.

    Returns
    -------
    Objective

    Examples
    --------
    >>> objective_named("vus").description, objective_named("own_measure").label
    ('volume under the ROC surface', 'own measure')
    """
    from moselect.metrics.metric_names import is_metric_name

    if is_metric_name(name):
        return metric_objective(name)
    return DECLARED.get(name) or Objective(name, measure=partial(_unknown, name))


def metric_objective(
    name: str, classes: ArrayLike | None = None, observed: Integers | None = None
) -> Objective:
    """Return the objective of a metric, with solved thresholds if the classes are known.

    Parameters
    ----------
    name, classes, observed
        As in `moselect.metrics.metric_named`.
    """
    from moselect.metrics.metric_names import metric_label, metric_named

    solved = None if classes is None else metric_named(name, classes, observed)
    # The objective of an error, such as maximum_mae, is 1 - the error.
    label = "1 - " * name.startswith("maximum_") + metric_label(name)
    declared = DECLARED.get(name) or Objective(name, label=label)
    return replace(declared, measure=partial(_metric_value, name, solved), solved=solved)


def short_measure(name: str) -> str:
    """Return a short label of a measure for table headings."""
    return SHORT_NAMES.get(name, name.replace("_", " "))


def _unknown(name: str, confusion: Integers) -> float:
    raise ValueError(
        f"objective {name!r} is a Python function, which no file can hold: search with it, and "
        "resume the search, in Python"
    )


Named = TypeVar("Named")  # objectives, or their names


def check_objectives(objectives: Sequence[Named]) -> tuple[Named, ...]:
    """Validate a sequence of at least two different objectives."""
    if isinstance(objectives, str | Set | None):  # a set has no order of its own
        raise TypeError(
            f"objectives is {objectives!r}: give a sequence, such as ('accuracy', 'vus')"
        )
    objectives = list(objectives)
    if len(objectives) < 2 or any(objectives.count(one) > 1 for one in objectives):
        raise ValueError(
            f"objectives must be at least two different ones, not {objectives}"
        )
    return tuple(objectives)


DEFAULT = tuple(DECLARED[name] for name in OBJECTIVES)
