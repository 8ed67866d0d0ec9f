"""`ConditionColumns`: binary features, whether a number exceeds a round split point.

It does not import scikit-learn, which is slow.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, Self

import msgspec
import numpy as np
import pandas as pd
from msgspec import Struct
from numpy.typing import ArrayLike

from moselect._types import Floats, Labels, Table
from moselect.preprocessing.columns import Columns
from moselect.preprocessing.number_columns import FEWEST_ROWS
from moselect.preprocessing.terms import Curve, Term
from moselect.tables.features import feature_matrix
from moselect.validation import weights_or_ones


class Condition(Struct, frozen=True, array_like=True):
    """The condition that a feature exceeds a split point."""

    feature: str
    above: float


class ConditionsDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions as plain values that JSON can hold."""

    columns: Literal["conditions"]
    features: list[str]
    conditions: list[Condition]


# Each side of a split point has at least 5 samples, or a tenth of a smaller data
# set.
PARTS_OF_FEW_ROWS = 10


class ConditionColumns(Columns):
    """Transform features into binary conditions: 1 above a split point, else 0.

    A feature with at most 20 different values has a split point between each two of them,
    others have 19 at approximate quantiles. Each split point is the roundest number
    between its neighbours: 60, not 61.37.

    Attributes
    ----------
    conditions_ : list of Condition
        The ``feature`` and the split point ``above``, in the order of the columns.
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

    conditions_: list[Condition]
    feature_names_in_: Labels
    document_name = "conditions"

    def fit(
        self,
        X: pd.DataFrame,
        y: ArrayLike | None = None,
        sample_weight: Floats | None = None,
    ) -> Self:
        """Choose the split points of finite features (n, p), with positive weights (n,)."""
        values = feature_matrix(X)
        weights = weights_or_ones(sample_weight, len(values))
        least = min(FEWEST_ROWS, weights.sum() / PARTS_OF_FEW_ROWS)
        conditions = [
            Condition(str(name), cut)
            for name, column in zip(X.columns, values.T, strict=True)
            for cut in _place_split_points(column, weights)
            if least <= weights[column > cut].sum() <= weights.sum() - least
        ]
        return self._take(list(X.columns), conditions)

    def transform(self, X: Table) -> Floats:
        """Evaluate the conditions for each sample, as 0 and 1, shape (n, q)."""
        names = [condition.feature for condition in self.conditions_]
        split_points = [condition.above for condition in self.conditions_]
        return (feature_matrix(X, names) > split_points).astype(float)

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> Labels:
        """Return the conditions as text, shape (q,)."""
        return np.array(
            [f"{c.feature} > {c.above:.15g}" for c in self.conditions_], object
        )

    @property
    def summary(self) -> str:
        """Description of the transformation, a sentence."""
        return f"Features become {len(self.conditions_)} conditions, met (1) or not (0)."

    def terms(self, features: tuple[Term, ...] = ()) -> tuple[Term, ...]:
        """Return the output columns as formulas, given the formulas of the features."""
        by_name = dict(zip(self.feature_names_in_, features, strict=True))
        # A piece includes its break, and x > cut excludes the cut: begin at the next number.
        return tuple(
            Curve(
                by_name[condition.feature],
                (float(np.nextafter(condition.above, np.inf)),),
                (0.0, 0.0),
                ((0.0,), (1.0,)),
            )
            for condition in self.conditions_
        )

    def to_document(self) -> ConditionsDocument:
        """Serialise the conditions."""
        return ConditionsDocument(
            "conditions", list(self.feature_names_in_), self.conditions_
        )

    @classmethod
    def from_document(cls, document: object) -> Self:
        """Return the columns that a document describes; nothing in it is executed."""
        read = msgspec.convert(document, ConditionsDocument)
        return cls()._take(read.features, read.conditions)

    def _take(self, features: Sequence[str], conditions: list[Condition]) -> Self:
        self.feature_names_in_ = np.array(features, object)
        self.conditions_ = conditions
        return self


def roundest(low: float, high: float) -> float:
    """Return the number of fewest digits in ``[low, high)``.

    Of the steps ..., 10, 5, 2, 1, 0.5, ... the largest that has a multiple in the interval
    is taken, and its highest multiple there is returned.

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
            # Divided by whole powers of ten, the quotient is the double nearest to the
            # decimal.
            up = digit * 10.0 ** max(power, 0)
            down = 10.0 ** max(-power, 0)
            multiple = float((np.ceil(high * down / up) - 1.0) * up / down)
            if low <= multiple < high:
                return multiple
        power -= 1
    return low


# split points of a feature that has more values than that
N_SPLIT_POINTS = 19


def _place_split_points(column: Floats, weights: Floats) -> list[float]:
    """Return round split points of one feature, ascending."""
    ends = np.unique(column)
    if len(ends) > N_SPLIT_POINTS + 1:
        # Each split point lies between the medians of neighbouring quantile bins.
        levels = (np.arange(N_SPLIT_POINTS + 1) + 0.5) / (N_SPLIT_POINTS + 1)
        ends = np.unique(
            np.quantile(column, levels, weights=weights, method="inverted_cdf")
        )
    return sorted({roundest(low, high) for low, high in pairwise(ends)})
