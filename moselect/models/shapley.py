"""What each column of a table adds to the score of a row, for any model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from moselect._types import Floats

SEED = 0


def shapley_values(
    score: Callable[[pd.DataFrame], Floats], X: pd.DataFrame, background: pd.DataFrame
) -> pd.DataFrame:
    """Return Shapley values of the score by column, and the mean score of the background.

    Columns take the values of a row one after the other, in a random order, those of a
    row of the background before; what each changes is averaged over the rows of the
    background, each with an order and its reverse. So it is exact for sums of terms of
    one or two columns, and a row adds up to its score whatever the model (Strumbelj &
    Kononenko 2014, algorithm 1; orders in pairs: Mitchell et al. 2022).

    Parameters
    ----------
    score : callable
        From a table to scores (n,).
    X : DataFrame of shape (n, p)
        Rows.
    background : DataFrame of shape (m, p)
        Rows with which they are compared, the same columns.

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
    rng, p = np.random.default_rng(SEED), X.shape[1]
    orders = [rng.permutation(p) for _ in range(len(background))]
    values, baseline = np.zeros((len(X), p)), 0.0
    for k, order in enumerate(orders):
        start = pd.concat([background.iloc[[k]]] * len(X)).set_axis(X.index)
        for path in (order, order[::-1]):
            scores = _along(score, X, start, path)
            values[:, path] += np.diff(scores, axis=0).T
            baseline += float(scores[0, 0])
    n = 2 * len(orders)
    return pd.DataFrame(values / n, X.index, X.columns).assign(baseline=baseline / n)


def _along(
    score: Callable[[pd.DataFrame], Floats],
    X: pd.DataFrame,
    start: pd.DataFrame,
    path: Any,
) -> Floats:
    """Return the scores (p + 1, n) as columns, along a path, take the values of the rows."""
    steps, now = [start], start
    for j in path:
        now = now.copy()
        now.isetitem(j, X.iloc[:, j])
        steps.append(now)
    return np.asarray(score(pd.concat(steps, ignore_index=True))).reshape(
        len(steps), len(X)
    )
