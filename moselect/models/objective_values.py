"""Evaluate objectives of linear models on the samples of a table."""

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import sklearn.metrics
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin

from moselect._types import Classifier, Floats, Integers, Labels, ScoringClassifier
from moselect.labels.labels import encode_labels
from moselect.metrics import get_scorer, get_scorer_names
from moselect.metrics.metric_names import is_metric_name
from moselect.metrics.objective import Objective
from moselect.metrics.objectives import (
    DECLARED,
    RANKING_OBJECTIVES,
    metric_objective,
)
from moselect.metrics.scorers import OrdinalScorer
from moselect.models.linear_batch import LinearBatch
from moselect.predictor.linear import OrdinalLinearClassifier
from moselect.validation import at_rows


def as_objective(
    objective: Any,
    classes: ArrayLike | None = None,
    observed: Integers | None = None,
) -> Objective:
    """Return an objective by its name, from a scorer, or from a function.

    A function of one argument takes the confusion matrix (r, r), which is the quickest form;
    of two arguments, the true and predicted labels of the rows, or, if the second is named
    ``y_score``, the true labels and the scores; of three arguments, it is a scorer of
    scikit-learn. Rows are in the order of the table. With sample weights, which subsampling
    adds, too, all but the first form get ``sample_weight``. Thresholds are
    optimised for a metric if the ``classes`` are given, with the positions of the observed
    ones (by default all).

    Raises
    ------
    ValueError
        If there is no such objective or scorer.
    TypeError
        If it is neither a name nor a function of one to three arguments.

    Examples
    --------
    >>> as_objective("one_minus_mae").label
    '1 - MAE'
    >>> as_objective("balanced_accuracy").measured
    True
    """
    if isinstance(objective, Objective):
        # A metric without thresholds, as `objective_named` returns it, is resolved by name.
        if objective.solved or not is_metric_name(objective.name):
            return objective
        objective = objective.name
    if isinstance(objective, str):
        if is_metric_name(objective):
            return metric_objective(objective, classes, observed)
        if objective in DECLARED:
            return DECLARED[objective]
        if objective in get_scorer_names():
            return as_objective(get_scorer(objective))
        if objective not in sklearn.metrics.get_scorer_names():
            raise ValueError(
                f"unknown objective {objective!r}: choose from {', '.join(DECLARED)}, or a "
                "scorer's name"
            )
        scorer = sklearn.metrics.get_scorer(objective)
        return Objective(objective, scorer=partial(_of_sorted, scorer))
    if isinstance(objective, OrdinalScorer):
        return Objective(objective.name, scorer=partial(_of_ordered, objective))
    name = _name_of(objective)
    if name in DECLARED:
        raise ValueError(
            f"there is an objective {name!r} already: call the function otherwise"
        )
    needed = _parameters_of(objective)
    if not 1 <= len(needed) <= 3:
        raise TypeError(
            f"objective {objective!r} must be a name or a function of (confusion), "
            "(y_true, y_pred), (y_true, y_score) or (estimator, X, y)"
        )
    if len(needed) == 1:
        return Objective(name, measure=objective)
    if len(needed) == 2:
        # A ranking measure would take classes for scores without a word.
        if needed[1] == "y_score":
            return Objective(name, scorer=partial(_of_scores, objective))
        return Objective(name, of_labels=objective)
    if hasattr(objective, "_score_func"):
        return Objective(name, scorer=partial(_of_sorted, objective))
    return Objective(name, scorer=objective)


def _parameters_of(function: Callable[..., object]) -> list[str]:
    """Return the names of the positional parameters without a default; none of no function."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]


def _name_of(function: object) -> str:
    """Return the name of a function, also of one in a scorer or with fixed arguments."""
    for wrapper in ("_score_func", "func"):  # of scikit-learn and functools.partial
        function = getattr(function, wrapper, function)
    return str(getattr(function, "__name__", type(function).__name__))


class _Sorted(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classifier with sorted classes, as metrics of scikit-learn expect it."""

    def __init__(self, model: ScoringClassifier, classes: Labels) -> None:
        self.model = model
        self.classes = classes
        self.order = np.argsort(classes)
        self.classes_ = classes[self.order]

    def predict(self, X: Floats) -> Labels:
        return self.classes[encode_labels(self.model.predict(X), self.model.classes_)]

    def decision_function(self, X: Floats) -> Floats:
        # of two classes, positive for the second one
        scores = np.asarray(self.model.decision_function(X))
        return -scores if self.order.tolist() == [1, 0] else scores

    def predict_proba(self, X: Floats) -> Floats:
        return np.asarray(self.model.predict_proba(X))[:, self.order]


def _of_sorted(
    scorer: Callable[..., float],
    model: ScoringClassifier,
    X: Floats,
    y: Labels,
    **weights: Floats,
) -> float:
    """Evaluate a scorer of scikit-learn, which takes labels such as 1.5 for measurements."""
    classes = model.classes_
    if classes.dtype.kind == "f" and (classes % 1.0).any():
        y = np.searchsorted(classes, y)
        classes = np.arange(len(classes))
    return scorer(_Sorted(model, classes), X, y, **weights)


