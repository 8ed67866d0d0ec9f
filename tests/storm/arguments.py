"""Labels, scores and weights in every type and layout in which Python hands them over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import strategies as st

LABELS = ("counts", "spaced", "floats", "halves", "words", "huge", "truths")


@dataclass(frozen=True)
class Samples:
    """Samples as plain lists: class codes, scores and weights."""

    codes: list[int]
    predicted: list[int]
    scores: list[float]
    weights: list[float]

    @property
    def r(self) -> int:
        return 1 + max(self.codes + self.predicted)


@st.composite
def samples(draw: st.DrawFn) -> Samples:
    """Draw a few samples of up to four classes; scores have many ties."""
    r = draw(st.integers(2, 4))
    n = draw(st.integers(r, 14))
    codes = [*range(r), *(draw(st.integers(0, r - 1)) for _ in range(n - r))]
    codes = draw(st.permutations(codes))
    predicted = [draw(st.integers(0, r - 1)) for _ in range(n)]
    scores = [draw(st.integers(-4, 4)) / 2 for _ in range(n)]
    weighted = draw(st.booleans())
    weights = [float(draw(st.integers(1, 5))) if weighted else 1.0 for _ in range(n)]
    return Samples(list(codes), predicted, scores, weights)


def labels_of(kind: str, r: int) -> tuple[list[Any], Any]:
    """Return r labels, lowest first, and the type of an array of them."""
    return {
        "counts": ([k + 1 for k in range(r)], np.int64),
        "spaced": ([10 * k - 7 for k in range(r)], np.int32),
        "floats": ([k / 2 for k in range(r)], np.float32),
        "halves": ([k / 2 for k in range(r)], np.float16),
        "words": (["low", "mid", "$x^{$", "a\rb"][:r], object),
        "huge": ([2**63 + k for k in range(r)], np.uint64),
        "truths": ([False, True][:r], bool) if r == 2 else (list(range(r)), np.uint8),
    }[kind]


def _strided(array: Any) -> Any:
    wide = np.empty(2 * len(array), dtype=array.dtype)
    wide[::2] = array
    return wide[::2]


def _read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


def _odd_index(array: Any) -> Any:
    return pd.Series(array, index=[7] * len(array))


LAYOUTS = {
    "array": lambda a: a,
    "list": lambda a: a.tolist(),
    "tuple": lambda a: tuple(a.tolist()),
    "read-only": _read_only,
    "strided": _strided,
    "backwards": lambda a: a[::-1].copy()[::-1],
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "masked": np.ma.MaskedArray,
    "series": _odd_index,
    "polars": lambda a: pl.Series((a.astype(float) if a.dtype == np.longdouble else a).tolist()),
}
SCORE_TYPES = ("f8", "f4", "f2", "i8", "i1", "Float64", "Int64", "longdouble")


def score_array(scores: list[float], kind: str) -> Any:
    """Return twice the scores, which are whole numbers then, as an array of a type."""
    doubled = np.array(scores) * 2
    if kind in ("Float64", "Int64"):
        return pd.array(doubled, dtype=kind)
    return doubled.astype(kind)


layouts = st.sampled_from(sorted(LAYOUTS))
