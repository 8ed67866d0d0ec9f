"""Fitted conditions on features; they do not import scikit-learn, which is slow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import msgspec
import numpy as np
import pandas as pd
from msgspec import Struct
from numpy.typing import NDArray

from moselect._types import Floats
from moselect.preprocessing.terms import Curve, Term
from moselect.samples.features import feature_matrix


class Condition(Struct, frozen=True, array_like=True):
    """The condition that a feature exceeds a split point."""

    feature: str
    above: float


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions as plain values that JSON can hold."""

    columns: Literal["conditions"]
    features: list[str]
    conditions: list[Condition]


class FittedConditions:
    """Binary conditions, whether a feature exceeds a split point."""

    conditions_: list[Condition]
    feature_names_in_: NDArray[np.object_]
    document_name = "conditions"

    def transform(self, X: pd.DataFrame) -> Floats:
        """Evaluate the conditions for each sample, as 0 and 1, shape (n, q)."""
        names = [condition.feature for condition in self.conditions_]
        split_points = [condition.above for condition in self.conditions_]
        return (feature_matrix(X, names) > split_points).astype(np.float64)

    def get_feature_names_out(
        self, input_features: Sequence[str] | None = None
    ) -> NDArray[np.object_]:
        """Return the conditions as text, shape (q,)."""
        return np.array(
            [f"{c.feature} > {c.above:.15g}" for c in self.conditions_], object
        )

    @property
    def summary(self) -> str:
        """Description of the transformation, a sentence."""
        return f"Features become {len(self.conditions_)} conditions, met (1) or not (0)."

    def terms(self, features: tuple[Term, ...]) -> tuple[Term, ...]:
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

    def to_document(self) -> dict[str, Any]:
        """Return the conditions as plain values that JSON can hold."""
        document = _Document("conditions", list(self.feature_names_in_), self.conditions_)
        return dict(msgspec.to_builtins(document))

    @classmethod
    def from_document(cls, document: Mapping[str, object]) -> Self:
        """Return the columns that a document describes; nothing in it is executed."""
        read = msgspec.convert(document, _Document)
        return cls()._take(read.features, read.conditions)

    def _take(self, features: Sequence[str], conditions: list[Condition]) -> Self:
        self.feature_names_in_ = np.array(features, dtype=object)
        self.conditions_ = conditions
        return self
