"""Model explanation: accumulated local effects and permutation importance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers, record
from moselect.budgets import INSPECTION
from moselect.costs.decisions import least_expected_cost
from moselect.inference.standard_errors import jackknife_errors, standard_errors
from moselect.inspection.group_members import in_one_spelling
from moselect.labels.labels import level_text
from moselect.predictor import Model
from moselect.predictor.score_calibration import probabilities_above
from moselect.preprocessing.terms import SECONDS_OF_DAY
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.tables.cells import as_frame, read_content
from moselect.tables.features import ColumnContent, with_values

RANK = "expected rank"
ERROR = "std_error"

Predict = Callable[[pd.DataFrame], Floats]  # from rows (n, m) to their expected ranks


@record
class Explanation:
    """Accumulated local effects and permutation importance of the features of a model.

    Attributes
    ----------
    candidate : str
        Name of the candidate.
    effects : DataFrame
        Accumulated local effects (Apley & Zhu 2020) on the training rows, one row per
        feature and value. ``feature``; ``value``: a number, for dates in days since 1970,
        for times in seconds; ``level``: of a category; ``expected rank``: effect on the
        expected rank, centred; ``std_error``: of this effect, by the jackknife over
        the folds.
    importance : DataFrame
        Out-of-fold permutation importance, one row per feature, most important first.
        ``loss``: increase in mean cost if the feature is permuted within the test fold;
        ``std_error``: of this increase.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> search.explain(search.select(class_costs=[1, 1, 1, 5, 5], model="additive"))
    <Explanation: additive; most: RM, LSTAT, DIS>
    """

    candidate: str
    effects: pd.DataFrame
    importance: pd.DataFrame

    def __repr__(self) -> str:
        most = ", ".join(map(str, self.importance.index[:3]))
        return f"<Explanation: {self.candidate}; most: {most}>"


def explain(
    candidate: str,
    model: Model,
    fold_models: Sequence[Model],
    samples: Samples,
    folds: Folds,
    costs: Floats,
) -> Explanation:
    """Explain a candidate by its model of all samples and its fold models.

    The models predict probabilities of class codes; ``costs`` (r, r) define their
    decisions.
    """
    # Effects are means over training rows: of all samples, and of each fold.
    models = [model, *fold_models]
    training_rows = [np.arange(len(samples)), *(train for train, _ in folds)]
    effects = list[pd.DataFrame]()
    for name, grid, (effect, *of_folds) in effects_by_model(
        models, samples, training_rows
    ):
        part = {"feature": name, "value": grid.places, "level": grid.labels}
        part |= {RANK: effect, ERROR: jackknife_errors(np.array(of_folds))}
        effects.append(pd.DataFrame(part))
    importance = importance_of(fold_models, samples, folds, costs)
    by_loss = {name: place for place, name in enumerate(importance.index)}
    effects.sort(key=lambda part: by_loss[part["feature"][0]])
    joined = pd.concat(effects, ignore_index=True) if effects else pd.DataFrame()
    return Explanation(candidate, joined, importance)


def effects_by_model(
    models: Sequence[Model],
    samples: Samples,
    training_rows: Sequence[Integers],
) -> Iterator[tuple[str, Grid, list[Floats]]]:
    """Compute the effects (g,) of each column on the expected rank, by model.

    Effects are means over the ``training_rows`` of each model. Levels are in the order of
    the expected rank under the first model.
    """
    table = in_usual_spelling(samples)
    predictors = [partial(expected_ranks, each) for each in models]
    row_weights = [drawn_weights(samples, rows) for rows in training_rows]
    ranks = predictors[0](table)
    for name in map(str, table):
        grid = grid_of(table[name], samples.content_of(name), ranks)
        if grid is not None:
            by_model = [
                accumulated_effects(predict, table, name, grid, weights)
                for predict, weights in zip(predictors, row_weights, strict=True)
            ]
            yield name, grid, by_model


def in_usual_spelling(samples: Samples) -> pd.DataFrame:
    """Return the features as a table, with levels that differ in spelling merged if models do."""
    table = as_frame(samples.X)
    merged = {
        name: in_one_spelling(table[name])
        for name, content in (samples.schema or {}).items()
        if content.content_type == "levels" and not content.as_written
    }
    return with_values(table, merged)


def importance_of(
    models: Sequence[Model], samples: Samples, folds: Folds, costs: Floats
) -> pd.DataFrame:
    """Compute the permutation importance of fold models on their test folds."""
    table = as_frame(samples.X)
    rng = np.random.default_rng(0)
    tests = [test for _, test in folds]
    tested = samples.take(folds.tested)

    def row_costs(fold: int, rows: pd.DataFrame) -> Floats:
        """Compute the cost of rows of a test fold, possibly repeated, under its model."""
        codes = np.resize(samples.codes[tests[fold]], len(rows))
        proba = models[fold].predict_proba(rows)
        return costs[codes, least_expected_cost(proba, costs)]

    unpermuted = [row_costs(fold, table.iloc[test]) for fold, test in enumerate(tests)]

    def loss_without(name: str) -> tuple[float, float]:
        """Compute the mean increase in cost if a column is permuted, and its standard error."""
        increases = np.zeros(len(samples))
        n_shuffles = 2
        for fold, test in enumerate(tests):
            rows = table.iloc[test]
            # One call for all permutations: the overhead of a call exceeds the cost of
            # rows.
            orders = np.concatenate(
                [rng.permutation(len(rows)) for _ in range(n_shuffles)]
            )
            shuffled = pd.concat([rows] * n_shuffles, ignore_index=True)
            shuffled[name] = rows[name].iloc[orders].array
            increases[test] = (
                row_costs(fold, shuffled).reshape(n_shuffles, -1).mean(axis=0)
                - unpermuted[fold]
            )
        increases = increases[folds.tested]
        mean = np.average(increases, weights=tested.sample_weight_or_ones)
        return mean, float(standard_errors(tested.sum_by_cluster(increases - mean)))

    loss = {name: loss_without(name) for name in map(str, table)}
    importance = pd.DataFrame.from_dict(loss, orient="index", columns=["loss", ERROR])
    return importance.sort_values("loss", ascending=False, kind="stable")


def expected_ranks(model: Model, rows: pd.DataFrame) -> Floats:
    """Predict the expected rank (n,) of rows, from 0."""
    return probabilities_above(model.predict_proba(rows)).sum(axis=1)


def drawn_weights(samples: Samples, rows: Integers) -> Floats:
    """Draw at most 1,000 of some rows; return their weights, 0 for all others (n,)."""
    weights = np.zeros(len(samples))
    drawn = np.random.default_rng(0).permutation(rows)[: INSPECTION.effect_rows]
    weights[drawn] = samples.sample_weight_or_ones[drawn]
    return weights


class Grid(NamedTuple):
    """Grid of a column for accumulated local effects, and the interval of each row.

    ``places`` (g,) are the grid cells as numbers, or their order if they are levels;
    ``lower`` (n,) is the index of the grid cell below a row's value, -1 for missing
    values.
    """

    cells: list[object]
    places: Floats
    labels: list[str] | None
    lower: Integers


MAX_LEVELS = 20
# Intervals between grid cells of a column, with about equal shares of its rows.
N_STEPS = 20


def grid_of(column: pd.Series, content: ColumnContent, ranks: Floats) -> Grid | None:
    """Build the grid of a column; None for text, or if the column is constant.

    Levels are ordered by the mean of ``ranks`` (n,) over their rows.
    """
    if content.content_type == "levels":
        texts = column.map(level_text, na_action="ignore")
        means = (
            pd.Series(ranks, column.index).groupby(texts.to_numpy()).mean().sort_values()
        )
        if not 2 <= len(means) <= MAX_LEVELS:
            return None
        first = column.set_axis(texts)[~texts.duplicated().to_numpy()]
        lower = means.index.get_indexer(pd.Index(texts))
        cells = [first[name] for name in means.index]
        names = list(map(str, means.index))
        return Grid(cells, np.arange(len(cells), dtype=float), names, lower)
    numbers, _ = read_content(column, content)
    if content.content_type == "date":
        numbers = numbers / SECONDS_OF_DAY
    known = np.flatnonzero(np.isfinite(numbers))
    order = known[np.argsort(numbers[known], kind="stable")]
    if not len(order):
        return None
    steps = order[
        np.unique(np.linspace(0, len(order) - 1, N_STEPS + 1).round().astype(int))
    ]
    places, first_of = np.unique(numbers[steps], return_index=True)
    if len(places) < 2:
        return None
    lower = np.searchsorted(places, numbers, side="left").clip(1, len(places) - 1) - 1
    lower[~np.isfinite(numbers)] = -1
    return Grid([column.iloc[row] for row in steps[first_of]], places, None, lower)


def accumulated_effects(
    predict: Predict, table: pd.DataFrame, name: str, grid: Grid, weights: Floats
) -> Floats:
    """Compute accumulated local effects (g,) of a column, centred over the rows.

    The local effect between two neighbouring grid cells is the mean difference in
    prediction over the rows between them, with the column set to the upper and to the
    lower one (Apley & Zhu 2020, Journal of the Royal Statistical Society B 82, 1059-1086,
    eq. 15 and 16); for levels, over the rows of both.
    """
    of_levels = grid.labels is not None
    n_steps = len(grid.cells) - 1
    counted = weights > 0.0
    rows = [
        np.flatnonzero(counted & np.isin(grid.lower, [k, k + of_levels]))
        for k in range(n_steps)
    ]
    row = np.concatenate(rows)
    step = np.repeat(np.arange(n_steps), [*map(len, rows)])
    part = table.iloc[row]
    cells = [grid.cells[k] for k in np.concatenate([step, step + 1])]
    ends = pd.Series(cells, dtype=table[name].dtype)
    both = predict(with_values(pd.concat([part, part], ignore_index=True), {name: ends}))
    low, high = np.split(both, 2)
    total = np.bincount(step, weights[row], n_steps)
    steps = np.bincount(step, (high - low) * weights[row], n_steps)
    curve = np.append(0.0, np.cumsum(steps / np.where(total > 0.0, total, 1.0)))
    known = grid.lower >= 0
    if of_levels:
        row_effects = curve[grid.lower[known]]
    else:
        row_effects = (curve[grid.lower[known]] + curve[grid.lower[known] + 1]) / 2.0
    return curve - np.average(row_effects, weights=weights[known])
