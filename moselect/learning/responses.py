"""What a model says about samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from moselect._types import Floats, Integers
from moselect.metrics.probability import least_expected_cost


class Responses(NamedTuple):
    """What models say about samples.

    Class codes (n,), scores (n,), probabilities (n, r) if there are any, and those of
    scorecards of 1 to 20 conditions (20, n, r).

    Examples
    --------
    >>> said = Responses.of(np.array([[0.7, 0.3]]))
    >>> said.codes, said.scores, said.decided(np.array([[0.0, 1.0], [5.0, 0.0]])).codes
    (array([0]), array([1.3]), array([1]))
    """

    codes: Integers
    scores: Floats
    proba: Floats | None
    path: Floats | None = None

    @classmethod
    def of(cls, proba: Floats, path: Floats | None = None) -> Self:
        """Return the most probable classes, and expected ranks 1 .. r as scores."""
        ranks = proba @ np.arange(1.0, proba.shape[1] + 1.0)
        return cls(proba.argmax(axis=1), ranks, proba, path)

    @classmethod
    def joined(cls, parts: Sequence[Responses], order: Integers) -> Self:
        """Return what is said about several samples as one, in another order."""
        columns: list[Floats | None] = []
        for name, values in zip(cls._fields, zip(*parts, strict=True), strict=True):
            axis = int(name == "path")
            is_known = all(part is not None for part in values)
            columns.append(
                np.concatenate(values, axis).take(order, axis) if is_known else None
            )
        return cls(*columns)  # type: ignore[arg-type]

    def decided(self, costs: Floats | None) -> Self:
        """Return the same with the classes of least expected cost, if costs are given."""
        if costs is None or self.proba is None:
            return self
        return self._replace(codes=least_expected_cost(self.proba, costs))
