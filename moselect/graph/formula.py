"""Terms, coefficients and thresholds of a model: the common source of all formats.

The score of a row is the sum ``0 + w_1 t_1 + w_2 t_2 + ...`` of double-precision numbers,
added in this order. `predict` drops the last few bits of the sum before it compares it
with the thresholds (`moselect._kernels.scores`), which no database can do.
`Formula.exact_thresholds` therefore moves each threshold up to the smallest sum that
`predict` puts above it: comparing the sum as it is with these gives the same class for
every sum, also at the thresholds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from moselect._kernels import code_bits
from moselect.predictor.model import Model
from moselect.predictor.scorers import WeightedSum
from moselect.preprocessing.terms import Term, leaves

Label = bool | int | float | str


@dataclass(frozen=True)
class Formula:
    """Terms (p), coefficients (p), thresholds (m - 1) and answers (m) of a linear model.

    Answers are the classes, lowest first, with the label of the reject option between
    them where it is in use.
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    thresholds: tuple[float, ...]
    classes: tuple[Label, ...]
    n_classes: int | None = None  # as many as there are labels

    @property
    def columns(self) -> tuple[str, ...]:
        """Distinct input columns of the terms, in order."""
        return tuple(
            dict.fromkeys(leaf.name for term in self.terms for leaf in leaves(term))
        )

    @property
    def exact_thresholds(self) -> tuple[float, ...]:
        """Smallest sums (m - 1) above the thresholds once their last bits are dropped."""
        bits = code_bits(self.n_classes or len(self.classes))
        return tuple(_cut(threshold, bits) for threshold in self.thresholds)


def formula_of(model: Model) -> Formula:
    """Convert a model to a formula, for `sql_of` and other formats.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    Formula

    Raises
    ------
    ValueError
        If the model has no formula of its columns (an ensemble).

    Examples
    --------
    >>> from moselect.predictor import OrdinalLinearClassifier
    >>> classes = ["low", "mid", "high"]
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], classes, ["a", "b"])
    >>> formula_of(model).thresholds
    (0.5, 3.0)
    """
    if not isinstance(model.scorer, WeightedSum):
        raise ValueError(
            f"{model.scorer.name} has no formula, so it cannot be exported as SQL: select "
            "model=linear, or without free text export it as .onnx"
        )
    if model.row_costs is not None:
        raise ValueError(
            "decisions by the costs of each row have no thresholds to export"
        )
    thresholds, codes = model.decision.breakpoints  # type: ignore[union-attr]
    labels = model.answers[codes].tolist()
    if model.referral is not None:
        labels = list(map(str, labels))  # of one type, for SQL
    return Formula(
        terms=model.terms,
        weights=tuple(model.coef_.tolist()),
        thresholds=tuple(thresholds.tolist()),
        classes=tuple(labels),
        n_classes=len(model.classes_),
    )


def _cut(threshold: float, bits: int) -> float:
    """Return the smallest double that is above the threshold without its last bits."""
    mask = (1 << bits) - 1
    size = int(np.float64(abs(threshold)).view(np.int64))
    if threshold >= 0.0:
        return float(np.int64((size | mask) + 1).view(np.float64))
    return -float(np.int64((size - 1) | mask).view(np.float64))
