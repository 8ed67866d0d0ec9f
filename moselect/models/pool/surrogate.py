"""How much of a pool's score simple models explain."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from moselect.models.additive import SplineColumns

PENALTIES = tuple(10.0**k for k in range(-2, 5))


class _Curves(SplineColumns):
    """Splines without products, which take no notice of the score."""

    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        return super().fit(X, None, sample_weight)


def surrogate_r2(model: Any, X: ArrayLike, *, n_folds: int = 5) -> dict[str, float]:
    """Compute how well a sum of lines and a sum of curves explain the score of a model.

    Parameters
    ----------
    model : OrdinalPool or other model
        A fitted model with a one-dimensional ``decision_function``.
    X : array-like of shape (n, p)
        Features; at least as many rows as folds.
    n_folds : int, default=5
        Number of folds.

    Returns
    -------
    dict of str to float
        ``"linear"`` and ``"additive"``: the share of the variance of the score, R^2, that ridge
        regressions on the features and on their splines explain for samples to which *they* were
        not fitted; 1 is all. What the score itself is worth on new data is another question.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> from moselect.models import AdditiveOdds
    >>> X, y = load_boston()
    >>> shares = surrogate_r2(AdditiveOdds(n_products=0).fit(X, y), X)
    >>> shares["additive"] > 0.99 > shares["linear"]
    True
    """
    score = np.asarray(model.decision_function(X), dtype=np.float64)
    if score.ndim != 1:
        raise ValueError(f"decision_function has shape {score.shape}: one score is needed")
    values = np.asarray(X, dtype=np.float64)
    columns = {"linear": StandardScaler(), "additive": _Curves()}
    folds = KFold(n_folds, shuffle=True, random_state=0)
    explained = {}
    for name, transformer in columns.items():
        surrogate = make_pipeline(transformer, RidgeCV(PENALTIES))
        predicted = cross_val_predict(surrogate, values, score, cv=folds)
        explained[name] = float(r2_score(score, predicted))
    return explained
