"""What moves the answer of a kind of model, and what matters to it on new data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.columns.cells import as_frame
from moselect.decision.differences import standard_errors
from moselect.decision.effects import accumulated_effects, as_in, grid_of
from moselect.folds import Folds
from moselect.samples import Samples

N_SHUFFLES = 5
MOST_ROWS = 1_000  # of which effects are the mean
RANK = "expected rank"


@dataclass(frozen=True, eq=False)
class Explanation:
    """What moves the answer of a kind of model, and what matters to it.

    Attributes
    ----------
    kind : str
        The kind of model.
    effects : DataFrame
        Accumulated local effects (Apley & Zhu 2020) on the training rows, one row a feature and
        value: ``feature``; ``value``, a number, for dates in days since 1970, for times in seconds;
        the ``level`` of a category; the effect on the ``expected rank``, and on the probability of
        each class ``or above``, as differences from the mean of all rows; and the ``standard
        error`` of the first, by the jackknife over the folds.
    importance : DataFrame
        One row a feature, that which matters most first: what a row costs more as new data
        (``loss``) if the feature is permuted within the fold, and its ``standard error``.

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
    kind: str, fit: Callable[[Samples], Any], samples: Samples, folds: Folds, costs: Floats
) -> Explanation:
    """Explain a kind of model; ``fit`` gives one with class probabilities for class codes.

    It is fitted to all samples, and whole without each fold. ``costs`` (r, r) are those by which
    classes are called.
    """
    table, rng = as_frame(samples.X), np.random.default_rng(0)
    models = [fit(samples), *(fit(samples.take(train)) for train, _ in folds)]
    tails = [_tails(model, samples.X) for model in models]
    inside = [np.arange(len(samples)), *(train for train, _ in folds)]
    ranks = tails[0](table).sum(axis=1)
    judges = [
        _Judge.of(says, table.iloc[test], costs[samples.codes[test]], costs)
        for says, (_, test) in zip(tails[1:], folds, strict=True)
    ]
    effects, loss = list[pd.DataFrame](), {}
    for name in map(str, table):
        grid = grid_of(table[name], ranks)
        if grid is not None:
            curves = [
                accumulated_effects(says, table, name, grid, _share(samples, rows))
                for says, rows in zip(tails, inside, strict=True)
            ]
            part = pd.DataFrame({"feature": name, "value": grid.places, "level": grid.labels})
            part[RANK] = curves[0].sum(axis=1)
            each = np.stack([curve.sum(axis=1) for curve in curves[1:]])
            k = len(each)
            part["standard error"] = np.sqrt((k - 1) / k * ((each - each.mean(0)) ** 2).sum(0))
            for code, label in enumerate(samples.classes[1:].tolist()):
                part[f"{label} or above"] = curves[0][:, code]
            effects.append(part)
        loss[name] = _loss(name, judges, table, samples, folds, rng)
    importance = pd.DataFrame.from_dict(loss, orient="index", columns=["loss", "standard error"])
    importance = importance.sort_values("loss", ascending=False, kind="stable")
    if effects:
        joined = pd.concat(effects, ignore_index=True)
        order = {name: place for place, name in enumerate(importance.index)}
        joined = joined.sort_values("feature", key=lambda of: of.map(order), kind="stable")
        return Explanation(kind, joined.reset_index(drop=True), importance)
    return Explanation(kind, pd.DataFrame(), importance)


def _tails(model: Any, X: Any) -> Callable[[pd.DataFrame], Floats]:
    """Return what gives the probabilities (n, r - 1) of each class but the lowest, or above."""

    def says(rows: pd.DataFrame) -> Floats:
        proba = model.predict_proba(rows if hasattr(X, "columns") else rows.to_numpy())
        return np.asarray(proba[:, :0:-1].cumsum(axis=1)[:, ::-1])

    return says


def _share(samples: Samples, rows: Integers) -> Floats:
    """Return the weights (n,) of at most 1,000 of some rows, 0 of all others."""
    weights = np.zeros(len(samples))
    drawn = np.random.default_rng(0).permutation(rows)[:MOST_ROWS]
    weights[drawn] = samples.each_weight[drawn]
    return weights


class _Judge(NamedTuple):
    """A model without a fold, and what the rows of the fold cost by it."""

    paid: Callable[[pd.DataFrame], Floats]  # for the same rows, of which a column is permuted
    known: Floats

    @classmethod
    def of(
        cls,
        says: Callable[[pd.DataFrame], Floats],
        rows: pd.DataFrame,
        truth: Floats,
        costs: Floats,
    ) -> _Judge:
        """Judge rows (m, p) whose true classes cost ``truth`` (m, r)."""

        def paid(part: pd.DataFrame) -> Floats:
            tail = says(part)
            ones, zeros = np.ones((len(tail), 1)), np.zeros((len(tail), 1))
            proba = np.hstack([ones, tail]) - np.hstack([tail, zeros])
            return np.asarray(truth[np.arange(len(tail)), (proba @ costs).argmin(axis=1)])

        return cls(paid, paid(rows))


def _loss(
    name: str,
    judges: list[_Judge],
    table: pd.DataFrame,
    samples: Samples,
    folds: Folds,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Return what a row costs more if a column is permuted within its fold, and the error."""
    tested = samples.take(folds.held_out)
    more = np.zeros(len(samples))
    for judge, (_, test) in zip(judges, folds, strict=True):
        rows = table.iloc[test]
        for _ in range(N_SHUFFLES):
            cells = rows[name].to_numpy()[rng.permutation(len(rows))]
            shuffled = rows.assign(**{name: as_in(rows[name], cells)})
            more[test] += (judge.paid(shuffled) - judge.known) / N_SHUFFLES
    more = more[folds.held_out]
    mean = float(np.average(more, weights=tested.each_weight))
    return mean, float(standard_errors(tested.of_units(more - mean)))
