"""What moves the answer of a kind of model, and what matters to it on new data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.columns.cells import as_frame
from moselect.decision.differences import standard_errors
from moselect.decision.effects import accumulated_effects, as_in, grid_of
from moselect.folds import Folds
from moselect.metrics.probability import least_expected_cost
from moselect.samples import Samples

N_SHUFFLES = 5
MOST_ROWS = 1_000  # of which effects are the mean
RANK, ERROR = "expected rank", "standard error"


@dataclass(frozen=True, eq=False)
class Explanation:
    """What moves the answer of a kind of model, and what matters to it.

    Attributes
    ----------
    kind : str
        The kind of model.
    effects : DataFrame
        Accumulated local effects (Apley & Zhu 2020) on the training rows, one row a
        feature and value: ``feature``; ``value``, a number, for dates in days since 1970,
        for times in seconds; the ``level`` of a category; the effect on the ``expected
        rank``, and on the probability of each class ``or above``, as differences from the
        mean of all rows; and the ``standard error`` of the first, by the jackknife over
        the folds.
    importance : DataFrame
        One row a feature, that which matters most first: what a row costs more as new
        data (``loss``) if the feature is permuted within the fold, and its ``standard
        error``.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> search.explain(search.select(class_costs=[1, 1, 1, 5, 5], kind="curves"))
    <Explanation: curves; most: RM, LSTAT, DIS>
    """

    kind: str
    effects: pd.DataFrame
    importance: pd.DataFrame

    def __repr__(self) -> str:
        most = ", ".join(map(str, self.importance.index[:3]))
        return f"<Explanation: {self.kind}; most: {most}>"


def explain(
    kind: str,
    model: Any,
    without: Sequence[Any],
    samples: Samples,
    folds: Folds,
    costs: Floats,
) -> Explanation:
    """Explain a kind of model, fitted to all samples, and whole without each fold.

    The models give probabilities of class codes. ``costs`` (r, r) are those by which
    classes are called.
    """
    table = as_frame(samples.X)
    says = [partial(_says, each, samples.X) for each in (model, *without)]
    inside = [np.arange(len(samples)), *(train for train, _ in folds)]
    drawn = [_share(samples, rows) for rows in inside]
    ranks = _tails_of(says[0], table).sum(axis=1)
    effects = list[pd.DataFrame]()
    for name in map(str, table):
        grid = grid_of(table[name], ranks)
        if grid is not None:
            curves = [
                accumulated_effects(partial(_tails_of, model), table, name, grid, weights)
                for model, weights in zip(says, drawn, strict=True)
            ]
            part = pd.DataFrame(
                {"feature": name, "value": grid.places, "level": grid.labels}
            )
            part[RANK] = curves[0].sum(axis=1)
            of_folds = np.stack([curve.sum(axis=1) for curve in curves[1:]])
            k = len(of_folds)  # the jackknife
            part[ERROR] = np.sqrt(
                (k - 1) / k * ((of_folds - of_folds.mean(0)) ** 2).sum(0)
            )
            above = [f"{label} or above" for label in samples.classes[1:].tolist()]
            part[above] = curves[0]
            effects.append(part)
    importance = importance_of(without, samples, folds, costs)
    by_loss = {name: place for place, name in enumerate(importance.index)}
    effects.sort(key=lambda part: by_loss[part["feature"][0]])
    joined = pd.concat(effects, ignore_index=True) if effects else pd.DataFrame()
    return Explanation(kind, joined, importance)


def importance_of(
    models: Sequence[Any], samples: Samples, folds: Folds, costs: Floats
) -> pd.DataFrame:
    """Return what matters on new data, as `Explanation` has it, of models without each fold."""
    table, rng = as_frame(samples.X), np.random.default_rng(0)
    tests = [test for _, test in folds]
    tested = samples.take(folds.held_out)

    def paid(fold: int, rows: pd.DataFrame) -> Floats:
        """Return what the rows of a fold, perhaps several times over, cost by its model."""
        truth = np.resize(costs[samples.codes[tests[fold]]], (len(rows), len(costs)))
        called = least_expected_cost(_says(models[fold], samples.X, rows), costs)
        return np.asarray(np.take_along_axis(truth, called[:, None], axis=1)[:, 0])

    known = [paid(fold, table.iloc[test]) for fold, test in enumerate(tests)]

    def loss_without(name: str) -> tuple[float, float]:
        """Return what a row costs more if a column is permuted within its fold, and the error."""
        more = np.zeros(len(samples))
        for fold, test in enumerate(tests):
            rows = table.iloc[test]
            # One call for all shuffles: calls take longer than rows.
            orders = np.concatenate(
                [rng.permutation(len(rows)) for _ in range(N_SHUFFLES)]
            )
            shuffled = pd.concat([rows] * N_SHUFFLES, ignore_index=True)
            shuffled[name] = as_in(rows[name], rows[name].to_numpy()[orders])
            more[test] = (
                paid(fold, shuffled).reshape(N_SHUFFLES, -1).mean(axis=0) - known[fold]
            )
        more = more[folds.held_out]
        mean = float(np.average(more, weights=tested.each_weight))
        return mean, float(standard_errors(tested.of_units(more - mean)))

    loss = {name: loss_without(name) for name in map(str, table)}
    importance = pd.DataFrame.from_dict(loss, orient="index", columns=["loss", ERROR])
    return importance.sort_values("loss", ascending=False, kind="stable")


def _says(model: Any, X: Any, rows: pd.DataFrame) -> Floats:
    """Return the class probabilities (n, r) of rows of a table, or of an array like X."""
    return np.asarray(
        model.predict_proba(rows if hasattr(X, "columns") else rows.to_numpy())
    )


def _tails_of(says: Callable[[pd.DataFrame], Floats], rows: pd.DataFrame) -> Floats:
    """Return the probabilities (n, r - 1) of each class but the lowest, or above."""
    proba = says(rows)
    return np.asarray(proba[:, :0:-1].cumsum(axis=1)[:, ::-1])


def _share(samples: Samples, rows: Integers) -> Floats:
    """Return the weights (n,) of at most 1,000 of some rows, 0 of all others."""
    weights = np.zeros(len(samples))
    drawn = np.random.default_rng(0).permutation(rows)[:MOST_ROWS]
    weights[drawn] = samples.each_weight[drawn]
    return weights
