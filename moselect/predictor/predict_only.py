"""scikit-learn's protocol for a frozen classifier, which only predicts."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from moselect._protocols import Table
from moselect._types import Array


class PredictOnly:
    """Base class of frozen classifiers, which are neither refitted nor cloned.

    It does not import scikit-learn, which is slow.
    """

    def predict(self, X: Table) -> Array:
        """Predict the class label of each row of X, shape (n,)."""
        raise NotImplementedError

    def score(
        self, X: Table, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the accuracy on labelled rows."""
        weights = None if sample_weight is None else np.asarray(sample_weight)
        return float(np.average(self.predict(X) == np.asarray(y), weights=weights))

    def fit(self, *data: object, **options: object) -> NoReturn:
        """Raise TypeError; `check_is_fitted` requires the method to exist."""
        raise TypeError(
            f"{type(self).__name__} is frozen and cannot be fitted: cross-validate the estimator "
            "behind it, such as ParetoSearch, CostSensitiveOrdinalClassifier or OrdinalStacking"
        )

    __sklearn_clone__ = (
        fit  # fail on cloning: a failed fit in cross-validation would only warn
    )

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags  # slow

        target = TargetTags(required=True)
        return Tags(
            estimator_type="classifier",
            target_tags=target,
            classifier_tags=ClassifierTags(),
        )
