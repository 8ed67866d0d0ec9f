"""`ConditionColumns`: yes or no, whether a number is above a round cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, Self

import msgspec
import numpy as np
import pandas as pd
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from moselect._types import Floats
from moselect.columns.number_columns import FEWEST_ROWS
from moselect.features import feature_matrix
from moselect.models.terms import Curve, Term

N_CUTS = 19  # of a feature that has more values than that
# a share of one in so many samples is enough on each side, if it is less than 5
SMALL = 10


class Condition(Struct, frozen=True, array_like=True):
    """Whether a feature is above a cut."""

    feature: str
    above: float


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions as plain values that JSON can hold."""

    columns: Literal["conditions"]
    features: list[str]
    conditions: list[Condition]


class ConditionColumns(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Transform features into conditions: 1 where a feature is above a cut, else 0.

    A feature with at most 20 different values has a cut between each two of them, others
    19 at about equal shares of the samples. Each cut is the roundest number between its
    neighbours: 60, and not 61.37.

    Attributes
    ----------
    conditions_ : list of Condition
        The ``feature`` and what it is ``above``, in the order of the columns.
    feature_names_in_ : ndarray of str
        Names of the features.

    Examples
    --------
    >>> X = pd.DataFrame({"age": [31.5, 44.2, 47.9, 62.0], "smoker": [0, 1, 0, 0]})
    >>> columns = ConditionColumns().fit(X)
    >>> columns.get_feature_names_out().tolist()
    ['age > 40', 'age > 45', 'age > 50', 'smoker > 0']
    >>> columns.transform(X)[1].tolist()
    [1.0, 0.0, 0.0, 1.0]
    """

    document_name = "conditions"

    def fit(
        self,
        X: pd.DataFrame,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Place the cuts of finite features (n, p), with positive weights (n,)."""
        values = feature_matrix(X)
        weights = np.ones(len(values))
        if sample_weight is not None:
            weights = np.asarray(sample_weight)
        least = min(FEWEST_ROWS, weights.sum() / SMALL)
        conditions = [
            Condition(str(name), cut)
            for name, column in zip(X.columns, values.T, strict=True)
            for cut in _place_cuts(column, weights)
            if least <= weights[column > cut].sum() <= weights.sum() - least
        ]
        return self._take(list(X.columns), conditions)

    def transform(self, X: pd.DataFrame) -> Floats:
        """Return which conditions each sample meets, as 0 and 1, shape (n, q)."""
        names = [condition.feature for condition in self.conditions_]
        cuts = [condition.above for condition in self.conditions_]
        return (feature_matrix(X, names) > cuts).astype(np.float64)

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> NDArray[np.object_]:
        """Return the conditions in words, shape (q,)."""
        return np.array(
            [f"{c.feature} > {c.above:.15g}" for c in self.conditions_], object
        )

    @property
    def summary(self) -> str:
        """What is done to the features, in a sentence."""
        return f"Features become {len(self.conditions_)} conditions, met (1) or not (0)."

    def terms(self, features: tuple[Term, ...]) -> tuple[Term, ...]:
        """Return the columns as formulas, of those of the features."""
        by_name = dict(zip(self.feature_names_in_, features, strict=True))
        # A piece holds from its break on; above a cut is from the next number on.
        return tuple(
            Curve(
                by_name[condition.feature],
                (float(np.nextafter(condition.above, np.inf)),),
                (0.0, 0.0),
                ((0.0,), (1.0,)),
            )
            for condition in self.conditions_
        )

    def to_document(self) -> dict[str, Any]:
        """Return the conditions as plain values that JSON can hold."""
        document = _Document("conditions", list(self.feature_names_in_), self.conditions_)
        return dict(msgspec.to_builtins(document))

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Return the columns that a document describes; nothing in it is executed."""
        read = msgspec.convert(document, _Document)
        return cls()._take(read.features, read.conditions)

    def _take(self, features: Sequence[str], conditions: list[Condition]) -> Self:
        self.feature_names_in_ = np.array(features, dtype=object)
        self.conditions_ = conditions
        return self


def roundest(low: float, high: float) -> float:
    """Return the number of fewest digits in ``[low, high)``.

    That is the highest multiple in there of the largest of ..., 10, 5, 2, 1, 0.5, ...
    that has one.

    Examples
    --------
    >>> roundest(57.2, 61.9), roundest(0.0123, 0.0188), roundest(-3.0, 8.0)
    (60.0, 0.015, 0.0)
    """
    if low <= 0.0 < high:
        return 0.0
    largest = max(abs(low), abs(high))
    power = int(np.floor(np.log10(largest)))
    while 10.0**power >= np.spacing(largest):
        for digit in (5.0, 2.0, 1.0):
            # Divided by whole powers of ten, the quotient is the double nearest to the decimal.
            up, down = digit * 10.0 ** max(power, 0), 10.0 ** max(-power, 0)
            multiple = float((np.ceil(high * down / up) - 1.0) * up / down)
            if low <= multiple < high:
                return multiple
        power -= 1
    return low


def _place_cuts(column: Floats, weights: Floats) -> list[float]:
    """Return round cuts of one feature, ascending."""
    ends = np.unique(column)
    if len(ends) > N_CUTS + 1:
        # From the middle of each share of the samples to that of the next one.
        levels = (np.arange(N_CUTS + 1) + 0.5) / (N_CUTS + 1)
        ends = np.unique(
            np.quantile(column, levels, weights=weights, method="inverted_cdf")
        )
    return sorted({roundest(low, high) for low, high in pairwise(ends)})
