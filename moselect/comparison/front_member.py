"""A search as a candidate: the model of its front that is to be compared."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils.validation import check_is_fitted

from moselect.models import OrdinalLinearClassifier
from moselect.search import ParetoSearch


class FrontMember(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Search a front and predict with one of its members.

    Parameters
    ----------
    search : ParetoSearch
        The search.
    member : str, default="balanced"
        ``"balanced"``: the member with the greatest product of gains over chance; an objective of
        the search, for the member that is best in it; or ``"selected"``: no member, but the model
        that `ParetoSearch.select` returns for the costs or preferences of the search.

    Attributes
    ----------
    search_ : ParetoSearch
        The search, done.
    model_ : OrdinalLinearClassifier
        The member, or the selected model.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, random_state=1)
    >>> model = FrontMember(search, "vus").fit(X, y)
    >>> bool(model.model_.coef_ is not None)
    True
    """

    def __init__(self, search: ParetoSearch, member: str = "balanced") -> None:
        self.search = search
        self.member = member

    def fit(self, X: ArrayLike | pd.DataFrame, y: ArrayLike) -> Self:
        """Search the front of X (n, p) and y (n,)."""
        self.search_ = clone(self.search).fit(X, y)
        if self.search_.interrupted_:
            raise KeyboardInterrupt  # half a search is no result of a comparison
        front = self.search_.front_
        if self.member == "selected":
            self.model_: OrdinalLinearClassifier = self.search_.model_
        else:
            index = front.balanced() if self.member == "balanced" else front.best(self.member)
            self.model_ = front[index]
        self.classes_ = self.search_.classes_
        self.n_features_in_ = self.search_.n_features_in_
        return self

    def decision_function(self, X: ArrayLike | pd.DataFrame) -> NDArray[np.float64]:
        """Score samples, shape (n,); higher means a higher class."""
        check_is_fitted(self)
        return self.model_.decision_function(X)

    def predict(self, X: ArrayLike | pd.DataFrame) -> NDArray[Any]:
        """Predict the class label of each row of X, shape (n,)."""
        check_is_fitted(self)
        return self.model_.predict(X)
