"""`ConditionColumns`: yes or no, whether a number is above a round cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, Self

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from moselect._types import Booleans, Floats, Integers
from moselect.columns.number_columns import FEWEST_ROWS
from moselect.features import feature_matrix, feature_names
from moselect.models.terms import Curve, Term

N_CUTS = 19  # of a feature that has more values than that
SMALL = 10  # a share of one in so many samples is enough on each side, if it is less than 5


class Condition(Struct, frozen=True, array_like=True):
    """Whether a feature, by its index, is above a cut."""

    feature: int
    above: float


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions as plain values that JSON can hold."""

    columns: Literal["conditions"]
    features: list[str] | None
    n_features: int
    conditions: list[Condition]


class ConditionColumns(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Transform features into conditions: 1 where a feature is above a cut, else 0.

    A feature with at most 20 different values has a cut between each two of them, others 19 at
    about equal shares of the samples. Each cut is the roundest number between its neighbours: 60,
    and not 61.37.

    Attributes
    ----------
    conditions_ : list of Condition
        The ``feature`` (its index) and what it is ``above``, in the order of the columns.
    n_features_in_, feature_names_in_
        Number of features, and their names if X was a DataFrame.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"age": [31.5, 44.2, 47.9, 62.0], "smoker": [0, 1, 0, 0]})
    >>> columns = ConditionColumns().fit(X)
    >>> columns.get_feature_names_out().tolist()
    ['age > 40', 'age > 45', 'age > 50', 'smoker > 0']
    >>> columns.transform(X)[0].tolist()
    [0.0, 0.0, 0.0, 0.0]
    """

    document_name = "conditions"

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Place the cuts of finite features (n, p), with positive weights (n,) of the samples."""
        values = feature_matrix(X)
        weights = np.ones(len(values)) if sample_weight is None else np.asarray(sample_weight)
        least = min(FEWEST_ROWS, weights.sum() / SMALL)
        self.conditions_ = [
            Condition(j, cut)
            for j, column in enumerate(values.T)
            for cut in _place_cuts(column, weights)
            if least <= weights[column > cut].sum() <= weights.sum() - least
        ]
        self.n_features_in_ = values.shape[1]
        names = feature_names(X)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Return which conditions each sample meets, as 0 and 1, shape (n, q)."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        values = feature_matrix(X, names if hasattr(X, "columns") else None, self.n_features_in_)
        return self.met(values).astype(np.float64)

    def met(self, values: Floats) -> Booleans:
        """Return which conditions (n, q) checked features (n, p) meet."""
        features = [condition.feature for condition in self.conditions_]
        return values[:, features] > np.array([condition.above for condition in self.conditions_])

    def take(self, indices: Integers) -> Self:
        """Return the columns of some of the conditions, in the given order."""
        taken = type(self)()
        taken.__dict__ |= vars(self)
        taken.conditions_ = [self.conditions_[k] for k in indices]
        return taken

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> NDArray[np.object_]:
        """Return the conditions in words, shape (q,)."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        words = [f"{names[one.feature]} > {one.above:.15g}" for one in self.conditions_]
        return np.array(words, dtype=object)

    @property
    def summary(self) -> str:
        """What is done to the features, in a sentence."""
        return f"Features become {len(self.conditions_)} conditions, met (1) or not (0)."

    def terms(self, features: tuple[Term, ...]) -> tuple[Term, ...]:
        """Return the columns as formulas, of those of the features."""
        check_is_fitted(self)
        # A piece holds from its break on; above a cut is from the next number on.
        return tuple(
            Curve(
                features[one.feature],
                (float(np.nextafter(one.above, np.inf)),),
                (0.0, 0.0),
                ((0.0,), (1.0,)),
            )
            for one in self.conditions_
        )

    def to_document(self) -> dict[str, Any]:
        """Return the conditions as plain values that JSON can hold."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        document = _Document(
            "conditions",
            None if names is None else list(names),
            self.n_features_in_,
            self.conditions_,
        )
        return dict(msgspec.to_builtins(document))

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Return the columns that a document describes; nothing in it is executed."""
        read = msgspec.convert(document, _Document)
        if not all(0 <= one.feature < read.n_features for one in read.conditions):
            raise ValueError(f"conditions are about features that are not among {read.n_features}")
        columns = cls()
        columns.conditions_, columns.n_features_in_ = read.conditions, read.n_features
        if read.features is not None:
            columns.feature_names_in_ = np.array(read.features, dtype=object)
        return columns


def roundest(low: float, high: float) -> float:
    """Return the number of fewest digits in ``[low, high)``.

    That is the highest multiple in there of the largest of ..., 10, 5, 2, 1, 0.5, ... that has one.

    Examples
    --------
    >>> roundest(57.2, 61.9), roundest(0.0123, 0.0188), roundest(-3.0, 8.0)
    (60.0, 0.015, 0.0)
    """
    if low <= 0.0 < high:
        return 0.0
    power = int(np.floor(np.log10(max(abs(low), abs(high)))))
    while True:
        for digit in (5, 2, 1):
            unit = float(digit)
            # Divided by whole powers of ten, the quotient is the double nearest to the decimal.
            if power >= 0:
                multiple = (np.ceil(high / (unit * 10.0**power)) - 1.0) * unit * 10.0**power
            else:
                multiple = (np.ceil(high * 10.0**-power / unit) - 1.0) * unit / 10.0**-power
            if low <= multiple < high:
                return float(multiple)
        power -= 1
        if 10.0**power < np.spacing(max(abs(low), abs(high))):
            return low


def _place_cuts(column: Floats, weights: Floats) -> list[float]:
    """Return round cuts of one feature, ascending."""
    ends = np.unique(column)
    if len(ends) > N_CUTS + 1:
        # From the middle of each share of the samples to that of the next one.
        levels = (np.arange(N_CUTS + 1) + 0.5) / (N_CUTS + 1)
        ends = np.unique(np.quantile(column, levels, weights=weights, method="inverted_cdf"))
    return sorted({roundest(low, high) for low, high in pairwise(ends)})
