"""What the matrix of pairwise fronts shows, worked out before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect.plots.names import OBJECTIVE_NAMES

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

MARGIN = 0.07  # share of the range of an objective left free on either side
LEAST_MARGIN = 1e-3  # so that a constant objective has an axis as well


@dataclass(frozen=True, eq=False)
class Pairs:
    """A front of m objectives as fronts of two.

    Attributes
    ----------
    names : list of str
        The m objectives.
    training : ndarray of shape (k, m)
        Training values.
    best : ndarray of bool, shape (m, m, k)
        Which models no other one dominates in objectives i and j.
    correlation : ndarray of shape (m, m)
        Spearman's rank correlation over the front, NaN where an objective is constant.
    limits, wide_limits : ndarray of shape (m, 2)
        Visible range of each objective, without and with the held-out values.
    chance : ndarray of shape (m,) or None
        Values that are reached without features.
    holdout : ndarray of shape (k, m) or None
        Held-out values of the same models.
    marked : dict of str to ndarray of shape (any, m)
        Points to mark by name.
    """

    names: list[str]
    training: Floats
    best: Booleans
    correlation: Floats
    limits: Floats
    wide_limits: Floats
    chance: Floats | None
    holdout: Floats | None
    marked: dict[str, Floats]


def find_pairs(
    objectives: pd.DataFrame,
    chance: pd.Series | None,
    holdout: pd.DataFrame | None,
    marked: pd.DataFrame | None,
) -> Pairs:
    """Check the tables of a front and find its fronts in all pairs of objectives."""
    names = [str(name) for name in objectives.columns]
    unknown = [name for name in names if name not in OBJECTIVE_NAMES]
    if unknown:
        known = ", ".join(OBJECTIVE_NAMES)
        raise ValueError(f"objectives has unknown column {unknown[0]!r}: choose from {known}")
    if len(set(names)) < len(names) or len(names) < 2:
        raise ValueError(f"objectives must have at least two distinct columns, got {names}")
    if objectives.empty:
        raise ValueError("objectives has no rows: an empty front cannot be drawn")
    if holdout is not None and len(holdout) != len(objectives):
        raise ValueError(
            f"holdout has {len(holdout)} rows, but the front has {len(objectives)} models"
        )

    training = _values("objectives", objectives, names)
    held_out = None if holdout is None else _values("holdout", holdout, names)
    level = None if chance is None else _values("chance", chance.to_frame().T, names)[0]
    points = np.empty((0, len(names))) if marked is None else _values("marked", marked, names)
    labels = np.array([] if marked is None else [str(label) for label in marked.index])

    best = np.array([[nondominated_in_pair(x, y) for x in training.T] for y in training.T])
    seen = np.vstack([training, points])
    return Pairs(
        names=names,
        training=training,
        best=best,
        correlation=pd.DataFrame(training).corr(method="spearman").to_numpy(),
        limits=_limits(seen),
        wide_limits=_limits(seen if held_out is None else np.vstack([seen, held_out])),
        chance=level,
        holdout=held_out,
        marked={name: points[labels == name] for name in dict.fromkeys(labels.tolist())},
    )


def nondominated_in_pair(x: Floats, y: Floats) -> Booleans:
    """Tell which points no other one dominates, both coordinates maximised; equals all stay."""
    values, place = np.unique(x, return_inverse=True)
    highest = np.full(len(values), -np.inf)
    np.maximum.at(highest, place, y)
    highest_to_the_right = np.append(np.maximum.accumulate(highest[:0:-1])[::-1], -np.inf)
    stays: Booleans = (y == highest[place]) & (y > highest_to_the_right[place])
    return stays


def _limits(values: Floats) -> Floats:
    low, high = values.min(axis=0), values.max(axis=0)
    margin = np.maximum(MARGIN * (high - low), LEAST_MARGIN)
    return np.column_stack([low - margin, high + margin])


def _values(what: str, table: pd.DataFrame, names: list[str]) -> Floats:
    if sorted(map(str, table.columns)) != sorted(names):
        raise ValueError(
            f"{what} must have the objectives {', '.join(names)}, "
            f"got {', '.join(map(str, table.columns))}"
        )
    values = table[names].to_numpy(dtype=np.float64)
    bad = ~np.isfinite(values).all(axis=0)
    if bad.any():
        raise ValueError(f"{what} has a value of {names[int(bad.argmax())]} that is not finite")
    return values
