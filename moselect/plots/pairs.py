"""Computation of pairwise fronts, correlations and axis limits before drawing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import moocore
import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats
from moselect.metrics.objectives import check_objectives
from moselect.plots.style import LINE_COLOURS, OTHERS_COLOUR, plain

MARKERS = "os^Dv<"  # of fronts
COINCIDENT = 1e-9  # largest difference between values that coincide
MARGIN = 0.07  # share of the range of an objective left free on either side


@dataclass(frozen=True, eq=False)
class FrontInPairs:
    """Front of m objectives, its pairwise fronts and its drawing style."""

    training: Floats  # (k, m)
    best: Booleans  # (m, m, k), non-dominated models in objectives i and j
    correlation: Floats  # (m, m), Spearman's; NaN where an objective is constant
    label: str
    colour: str
    pale: str  # colour of the models that are not on the front of a pair
    marker: str


@dataclass(frozen=True, eq=False)
class Pairs:
    """Contents of the matrix of pairwise fronts."""

    names: list[str]  # the m objectives
    fronts: list[FrontInPairs]
    limits: Floats  # (m, 2), axis limits of each objective without held-out values
    holdout_limits: Floats  # (m, 2), of held-out values alone
    holdout: Floats | None  # (k, m), of a single front
    chance: Floats | None  # (m,)
    marked: dict[str, Floats]  # points (any, m) to mark


def find_pairs(
    objectives: pd.DataFrame | Mapping[str, pd.DataFrame],
    chance: pd.Series | None,
    holdout: pd.DataFrame | None,
    marked: pd.DataFrame | None,
) -> Pairs:
    """Validate the tables of one or several fronts and compute their pairwise fronts."""
    several = isinstance(objectives, Mapping)
    tables = dict(objectives) if isinstance(objectives, Mapping) else {"": objectives}
    if not 1 <= len(tables) <= len(LINE_COLOURS):
        raise ValueError(
            f"objectives has {len(tables)} fronts: from 1 to {len(LINE_COLOURS)} can be drawn"
        )
    known = check_objectives([*next(iter(tables.values()))])
    checked = [_checked("objectives", table, known) for table in tables.values()]
    names = distinct(pd.concat(checked))
    names = names if len(names) > 1 else list(known)
    fronts = []
    looks = zip(tables, checked, LINE_COLOURS, MARKERS, strict=False)
    for name, table, colour, marker in looks:
        front = table[names]
        k = len(table)
        best = [[_best(front[[x, y]].to_numpy()) for y in names] for x in names]
        correlation = front.corr(method="spearman").to_numpy()
        values = front.to_numpy(), np.array(best), correlation
        if several:
            label = f"{plain(name)} ({k:,} model{'s' * (k > 1)})"
            fronts.append(FrontInPairs(*values, label, colour, colour, marker))
        else:
            label = "Pareto front of the two objectives"
            fronts.append(FrontInPairs(*values, label, colour, OTHERS_COLOUR, "o"))
    held_out = None
    level = None
    points = dict[str, Floats]()
    if holdout is not None:
        held_out = _checked("holdout", holdout, known)[names].to_numpy()
        if [len(held_out)] != [*map(len, checked)]:
            raise ValueError(
                f"holdout has {len(held_out)} rows, but must have one for each model of one front"
            )
    if chance is not None:
        (level,) = _checked("chance", chance.to_frame().T, known)[names].to_numpy()
    if marked is not None:
        together = _checked("marked", marked, known)[names].groupby(level=0, sort=False)
        points = {plain(label): part.to_numpy() for label, part in together}
    shown = [*(front.training for front in fronts), *points.values()]
    # On the axes of the training values, which are better, held-out ones would be one spot.
    holdout_limits = _limits(shown if held_out is None else [held_out])
    return Pairs(names, fronts, _limits(shown), holdout_limits, held_out, level, points)


def distinct(values: pd.DataFrame) -> list[str]:
    """Drop measures that coincide with an earlier one, as for two classes."""
    names: list[str] = []
    for name, column in values.items():
        if not (values[names].sub(column, axis=0).abs().max() < COINCIDENT).any():
            names.append(str(name))
    return names


def _best(pair: Floats) -> Booleans:
    """Flag non-dominated models (k, 2), with all duplicates kept."""
    return np.asarray(moocore.is_nondominated(pair, maximise=True, keep_weakly=True))


def _limits(tables: list[Floats]) -> Floats:
    values = np.vstack(tables)
    low = values.min(axis=0)
    high = values.max(axis=0)
    # relative to its value, so that a constant objective has an axis as well
    constant_margin = 1e-2
    constant = constant_margin * np.where(high == 0.0, 1.0, np.abs(high))
    margin = np.where(high > low, MARGIN * (high - low), constant)
    return np.column_stack([low - margin, high + margin])


def _checked(what: str, table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Validate the columns of a table, finite and in any order, and sort them by ``names``."""
    values = table.reindex(columns=[*names]).astype(float)
    if values.empty or not np.isfinite(values.to_numpy()).all():
        raise ValueError(f"{what} needs rows of finite values of {', '.join(names)}")
    return values
