"""What the matrix of pairwise fronts shows, worked out before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats
from moselect.plots.names import OBJECTIVE_NAMES, plain

MARGIN = 0.07  # share of the range of an objective left free on either side
CONSTANT_MARGIN = 1e-2  # share of its value, so that a constant objective has an axis as well


@dataclass(frozen=True, eq=False)
class FrontInPairs:
    """A front of m objectives as fronts of two.

    Attributes
    ----------
    training : ndarray of shape (k, m)
        Training values.
    best : ndarray of bool, shape (m, m, k)
        Which models no other one dominates in objectives i and j.
    correlation : ndarray of shape (m, m)
        Spearman's rank correlation over the front, NaN where an objective is constant.
    holdout : ndarray of shape (k, m) or None
        Held-out values of the same models.
    """

    training: Floats
    best: Booleans
    correlation: Floats
    holdout: Floats | None


@dataclass(frozen=True, eq=False)
class Pairs:
    """What stands in the matrix.

    Attributes
    ----------
    names : list of str
        The m objectives.
    fronts : dict of str to FrontInPairs
        The fronts by name.
    limits, wide_limits : ndarray of shape (m, 2)
        Visible range of each objective, without and with the held-out values.
    chance : ndarray of shape (m,) or None
        Values that are reached without features.
    marked : dict of str to ndarray of shape (any, m)
        Points to mark by name.
    """

    names: list[str]
    fronts: dict[str, FrontInPairs]
    limits: Floats
    wide_limits: Floats
    chance: Floats | None
    marked: dict[str, Floats]

    @property
    def has_holdout(self) -> bool:
        """Whether any front has held-out values."""
        return any(front.holdout is not None for front in self.fronts.values())


def find_pairs(
    fronts: Mapping[str, pd.DataFrame],
    chance: pd.Series | None,
    holdouts: Mapping[str, pd.DataFrame],
    marked: pd.DataFrame | None,
) -> Pairs:
    """Check the tables of some fronts and find their fronts in all pairs of objectives."""
    if not fronts:
        raise ValueError("objectives is empty: give the objectives of at least one front")
    unknown = [name for name in holdouts if name not in fronts]
    if unknown:
        raise ValueError(f"holdout has no front of its name: {unknown[0]!r}")
    names = objective_names(next(iter(fronts.values())))
    found = {}
    for name, table in fronts.items():
        training = values_of("objectives", table, names)
        held_out = None
        if name in holdouts:
            held_out = values_of("holdout", holdouts[name], names)
            if len(held_out) != len(training):
                raise ValueError(
                    f"holdout has {len(held_out)} rows, but the front has {len(training)} models"
                )
        best = np.array([[nondominated_in_pair(x, y) for x in training.T] for y in training.T])
        correlation = pd.DataFrame(training).corr(method="spearman").to_numpy()
        found[name] = FrontInPairs(training, best, correlation, held_out)

    level = None if chance is None else values_of("chance", chance.to_frame().T, names)[0]
    points = np.empty((0, len(names))) if marked is None else values_of("marked", marked, names)
    labels = np.array([] if marked is None else [plain(label) for label in marked.index])
    seen = np.vstack([points, *(front.training for front in found.values())])
    held_out_too = [front.holdout for front in found.values() if front.holdout is not None]
    return Pairs(
        names=names,
        fronts=found,
        limits=_limits(seen),
        wide_limits=_limits(np.vstack([seen, *held_out_too])),
        chance=level,
        marked={name: points[labels == name] for name in dict.fromkeys(labels.tolist())},
    )


def objective_names(objectives: pd.DataFrame) -> list[str]:
    """Return the columns of a front, which must be at least two different objectives."""
    names = [str(name) for name in objectives.columns]
    unknown = [name for name in names if name not in OBJECTIVE_NAMES]
    if unknown:
        known = ", ".join(OBJECTIVE_NAMES)
        raise ValueError(f"objectives has unknown column {unknown[0]!r}: choose from {known}")
    if len(set(names)) < len(names) or len(names) < 2:
        raise ValueError(f"objectives must have at least two distinct columns, got {names}")
    return names


def nondominated_in_pair(x: Floats, y: Floats) -> Booleans:
    """Find which points no other one dominates, both coordinates maximised; equals all stay."""
    values, place = np.unique(x, return_inverse=True)
    highest = np.full(len(values), -np.inf)
    np.maximum.at(highest, place, y)
    highest_to_the_right = np.append(np.maximum.accumulate(highest[:0:-1])[::-1], -np.inf)
    stays: Booleans = (y == highest[place]) & (y > highest_to_the_right[place])
    return stays


def _limits(values: Floats) -> Floats:
    low, high = values.min(axis=0), values.max(axis=0)
    constant = CONSTANT_MARGIN * np.where(high == 0.0, 1.0, np.abs(high))
    margin = np.where(high > low, MARGIN * (high - low), constant)
    return np.column_stack([low - margin, high + margin])


def values_of(what: str, table: pd.DataFrame, names: list[str]) -> Floats:
    """Return the columns of a table by name, which must be all there and finite; any order."""
    if sorted(map(str, table.columns)) != sorted(names):
        raise ValueError(
            f"{what} must have the objectives {', '.join(names)}, "
            f"got {', '.join(map(str, table.columns))}"
        )
    values = table[names].to_numpy(dtype=np.float64)
    if len(values) == 0 and what == "objectives":
        raise ValueError("objectives has no rows: an empty front cannot be drawn")
    bad = ~np.isfinite(values).all(axis=0)
    if bad.any():
        raise ValueError(f"{what} has a value of {names[int(bad.argmax())]} that is not finite")
    return values
