"""How complex a model is: the number of terms by which it can be written down."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline

from moselect.columns import ModelColumns
from moselect.models import AdditiveOdds, OrdinalLinearClassifier


def count_terms(model: Any) -> float:
    """Return the number of terms of a fitted model, NaN if it is no sum of terms.

    A term is a feature with a weight, or a curve or product of features; a model with a sum for
    each class or cut counts all of them. Trees, kernels, networks and pools of models are no sums
    of terms.

    Examples
    --------
    >>> count_terms(OrdinalLinearClassifier([0.5, 0.0, 2.0], [0.0], ["low", "high"]))
    2.0
    """
    if isinstance(model, Pipeline):
        return count_terms(model.steps[-1][1])
    if isinstance(model, DummyClassifier):
        return 0.0
    if isinstance(model, AdditiveOdds):
        return float(len(np.unique(model.columns_.terms_[model.coef_ != 0.0])))
    rule = getattr(model, "model_", model)
    columns = getattr(rule, "columns", None)
    if isinstance(columns, Pipeline) and isinstance(columns.steps[-1][1], ModelColumns):
        return math.nan  # weights of models
    if isinstance(rule, OrdinalLinearClassifier) or hasattr(rule, "coef_"):
        weights = rule.coef_
        return float(np.count_nonzero(weights)) if isinstance(weights, np.ndarray) else math.nan
    return math.nan


def simplest_verdict(kinds: pd.DataFrame) -> str:
    """Return in a sentence which model is the simplest of those that may cost least.

    Parameters
    ----------
    kinds : DataFrame
        What `Comparison.kinds` returns.

    Examples
    --------
    >>> kinds = {"significant": [False, False, True], "terms": [np.nan, 13.0, 2.0]}
    >>> simplest_verdict(pd.DataFrame(kinds, ["pool", "line", "stump"]))
    'The simplest model that cannot be told from it is line (13 terms)'
    """
    cheapest = str(kinds.index[0])
    terms = kinds.loc[~kinds["significant"], "terms"].dropna()
    if terms.empty:
        return "No model that can be written down as a sum of terms costs as little"
    simplest = str(terms.idxmin())
    n_terms = f"{terms.min():g} term{'' if terms.min() == 1 else 's'}"
    if simplest == cheapest:
        return f"No simpler model can be told to cost as little: it has {n_terms}"
    return f"The simplest model that cannot be told from it is {simplest} ({n_terms})"
