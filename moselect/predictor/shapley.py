"""Shapley values: contributions of the columns of a table to the score of any model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from moselect._types import Floats

if TYPE_CHECKING:
    from moselect.predictor.model import Model

SEED = 0
MOST_SCORED = 20_000  # rows scored in a call, but at least one path


def shapley_values(
    score: Callable[[pd.DataFrame], Floats], X: pd.DataFrame, background: pd.DataFrame
) -> pd.DataFrame:
    """Return Shapley values of the score by column, and the mean score of the background.

    Columns of a background row take the values of the explained row one after the other,
    in a random order; the change of the score at each step is averaged over background
    rows, each with an order and its reverse. Values are exact for sums of terms of one or
    two columns, and a row sums to its score for any model (Strumbelj & Kononenko 2014,
    algorithm 1; antithetic orders: Mitchell et al. 2022).

    Parameters
    ----------
    score : callable
        From a table to scores (n,).
    X : DataFrame of shape (n, p)
        Rows.
    background : DataFrame of shape (m, p)
        Reference rows, with the same columns.

    Returns
    -------
    DataFrame of shape (n, p + 1)
        A column for each of X, and ``baseline``.

    Examples
    --------
    >>> X = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 0.0]})
    >>> shapley_values(lambda rows: rows["a"] * rows["b"], X, X * 0.0).sum(axis=1).tolist()
    [3.0, 0.0]
    """
    rng, (n, p) = np.random.default_rng(SEED), X.shape
    orders = [rng.permutation(p) for _ in range(len(background))]
    paths = [path for order in orders for path in (order, order[::-1])]
    both = pd.concat([background, X], ignore_index=True)
    values, baseline = np.zeros((n, p)), 0.0
    # paths: a few rows take as long as one
    at_once = max(1, MOST_SCORED // max(1, n * (p + 1)))
    for first in range(0, len(paths), at_once):
        some = np.array(paths[first : first + at_once])
        step, turn = np.arange(p + 1)[:, None, None], np.argsort(some)[:, None, None, :]
        row, other = np.arange(n)[:, None], np.arange(first, first + len(some)) // 2
        # (paths, p + 1, n, p): after so many steps these columns have the row's own values
        rows = np.where(turn < step, len(background) + row, other[:, None, None, None])
        columns = {
            name: both[name].array.take(rows[..., j].ravel())
            for j, name in enumerate(both)
        }
        scores = np.asarray(score(pd.DataFrame(columns))).reshape(rows.shape[:3])
        for path, along in zip(some, scores, strict=True):
            values[:, path] += np.diff(along, axis=0).T
            # the same for all rows, if there are any
            baseline += float(along[0, :1].sum())
    values, baseline = values / len(paths), baseline / len(paths)
    return pd.DataFrame(values, X.index, X.columns).assign(baseline=baseline)


def contributions(model: Model, X: Any) -> pd.DataFrame:
    """Return Shapley values of a model's score, as in `Model.contributions`."""
    if model.reference is None:
        raise ValueError(
            "contributions need a selected model, which knows the distribution of its columns"
        )
    table = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).add_prefix("x")
    background = model.reference.background()
    missing = [name for name in background if name not in table]
    if missing:
        raise ValueError(f"X has no column {missing[0]!r}, which the model takes")

    def score(rows: pd.DataFrame) -> Floats:
        return model.decision_function(rows if table is X else rows.to_numpy())

    return shapley_values(score, table[list(background)], background)
