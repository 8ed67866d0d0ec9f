"""Estimators of any package that keep directions of features."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone, is_classifier

from moselect._protocols import Estimator
from moselect._types import Integers
from moselect.models.cumulative import CumulativeClassifier


def keeps_directions(model: Estimator) -> bool:
    """Return whether a model has a parameter for the directions of its features."""
    return not {"monotone", "monotonic_cst"}.isdisjoint(model.get_params(deep=False))


def with_directions(model: Estimator, signs: Integers) -> Any:
    """Return an unfitted copy of a model that keeps the directions (p,) of its features.

    An estimator of scikit-learn with ``monotonic_cst`` keeps them for two classes: of
    more, each boundary gets one. The model must be one that `keeps_directions`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> with_directions(DecisionTreeClassifier(), np.array([0, -1]))
    CumulativeClassifier(estimator=DecisionTreeClassifier(monotonic_cst=[0, -1]))
    """
    fresh = clone(model)
    if "monotone" in model.get_params(deep=False):
        return fresh.set_params(monotone=signs.tolist())
    fresh.set_params(monotonic_cst=signs.tolist())
    return CumulativeClassifier(fresh) if is_classifier(fresh) else fresh
