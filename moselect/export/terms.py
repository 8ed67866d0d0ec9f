"""What the score of a model is a weighted sum of: terms of a row's columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A column of numbers; missing values become ``fill``, or leave the row without a class.

    Words in ``gaps``, whatever their case, count as missing values.

    Examples
    --------
    >>> Number("age", fill=40.0).fill
    40.0
    """

    name: str
    fill: float | None = None
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Truth:
    """1 for true, 0 for false, as booleans, numbers or words; missing values become ``fill``.

    Anything else leaves the row without a class.

    Examples
    --------
    >>> Truth("insured", fill=0.0).name
    'insured'
    """

    name: str
    fill: float
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Level:
    """A number for each level of a column of text: 1 for an indicator, or any code.

    Other levels count ``otherwise``, missing values ``missing``. Blanks around a level do not
    count, and cells of blanks are missing.

    Examples
    --------
    >>> Level("vehicle", {"van": 1.0}).otherwise
    0.0
    """

    name: str
    values: Mapping[str, float]
    otherwise: float = 0.0
    missing: float = 0.0


@dataclass(frozen=True)
class Missing:
    """1 where a column has no value, else 0; words in ``gaps`` are no values.

    Examples
    --------
    >>> Missing("age", gaps=("NA",)).gaps
    ('NA',)
    """

    name: str
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Standardised:
    """``(x - centre) / scale`` of a term x.

    Examples
    --------
    >>> Standardised(Number("age"), centre=40.0, scale=10.0).of.name
    'age'
    """

    of: Term
    centre: float
    scale: float


@dataclass(frozen=True)
class Curve:
    """A piecewise polynomial of a term.

    Attributes
    ----------
    of : term
        Its argument x.
    breaks : tuple of float
        Ascending; piece k holds from ``breaks[k - 1]`` (included) up to ``breaks[k]``.
    centres : tuple of float
        One more than breaks: piece k is a polynomial of ``u = x - centres[k]``.
    coefficients : tuple of tuple of float
        Of each piece, highest power first: 4 for a cubic, 2 for a line. It is evaluated as
        ``((c_3 u + c_2) u + c_1) u + c_0``, in this order.

    Examples
    --------
    >>> curve = Curve(Number("age"), (40.0,), (20.0, 40.0), ((0.1, 0.0), (0.0, 2.0)))
    >>> len(curve.coefficients) == len(curve.breaks) + 1
    True
    """

    of: Term
    breaks: tuple[float, ...]
    centres: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Product:
    """The product of two terms.

    Examples
    --------
    >>> Product(Number("age"), Number("dose")).right.name
    'dose'
    """

    left: Term
    right: Term


Term = Number | Truth | Level | Missing | Standardised | Curve | Product
