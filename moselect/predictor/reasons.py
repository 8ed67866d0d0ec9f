"""Contributions to the score of a row, as sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from moselect.listing import in_one_line

N_REASONS = 3


def reasons_of(
    contributions: pd.DataFrame, X: pd.DataFrame, n_reasons: int = N_REASONS
) -> list[str]:
    """Describe the largest contributions to the score of each row, a sentence a row.

    Parameters
    ----------
    contributions : DataFrame of shape (n, m)
        As of `Model.contributions`; ``baseline`` is left out.
    X : DataFrame
        The rows, with their values.
    n_reasons : int, default=3
        Number of contributions; zeros are left out.

    Returns
    -------
    list of str
        Empty for rows without contributions.

    Examples
    --------
    >>> X = pd.DataFrame({"age": [61.0], "sex": ["f"], "pulse": [None]})
    >>> added = pd.DataFrame({"age": [1.25], "sex": [-0.4], "pulse": [0.0], "baseline": [2.0]})
    >>> reasons_of(added, X)
    ['age 61 raises the score by 1.25, sex f lowers it by 0.4']
    """
    parts = contributions.drop(columns="baseline", errors="ignore")
    values = np.nan_to_num(parts.to_numpy(dtype=np.float64))
    order = np.argsort(-np.abs(values), axis=1, kind="stable")[:, :n_reasons]
    sentences = []
    for i, columns in enumerate(order):
        words: list[str] = []
        for j in columns[values[i, columns] != 0.0]:
            name = str(parts.columns[j])
            added = values[i, j]
            cell = _words(X[name].iloc[i]) if name in X else ""
            verb = "raises" if added > 0.0 else "lowers"
            score = "it" if words else "the score"
            subject = f"{in_one_line(name)} {cell}".rstrip()
            words.append(f"{subject} {verb} {score} by {abs(added):.3g}")
        sentences.append(", ".join(words))
    return sentences


def _words(value: Any) -> str:
    """Format a cell: six digits of numbers, one line of text."""
    if pd.isna(value):
        return "(missing)"
    return f"{value:.6g}" if isinstance(value, float) else in_one_line(str(value))