def _of_ordered(
    scorer: OrdinalScorer,
    model: Classifier,
    X: Floats,
    y: Labels,
    **weights: Floats,
) -> float:
    """Evaluate a scorer for a model whose classes, perhaps text, are in order."""
    ordered = pd.Categorical(y, categories=model.classes_, ordered=True)
    return scorer(model, X, ordered, **weights)


def _of_scores(
    function: Callable[..., float],
    model: ScoringClassifier,
    X: Floats,
    y: Labels,
    **weights: Floats,
) -> float:
    return function(y, model.decision_function(X), **weights)


def value_of_model(
    objective: Objective,
    model: Classifier | OrdinalLinearClassifier,
    X: Floats,
    y: Labels,
    weights: Floats | None,
) -> float:
    """Evaluate a function of labels, or a scorer, for a model of samples with weights (n,)."""
    keywords = {}
    if weights is not None:
        keywords["sample_weight"] = weights
    if objective.of_labels is not None:
        return objective.of_labels(y, model.predict(X), **keywords)
    assert objective.scorer is not None
    return objective.scorer(model, X, y, **keywords)


def linear_values(objective: Objective, confusions: Integers) -> Floats:
    """Compute 1 - mean cost from confusion matrices (k, r, r) of the same samples."""
    assert objective.costs is not None
    counts = confusions[0].sum(axis=1)
    # Exactly the share of correct predictions: 1 - the error rate is rounded.
    if objective.name == "accuracy":
        return np.trace(confusions, axis1=1, axis2=2) / counts.sum()
    return (
        1.0 - np.einsum("krs,rs->k", confusions, objective.costs(counts)) / counts.sum()
    )


def objective_values(
    objectives: Sequence[Objective],
    batch: LinearBatch,
    weights: Floats,
    thresholds: Floats,
    confusions: Integers | None = None,
    ranking: Floats | None = None,
) -> Floats:
    """Compute objectives of models, (P, m).

    Models are weights (P, p), in the units of the features, and ascending thresholds (P,
    r - 1). ``confusions`` (P, r, r) and ``ranking`` (P, 4) may be given if known. Ranking
    measures are NaN if a class has no samples.
    """
    if confusions is None:
        confusions = batch.confusions(weights, thresholds)
    if ranking is None and not all(objective.of_classes for objective in objectives):
        ranking = batch.ranking(weights)
    out = np.empty((len(weights), len(objectives)))
    for j, objective in enumerate(objectives):
        if objective.costs is not None:
            out[:, j] = linear_values(objective, confusions)
        elif objective.measured:
            out[:, j] = _measured_values(
                objective, batch, weights, thresholds, confusions
            )
        elif ranking is not None:
            out[:, j] = ranking[:, RANKING_OBJECTIVES.index(objective.name)]
    return out


def chance_levels(objectives: Sequence[Objective], batch: LinearBatch) -> Floats:
    """Return the objectives (m,) attained without features (Waegeman et al. 2008, lemma 3.3)."""
    r = batch.n_classes
    counts = batch.class_weights
    nothing = np.zeros((r, batch.n_features))
    # each of the classes
    constant = np.where(np.arange(r - 1) < np.arange(r)[:, None], -1.0, 1.0)
    confusions = np.eye(r, dtype=batch.count_type)[:, None, :] * counts[:, None]
    levels = []
    for objective in objectives:
        if objective.chance is not None:
            level = objective.chance(counts)
        elif objective.costs is not None:
            costs = objective.costs(counts).T.copy()
            level = 1.0 - min(float(counts / counts.sum() @ column) for column in costs)
        else:
            try:
                values = objective_values(
                    [objective], batch, nothing, constant, confusions
                )
            except ValueError:  # some measures are undefined for a constant score
                values = np.zeros(1)
            level = float(values.max())
        if level >= 1.0:
            raise ValueError(
                f"objective {objective.name!r} reaches {level:g} without any feature: it must be "
                "greater for better models, and 1 for a perfect one"
            )
        levels.append(level)
    return np.array(levels)


def _measured_values(
    objective: Objective,
    batch: LinearBatch,
    weights: Floats,
    thresholds: Floats,
    confusions: Integers,
) -> Floats:
    """Evaluate models one by one, skipping consecutive equivalent ones."""
    values = np.empty(len(weights))
    if objective.measure is None:
        # Functions may know more of each row, such as its amount.
        in_table_order = np.argsort(np.argsort(batch.given_codes, kind="stable"))
        X = batch.features.T[in_table_order]
        y = batch.classes[batch.codes[in_table_order]]
        row_weights = at_rows(batch.weights, in_table_order)
    try:
        for i, confusion in enumerate(confusions):
            if (
                i > 0
                and (confusion == confusions[i - 1]).all()
                and (weights[i] == weights[i - 1]).all()
            ):
                values[i] = values[i - 1]
            elif objective.measure is not None:
                values[i] = objective.measure(confusion)
            else:
                model = OrdinalLinearClassifier(weights[i], thresholds[i], batch.classes)
                values[i] = value_of_model(objective, model, X, y, row_weights)
    # such as a missing predict_proba, or a value that is no number
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(
            f"objective {objective.name!r} cannot be measured on members of a front: {error}"
        ) from error
    if not np.isfinite(values).all():
        raise ValueError(f"objective {objective.name!r} is not finite for some models")
    return values
