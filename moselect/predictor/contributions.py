"""Contributions of the columns of a table to the score of any model, and as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers, Table
from moselect.budgets import INSPECTION
from moselect.listing import in_one_line, rounded
from moselect.predictor.scorers import WeightedSum
from moselect.tables.features import with_values

if TYPE_CHECKING:
    from moselect.predictor.model import Model

N_REASONS = 3  # that a reader takes in; contributions of zero are left out
N_ORDERS = 12  # of the columns, for ensembles


def shapley_values(
    score: Callable[[pd.DataFrame], Floats],
    X: pd.DataFrame,
    background: pd.DataFrame,
    n_orders: int | None = None,
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
    n_orders : int, optional
        Orders, each with its reverse and one background row; by default one for each of
        these. Fewer ones, which take less time, estimate only the interactions: the main
        effect of each column is a control variate, whose Shapley values are known.

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
    seed = 0
    rng = np.random.default_rng(seed)
    n, p = X.shape
    m = len(background)
    orders = [rng.permutation(p) for _ in range(n_orders or m)]
    # Each order is taken forwards and backwards, which cancels errors of first order
    # (antithetic).
    paths = [path for order in orders for path in (order, order[::-1])]
    both = pd.concat([background, X], ignore_index=True)

    def scores_of(rows: Integers) -> Floats:
        """Score rows with column j of row ``rows[..., j]``, without main effects."""
        columns = {
            name: both[name].array.take(rows[..., j].ravel())
            for j, name in enumerate(both)
        }
        scores = np.asarray(score(pd.DataFrame(columns))).reshape(rows.shape[:-1])
        # Less the main effects: orders estimate the rest only, which varies less.
        return scores - main[rows, np.arange(p)].sum(axis=-1)

    main = np.zeros((m + n, p))
    if n_orders is not None:
        main = _main_effects(scores_of, both, m)
    own = np.broadcast_to(np.arange(m, m + n)[:, None], (n, p))
    ends = scores_of(own)  # of all paths
    # Main effects against their mean over the background.
    values = main[m:] - main[:m].mean(axis=0)
    baseline = main[:m].mean(axis=0).sum()
    at_once = max(1, INSPECTION.scored_rows // max(1, n * p))
    for first in range(0, len(paths), at_once):
        some = np.array(paths[first : first + at_once])
        # Both directions of an order begin at the same background row.
        other = np.arange(first, first + len(some)) // 2
        starts = scores_of(np.broadcast_to(other[:, None], some.shape))
        step = np.arange(1, p)[:, None, None]
        # Position of each column within the order.
        turn = np.argsort(some)[:, None, None, :]
        # (paths, p - 1, n, p): after so many steps these columns have the row's own values
        rows = np.where(turn < step, own, other[:, None, None, None])
        # A single column has no step between the background row and its own value.
        inner = scores_of(rows) if p > 1 else np.empty(rows.shape[:-1])
        for path, start, path_samples in zip(some, starts, inner, strict=True):
            known = np.vstack([np.full(n, start), path_samples, ends])
            # The change of the score when a column takes its own value, averaged over
            # orders.
            values[:, path] += np.diff(known, axis=0).T / len(paths)
            baseline += float(start) / len(paths)
    return with_baseline(pd.DataFrame(values, X.index, X.columns), baseline)


# Names of the last column of contributions, the second beside a column of the first
BASELINES = ("baseline", "baseline of the score")


def with_baseline(added: pd.DataFrame, baseline: float) -> pd.DataFrame:
    """Return the contributions of columns with the baseline, under a name that none has."""
    name = BASELINES["baseline" in added]
    return with_values(added, {name: baseline})


def _main_effects(
    scores_of: Callable[[Integers], Floats], both: pd.DataFrame, m: int
) -> Floats:
    """Estimate the main effect (m + n, p) of each cell, from values of the background.

    A cell has the effect of the next lower value, of at most 50, so that it does not
    depend on other explained rows.
    """
    effects = np.zeros(both.shape)
    others = np.arange(min(m, INSPECTION.averaged_rows))
    for j, name in enumerate(both):
        cells = both[name]
        if not pd.api.types.is_numeric_dtype(cells.dtype):
            cells = cells.astype(str)
        codes = pd.factorize(cells, sort=True, use_na_sentinel=False)[0]
        distinct, rows = np.unique(codes[:m], return_index=True)
        # Values of the background, evenly spaced in rank.
        few = np.linspace(
            0, len(distinct) - 1, min(len(distinct), INSPECTION.effect_values)
        ).astype(int)
        grid = np.tile(others[:, None], (len(few), 1, len(both.columns)))
        grid[:, :, j] = rows[few][:, None]
        # A value between two of the grid takes the effect of the lower one.
        lower = np.searchsorted(distinct[few], codes, side="right") - 1
        effects[:, j] = scores_of(grid).mean(axis=1)[lower.clip(min=0)]
    return effects


def contributions(
    model: Model, background: pd.DataFrame, X: Table, n_orders: int | None = None
) -> pd.DataFrame:
    """Compute Shapley values of a model's score, as in `Model.contributions`.

    With ``n_orders`` also the values of weighted sums are estimated, as in
    `shapley_values`.
    """
    table = (
        X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X)).add_prefix("x")
    )
    missing = [name for name in background if name not in table]
    if missing:
        raise ValueError(f"X has no column {missing[0]!r}, which the model takes")

    def score(rows: pd.DataFrame) -> Floats:
        return model.decision_function(rows if table is X else rows.to_numpy())

    # Weighted sums are fast, and exact with all orders.
    if not isinstance(model.scorer, WeightedSum):
        n_orders = N_ORDERS
    return shapley_values(score, table[list(background)], background, n_orders)


def reasons_of(contributions: pd.DataFrame, X: pd.DataFrame) -> list[str]:
    """Describe the three largest contributions to the score of each row in a sentence.

    Parameters
    ----------
    contributions : DataFrame of shape (n, m)
        As of `Model.contributions`; ``baseline`` is left out.
    X : DataFrame
        The rows, with their values.

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
    parts = contributions
    if parts.columns[-1:].isin(BASELINES).any():
        parts = parts.iloc[:, :-1]
    values = np.nan_to_num(parts.to_numpy(float))
    order = np.argsort(-np.abs(values), axis=1, kind="stable")[:, :N_REASONS]
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


