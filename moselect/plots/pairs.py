"""What the matrix of pairwise fronts shows, worked out before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import moocore
import numpy as np
import pandas as pd

from moselect._types import Booleans, Floats
from moselect.metrics.objectives import check_objectives
from moselect.plots.style import LINE_COLOURS, OTHERS_COLOUR, plain

MARKERS = "os^Dv<"  # of fronts
MARGIN = 0.07  # share of the range of an objective left free on either side
SAME = 1e-9  # between measures that coincide
# share of its value, so that a constant objective has an axis as well
CONSTANT_MARGIN = 1e-2


@dataclass(frozen=True, eq=False)
class FrontInPairs:
    """A front of m objectives as fronts of two, and how it is drawn."""

    training: Floats  # (k, m)
    best: Booleans  # (m, m, k), which models no other one dominates in objectives i and j
    correlation: Floats  # (m, m), Spearman's; NaN where an objective is constant
    label: str
    colour: str
    pale: str  # colour of the models that are not on the front of a pair
    marker: str


@dataclass(frozen=True, eq=False)
class Pairs:
    """What stands in the matrix."""

    names: list[str]  # the m objectives
    fronts: list[FrontInPairs]
    limits: Floats  # (m, 2), what is visible of each objective, without held-out values
    wide_limits: Floats  # (m, 2), with them
    holdout: Floats | None  # (k, m), of a front that is alone
    chance: Floats | None  # (m,)
    marked: dict[str, Floats]  # points (any, m) to mark


def find_pairs(
    objectives: pd.DataFrame | Mapping[str, pd.DataFrame],
    chance: pd.Series | None,
    holdout: pd.DataFrame | None,
    marked: pd.DataFrame | None,
) -> Pairs:
    """Check the tables of one front or some and find their fronts in all pairs of objectives."""
    several = isinstance(objectives, Mapping)
    tables = dict(objectives) if isinstance(objectives, Mapping) else {"": objectives}
    if not 1 <= len(tables) <= len(LINE_COLOURS):
        raise ValueError(
            f"objectives has {len(tables)} fronts: from 1 to {len(LINE_COLOURS)} can be drawn"
        )
    names = _distinct(list(check_objectives([*next(iter(tables.values()))])), tables)
    if len(names) < len(next(iter(tables.values())).columns):
        tables = {name: table[names] for name, table in tables.items()}
        holdout, marked = (
            None if one is None else one[names] for one in (holdout, marked)
        )
        chance = None if chance is None else chance[names]
    m = len(names)
    fronts = []
    for (name, table), colour, marker in zip(
        tables.items(), LINE_COLOURS, MARKERS, strict=False
    ):
        training = _values_of("objectives", table, names)
        models = f"{len(table):,} model{'s' * (len(table) > 1)}"
        fronts.append(
            FrontInPairs(
                training,
                np.array(
                    [[_best(training[:, [i, j]]) for j in range(m)] for i in range(m)]
                ),
                pd.DataFrame(training).corr(method="spearman").to_numpy(),
                label=f"{plain(name)} ({models})"
                if several
                else "on the front of the pair",
                colour=colour,
                pale=colour if several else OTHERS_COLOUR,
                marker=marker if several else "o",
            )
        )
    held_out = None if holdout is None else _values_of("holdout", holdout, names)
    if held_out is not None and [len(held_out)] != [
        len(front.training) for front in fronts
    ]:
        raise ValueError(
            f"holdout has {len(held_out)} rows, but must have those of the models of one front"
        )
    level = (
        None if chance is None else _values_of("chance", chance.to_frame().T, names)[0]
    )
    points = (
        np.empty((0, len(names)))
        if marked is None
        else _values_of("marked", marked, names)
    )
    labels = np.array([] if marked is None else [plain(label) for label in marked.index])
    seen = np.vstack([points, *(front.training for front in fronts)])
    return Pairs(
        names=names,
        fronts=fronts,
        limits=_limits(seen),
        wide_limits=_limits(seen if held_out is None else np.vstack([seen, held_out])),
        holdout=held_out,
        chance=level,
        marked={name: points[labels == name] for name in dict.fromkeys(labels)},
    )


def _distinct(names: list[str], tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return the objectives without those that are an earlier one, as for two classes."""
    found: list[str] = []
    for name in names:
        if not any(
            all(
                np.abs(table[name] - table[other]).max() < SAME
                for table in tables.values()
            )
            for other in found
        ):
            found.append(name)
    return found if len(found) > 1 else names


def _best(pair: Floats) -> Booleans:
    """Find which models (k, 2) no other one dominates; equals all stay."""
    return np.asarray(moocore.is_nondominated(pair, maximise=True, keep_weakly=True))


def _limits(values: Floats) -> Floats:
    low, high = values.min(axis=0), values.max(axis=0)
    constant = CONSTANT_MARGIN * np.where(high == 0.0, 1.0, np.abs(high))
    margin = np.where(high > low, MARGIN * (high - low), constant)
    return np.column_stack([low - margin, high + margin])


def _values_of(what: str, table: pd.DataFrame, names: list[str]) -> Floats:
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
        raise ValueError(
            f"{what} has a value of {names[int(bad.argmax())]} that is not finite"
        )
    return values
