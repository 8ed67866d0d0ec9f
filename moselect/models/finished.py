"""What is fitted once and for all, and what it says when it is to be fitted again."""

from __future__ import annotations

from typing import Any, NoReturn

from sklearn.base import BaseEstimator, ClassifierMixin


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

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, *data: Any, **options: Any) -> NoReturn:
        """Raise TypeError; without the method, `check_is_fitted` knows no estimator."""
        raise TypeError(
            f"{type(self).__name__} is finished and cannot be fitted: compare what makes it, "
            "such as ParetoSearch, CostSensitiveOrdinalClassifier or OrdinalPool"
        )

    __sklearn_clone__ = fit  # before any fit of a cross-validation, which would only warn
