"""What is fitted once and for all, and what it says when it is to be fitted again."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin

from moselect._types import Floats
from moselect.models.shapley import shapley_values


class FinishedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A model that was made elsewhere and only predicts.

    Cross-validation would show how it does on rows that it was made from, so it is neither fitted
    nor cloned. `sklearn.frozen.FrozenEstimator` makes it a part of what is fitted to other rows.

    Examples
    --------
    >>> from sklearn.model_selection import cross_val_score
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0], [0.5], ["low", "high"])
    >>> cross_val_score(model, [[0.0], [1.0]] * 2, ["low", "high"] * 2, cv=2)
    Traceback (most recent call last):
    ...
    TypeError: OrdinalLinearClassifier is finished and cannot be fitted: compare what makes it, \
such as ParetoSearch, CostSensitiveOrdinalClassifier or OrdinalPool
    """

    promise: Any = None

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, *data: Any, **options: Any) -> NoReturn:
        """Raise TypeError; without the method, `check_is_fitted` knows no estimator."""
        raise TypeError(
            f"{type(self).__name__} is finished and cannot be fitted: compare what makes it, "
            "such as ParetoSearch, CostSensitiveOrdinalClassifier or OrdinalPool"
        )

    def contributions(self, X: Any) -> pd.DataFrame:
        """Compute what each column of a table adds to the score of a row.

        Shapley values of ``decision_function`` beside 100 rows whose columns are distributed, each
        by itself, as they were in training; exact for sums of terms of one or two columns.

        Parameters
        ----------
        X : array-like of shape (n, m)
            Rows.

        Returns
        -------
        DataFrame of shape (n, m + 1)
            A column for each that the model was fitted to, and ``baseline``, the mean score of
            those 100 rows. A row adds up to its score.

        Raises
        ------
        ValueError
            If the model does not know how columns were distributed: it was not selected.
        """
        if self.promise is None:
            raise ValueError("only a model that was selected knows what to compare a row with")
        table = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).add_prefix("x")
        background = self.promise.background()
        missing = [name for name in background if name not in table]
        if missing:
            raise ValueError(f"X has no column {missing[0]!r}, which the model takes")
        table = table[list(background)]

        def score(rows: pd.DataFrame) -> Floats:
            asked = rows if isinstance(X, pd.DataFrame) else rows.to_numpy()
            return np.asarray(self.decision_function(asked))

        return shapley_values(score, table, background)

    __sklearn_clone__ = fit  # before any fit of a cross-validation, which would only warn
