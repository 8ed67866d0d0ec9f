"""The ordinal linear model: a direction of features and ascending thresholds along it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.metaestimators import available_if

from moselect._types import Floats
from moselect.features import feature_matrix
from moselect.models.finished import FinishedClassifier
from moselect.models.linear_model import LinearModel, score_rows

FEATURES = 30  # weights shown of a model with more
DIGITS = range(6, 18)  # of thresholds: with 17 all doubles differ


class OrdinalLinearClassifier(FinishedClassifier, LinearModel):
    """A finished model ``f(x) = coef @ x``: class = 1 + number of thresholds strictly below f(x).

    It comes from a front or a file and is ready to predict; there is nothing to fit.

    Parameters
    ----------
    coef : array-like of shape (p,)
        Weights, in the units of the features.
    thresholds : array-like of shape (r - 1,)
        Ascending cut points of the score.
    classes : array-like of shape (r,)
        Class labels, lowest first.
    feature_names : sequence of str, optional
        Names of the p features. With them, columns of a DataFrame are matched by name.
    columns : transformer, optional
        Fitted; it turns a table into the p features, such as those of `moselect.columns`.
    calibration : ScoreCalibration, optional
        From its score to class probabilities; without, there is no ``predict_proba``.
    evidence : Evidence, optional
        What is known on new data about a model that was selected.
    promise : Promise, optional
        What was shown of it then, as a file keeps it.
    referral : Referral, optional
        The scores for which a row is left to a person, and what `predict` calls it.

    Attributes
    ----------
    coef_, thresholds_, classes_ : ndarray
        The parameters as arrays.
    n_features_in_ : int
        p.

    Notes
    -----
    Scores are sums in a fixed order with ``52 - ceil(log2 r)`` bits of mantissa: equal rows get
    equal scores wherever they stand, and ranking measures are those that the search counted, to
    the last bit.

    Examples
    --------
    >>> model = OrdinalLinearClassifier([1.0, -1.0], [0.0, 2.0], ["low", "mid", "high"])
    >>> model.predict([[1.0, 3.0], [2.0, 1.0], [5.0, 0.0]])
    array(['low', 'mid', 'high'], dtype='<U4')
    """

    def _repr_html_(self) -> str:
        known = "" if self.evidence is None else self.evidence.to_html()
        return model_html(self) + known

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        # Notebooks ask for this first; scikit-learn's shows parameters, here arrays of numbers.
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def decision_function(self, X: ArrayLike | pd.DataFrame) -> Floats:
        """Score samples; higher means a higher class.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Features in their own units.

        Returns
        -------
        ndarray of shape (n,)

        Raises
        ------
        ValueError
            If features are missing, infinite, or so large that a score is.
        """
        if self.columns is not None:
            X = self.columns.transform(X)
        values = feature_matrix(X, self.feature_names, self.n_features_in_)
        return score_rows(values, self.coef_, len(self.classes_))

    def predict(self, X: ArrayLike | pd.DataFrame) -> NDArray[Any]:
        """Predict the class label of each row of X, shape (n,)."""
        return np.asarray(self.answers[self.codes_of(self.decision_function(X))])

    @available_if(lambda self: self.calibration is not None)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: ArrayLike | pd.DataFrame) -> Floats:
        """Compute the class probabilities (n, r) along the score."""
        assert self.calibration is not None
        return self.calibration.probabilities(self.decision_function(X))


def class_scores(model: OrdinalLinearClassifier) -> list[str]:
    """Describe for each answer, lowest class first, the scores for which it is given.

    Thresholds have six digits, or as many more as tell them apart.
    """
    referral = model.referral
    cuts, codes = model.thresholds_.tolist(), list(range(len(model.classes_)))
    if referral is not None:
        cuts, codes = referral.cuts, referral.codes
    shown = np.unique(cuts)
    digits = next(k for k in DIGITS if len({f"{cut:.{k}g}" for cut in shown}) == len(shown))
    texts: list[list[str]] = [[] for _ in model.answers]
    for code, (low, high) in zip(codes, pairwise([-np.inf, *cuts, np.inf]), strict=True):
        above = "" if low == -np.inf else f"above {low:.{digits}g}"
        below = "" if high == np.inf else f"up to {high:.{digits}g}"
        if low < high:
            texts[code].append(", ".join(filter(None, (above, below))) or "all")
    return ["; ".join(each) or "never" for each in texts]


def model_html(model: OrdinalLinearClassifier) -> str:
    """Return the weights and the scores of the classes as HTML; names are escaped."""
    p = model.n_features_in_
    names = [f"x{j}" for j in range(p)] if model.feature_names is None else model.feature_names
    heaviest = np.sort(np.argsort(-np.abs(model.coef_), kind="stable")[:FEATURES])
    weights = {names[j]: f"{model.coef_[j]:.6g}" for j in heaviest}
    if p > FEATURES:
        weights["…"] = f"{p - FEATURES} smaller ones"
    classes = pd.DataFrame({"class": model.answers, "score": class_scores(model)})
    features = pd.DataFrame(weights.items(), columns=["feature", "weight"])
    return (
        f"<p><strong>{type(model).__name__}</strong>: the class of a sample by its score, "
        "the weighted sum of its features</p>"
        '<div style="display: flex; flex-wrap: wrap; gap: 0 3em; align-items: flex-start">'
        f"{classes.to_html(index=False)}{features.to_html(index=False)}</div>"
    )
