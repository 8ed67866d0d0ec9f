"""How complex a model is: the number of terms by which it can be written down."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline

from moselect.columns.steps import cross_fits
from moselect.models import AdditiveOdds


def count_terms(model: Any) -> float:
    """Return the number of terms of a fitted model, NaN if it is no sum of terms.

    A term is a feature with a weight, or a curve or product of features; a model with a sum for
    each class or cut counts all of them. Trees, kernels, networks and pools of models are no sums
    of terms.
    """
    if isinstance(model, Pipeline):
        return count_terms(model.steps[-1][1])
    if isinstance(model, DummyClassifier):
        return 0.0
    if isinstance(model, AdditiveOdds):
        return float(len(np.unique(model.columns_.terms_[model.coef_ != 0.0])))
    rule = getattr(model, "model_", model)
    if cross_fits(getattr(rule, "columns", None)):
        return math.nan  # weights of models
    weights = getattr(rule, "coef_", None)
    return float(np.count_nonzero(weights)) if isinstance(weights, np.ndarray) else math.nan
