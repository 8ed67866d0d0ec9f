"""A model written out as terms, weights and thresholds: what every format is written from.

The score of a row is the sum ``0 + w_1 t_1 + w_2 t_2 + ...`` of double-precision numbers, added
in this order. `predict` drops the last few bits of the sum before it compares it with the
thresholds (`moselect._kernels.scores`), which no database or spreadsheet can do. `cuts` therefore
moves each threshold up to the smallest sum that `predict` puts above it: comparing the sum as it is
with the cuts gives the same class for every sum, also at the thresholds.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import inf

from sklearn.base import BaseEstimator

from moselect._kernels.scores import code_bits
from moselect.export.column_terms import column_terms
from moselect.export.terms import Curve, Number, Product, Standardised, Term
from moselect.models import LARGEST, OrdinalLinearClassifier, names_of

Label = bool | int | float | str


@dataclass(frozen=True)
class Formula:
    """A model as terms (p), their weights (p), thresholds (r - 1) and classes (r), lowest first.

    Examples
    --------
    >>> from moselect.export import sql_of
    >>> formula = Formula((Number("speed"),), (2.0,), (3.0,), ("low", "high"))
    >>> formula.columns
    ('speed',)
    >>> "'high'" in sql_of(formula, table="claims")
    True
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    thresholds: tuple[float, ...]
    classes: tuple[Label, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that the terms need, in order, each once."""
        found: dict[str, None] = {}
        for term in self.terms:
            found |= dict.fromkeys(_columns(term))
        return tuple(found)

    @property
    def bits_dropped(self) -> int:
        """Bits that `predict` drops from the end of a score."""
        return code_bits(len(self.classes))

    @property
    def cuts(self) -> tuple[float, ...]:
        """Smallest sums (r - 1) that lie above the thresholds once their last bits are dropped."""
        return tuple(_cut(threshold, self.bits_dropped) for threshold in self.thresholds)


def formula_of(model: BaseEstimator) -> Formula:
    """Return a model as a formula. This is the one place that knows kinds of models.

    Raises
    ------
    ValueError
        If the model is no formula of its columns (a pool, dates), or its numbers are too large to
        write down.

    Examples
    --------
    >>> from moselect.models import OrdinalLinearClassifier
    >>> model = OrdinalLinearClassifier([1.0, 2.0], [0.5, 3.0], ["low", "mid", "high"], ["a", "b"])
    >>> formula_of(model).thresholds
    (0.5, 3.0)
    """
    if not isinstance(model, OrdinalLinearClassifier):
        raise ValueError(
            f"{type(model).__name__} cannot be written down as a formula: its prediction is not "
            "one weighted sum of columns with thresholds; select a linear model to export"
        )
    weights, thresholds = model.coef_.tolist(), model.thresholds_.tolist()
    if any(abs(number) > LARGEST for number in (*weights, *thresholds)):
        raise ValueError(f"a weight or threshold is larger than {LARGEST:g}: rescale the features")
    if model.columns is None:
        terms: tuple[Term, ...] = tuple(Number(name) for name in names_of(model))
    else:
        terms = column_terms(model.columns)
    return Formula(
        terms=terms,
        weights=tuple(weights),
        thresholds=tuple(thresholds),
        classes=tuple(model.classes_.tolist()),
    )


def _columns(term: Term) -> tuple[str, ...]:
    match term:
        case Product(left, right):
            return _columns(left) + _columns(right)
        case Curve(of) | Standardised(of):
            return _columns(of)
        case _:
            return (term.name,)


def _cut(threshold: float, bits: int) -> float:
    """Find the smallest double that is above the threshold without its last bits, by bisection."""
    low, high = _rank(-inf), _rank(inf)
    while high - low > 1:
        middle = (low + high) // 2
        if _float(_bits(_float_of_rank(middle)) & ~((1 << bits) - 1)) > threshold:
            high = middle
        else:
            low = middle
    return _float_of_rank(high)


def _bits(value: float) -> int:
    return int.from_bytes(struct.pack(">d", value))


def _float(bits: int) -> float:
    return float(struct.unpack(">d", bits.to_bytes(8))[0])


def _rank(value: float) -> int:
    """Integer that orders doubles as their values do."""
    bits = _bits(value)
    return bits if bits < 1 << 63 else (1 << 63) - bits


def _float_of_rank(rank: int) -> float:
    return _float(rank if rank >= 0 else (1 << 63) - rank)
