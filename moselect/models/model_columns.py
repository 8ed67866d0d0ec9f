"""`ModelColumns`: expected ranks predicted by several models as features."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.model_selection import PredefinedSplit
from sklearn.utils.validation import check_is_fitted, validate_data

from moselect._types import Directions, Floats, Integers, LabelOrder, RandomState
from moselect.operators.feature_graph import Arrays, FeatureGraph
from moselect.preprocessing.fitted_model_columns import FittedModelColumns
from moselect.preprocessing.steps import MODEL_COLUMNS
from moselect.samples.features import signs_of
from moselect.samples.validation import check_unmasked

Names = NDArray[np.object_]


class ModelColumns(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Transform features into the expected ranks predicted by several models.

    ``fit_transform`` returns out-of-fold predictions; ``transform`` predicts new samples by
    models fitted to all training samples. As with `sklearn.preprocessing.TargetEncoder`,
    ``fit(X, y).transform(X)`` therefore differs from ``fit_transform(X, y)`` and must not
    be used for training: models trained on it cost up to 40 % more out of sample.

    Parameters
    ----------
    models, monotone, cv, n_jobs, random_state, labels
        As in `OrdinalStacking`. With ``cv=PredefinedSplit(folds)`` the models are
        cross-fitted in the given folds, so that evaluation of a fold stays out of sample.

    Attributes
    ----------
    stacking_ : OrdinalStacking
        The fitted models.
    folds_ : ndarray of shape (n,)
        Fold of each sample.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> from moselect.datasets import load_boston
    >>> X, y = load_boston()
    >>> X = X[["RM", "LSTAT"]]
    >>> columns = ModelColumns(["proportional_odds", "splines"], random_state=1)
    >>> ranks = columns.fit_transform(X, y)
    >>> ranks.shape, columns.get_feature_names_out().tolist()
    ((506, 2), ['proportional_odds', 'splines'])
    """

    document_name = MODEL_COLUMNS

    def __init__(
        self,
        models: object = None,
        *,
        monotone: Directions = None,
        cv: object = 5,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        labels: LabelOrder = None,
    ) -> None:
        self.models = models
        self.monotone = monotone
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.labels = labels

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        *,
        folds: Integers | None = None,
        fold_features: Sequence[Floats] | None = None,
    ) -> Self:
        """Fit the models to all samples and out of fold, as `OrdinalStacking.fit` does.

        ``folds`` (n,), the fold of each sample, replace ``cv``.
        """
        check_unmasked("X", X)
        values = validate_data(self, X, dtype=np.float64)
        from moselect.models import OrdinalStacking

        stacking = OrdinalStacking(**self.get_params(deep=False))
        names = getattr(self, "feature_names_in_", None)
        if isinstance(self.monotone, Mapping):  # columns may be left out in a fold
            signs = signs_of(self.monotone, names, values.shape[1])
            stacking.set_params(monotone=signs if signs.any() else None)
        if folds is not None:
            stacking.set_params(cv=PredefinedSplit(folds))
        self.stacking_ = stacking.fit(
            values, y, sample_weight, groups, fold_features=fold_features
        )
        self.folds_ = self.stacking_.folds_
        return self

    def fit_transform(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Floats:
        """Fit the models; return out-of-fold expected ranks 1 .. r, shape (n, B)."""
        return self.fit(X, y, sample_weight, groups).stacking_.oof_ranks_

    def transform(self, X: ArrayLike) -> Floats:
        """Compute the expected ranks 1 .. r of new samples, shape (n, B)."""
        check_is_fitted(self)
        check_unmasked("X", X)
        return self.stacking_.expected_ranks(
            validate_data(self, X, dtype=np.float64, reset=False)
        )

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> Names:
        """Return the names of the models, shape (B,)."""
        check_is_fitted(self)
        return np.array(self.stacking_.model_names_, dtype=object)

    def frozen(self) -> FittedModelColumns:
        """Return the fitted columns as a graph; ValueError for models of one's own."""
        graph = FeatureGraph.of(self.stacking_.rank_operators, self.n_features_in_)
        names = getattr(self, "feature_names_in_", None)
        return FittedModelColumns(self.stacking_.model_names_, graph, names)

    @property
    def column_signs_(self) -> Integers:
        """Sign of each score's weight that keeps the directions, 0 for any, shape (B,)."""
        sign = int(self.monotone is not None)
        return np.full(len(self.stacking_.model_names_), sign, dtype=np.int64)

    def to_document(self) -> dict[str, Any]:
        """Serialise as plain values, except the arrays of the graph."""
        return self.frozen().to_document()

    @property
    def arrays(self) -> Arrays:
        """Arrays of the graph."""
        return self.frozen().arrays

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
