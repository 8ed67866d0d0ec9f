"""`ModelColumns`: expected ranks predicted by several models as features."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from moselect._types import Floats, Integers
from moselect.models.ensemble.ordinal_stacking import OrdinalStacking
from moselect.operators.feature_graph import Arrays, FeatureGraph
from moselect.operators.graph import Result, concatenated
from moselect.preprocessing.columns import Columns
from moselect.preprocessing.graph_columns import MODEL_COLUMNS, GraphColumns
from moselect.samples.training import features_to_predict
from moselect.tables.features import signs_of


class ModelColumns(TransformerMixin, OrdinalStacking, Columns):  # type: ignore[misc]
    """Transform features into the expected ranks predicted by the members of an ensemble.

    ``fit_transform`` returns out-of-fold predictions; ``transform`` predicts new samples by
    models fitted to all training samples. As with `sklearn.preprocessing.TargetEncoder`,
    ``fit(X, y).transform(X)`` therefore differs from ``fit_transform(X, y)`` and must not
    be used for training: models trained on it cost up to 40 % more out of sample.

    Parameters and attributes are those of `OrdinalStacking`, except that directions of
    features that X lacks do not count.

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
    cross_fitted = True

    @property
    def _signs(self) -> Integers:
        # The preprocessing of a fold may exclude columns that have a direction.
        return signs_of(self.monotone, self.names_in, self.n_features_in_)

    def fit_transform(  # type: ignore[override]
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Floats:
        """Fit the models; return out-of-fold expected ranks 1 .. r, shape (n, B)."""
        return self.fit(X, y, sample_weight, groups).oof_ranks_

    def transform(self, X: ArrayLike) -> Floats:
        """Compute the expected ranks 1 .. r of new samples, shape (n, B)."""
        values = features_to_predict(self, X)
        return np.column_stack(
            [model.expected_ranks(model.predictions(values)) for model in self.models_]
        )

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> NDArray[np.object_]:
        """Return the names of the models, shape (B,)."""
        check_is_fitted(self)
        return np.array(self.model_names_, dtype=object)

    def frozen(self) -> GraphColumns:
        """Return the fitted columns as a graph; ValueError for models of one's own."""

        def ranks(X: Result) -> Result:
            return concatenated([model.rank_operators(X) for model in self.models_])

        graph = FeatureGraph.of(ranks, self.n_features_in_)
        return GraphColumns(self.model_names_, graph, self.names_in)

    @property
    def column_signs_(self) -> Integers:
        """Sign of each score's weight that keeps the directions, 0 for any, shape (B,)."""
        sign = int(self.monotone is not None)
        return np.full(len(self.model_names_), sign, dtype=np.int64)

    def to_document(self) -> dict[str, Any]:
        """Serialise as plain values, except the arrays of the graph."""
        return self.frozen().to_document()

    @property
    def arrays(self) -> Arrays:
        """Arrays of the graph."""
        return self.frozen().arrays