def points_in_words(points: pd.DataFrame, X: pd.DataFrame) -> list[str]:
    """List the points of each row on a scorecard, the most first, and their sum.

    Parameters
    ----------
    points : DataFrame of shape (n, m)
        Points of each column, and ``baseline``, the points that every case has.
    X : DataFrame
        The rows, with their values.

    Examples
    --------
    >>> X = pd.DataFrame({"speed": [36.0], "age": [None], "sex": ["f"]})
    >>> added = pd.DataFrame({"speed": [3], "age": [1], "sex": [0], "baseline": [-2]})
    >>> points_in_words(added, X)
    ['speed 36: 3 points, age (missing): 1 point, start: -2 points; total 2']
    """
    lists = []
    for row, (_, added) in enumerate(points.iterrows()):
        start = added.iloc[-1]
        most_first = added.iloc[:-1].sort_values(ascending=False, kind="stable")
        words = []
        for name, number in most_first[most_first != 0.0].items():
            cell = ""
            if name in X:
                cell = f" {_words(X[name].iloc[row])}"
            words.append(f"{in_one_line(name)}{cell}: {_points(number)}")
        if start != 0.0:
            words.append(f"start: {_points(start)}")
        total = f"total {added.sum():g}"
        lists.append("; ".join(filter(None, [", ".join(words), total])))
    return lists


def _points(number: float) -> str:
    return "1 point" if number == 1.0 else f"{number:g} points"


def _words(value: str | float | None) -> str:
    """Format a cell: six digits of numbers, one line of text."""
    if pd.isna(value):
        return "(missing)"
    return rounded(value, 6) if isinstance(value, float) else in_one_line(str(value))
