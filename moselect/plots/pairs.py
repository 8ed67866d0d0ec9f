"""What the matrix of pairwise fronts shows, worked out before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    known = check_objectives([*next(iter(tables.values()))])
    given = [_values_of("objectives", table, known) for table in tables.values()]
    names = distinct(dict(zip(known, np.vstack(given).T, strict=True)))
    names = names if len(names) > 1 else list(known)
    kept = [known.index(name) for name in names]
    fronts = []
    for name, values, colour, marker in zip(
        tables, given, LINE_COLOURS, MARKERS, strict=False
    ):
        training, k = values[:, kept], len(values)
        best = [[_best(values[:, [i, j]]) for j in kept] for i in kept]
        look: dict[str, Any] = {"label": "on the front of the pair", "marker": "o"}
        if several:
            models = f"{k:,} model{'s' * (k > 1)}"
            look = {"label": f"{plain(name)} ({models})", "marker": marker}
        fronts.append(
            FrontInPairs(
                training,
                np.array(best),
                pd.DataFrame(training).corr(method="spearman").to_numpy(),
                colour=colour,
                pale=colour if several else OTHERS_COLOUR,
                **look,
            )
        )
    held_out, level, points = (
        None if table is None else _values_of(what, table, known)[:, kept]
        for what, table in (
            ("holdout", holdout),
            ("chance", None if chance is None else chance.to_frame().T),
            ("marked", marked),
        )
    )
    if held_out is not None and [len(held_out)] != [*map(len, given)]:
        raise ValueError(
            f"holdout has {len(held_out)} rows, but must have those of the models of one front"
        )
    named: dict[str, Floats] = {}
    if marked is not None and points is not None:
        labels = [plain(label) for label in marked.index]
        named = {name: points[np.equal(labels, name)] for name in dict.fromkeys(labels)}
    seen = [*(front.training for front in fronts), *named.values()]
    limits = _limits(seen)
    return Pairs(
        names=names,
        fronts=fronts,
        limits=limits,
        wide_limits=limits if held_out is None else _limits([*seen, held_out]),
        holdout=held_out,
        chance=None if level is None else level[0],
        marked=named,
    )


def distinct(values: Mapping[str, Floats]) -> list[str]:
    """Return the measures without those that are an earlier one, as for two classes."""
    found: list[str] = []
    for name, each in values.items():
        if not any(np.abs(each - values[other]).max() < SAME for other in found):
            found.append(name)
    return found


def _best(pair: Floats) -> Booleans:
    """Find which models (k, 2) no other one dominates; equals all stay."""
    return np.asarray(moocore.is_nondominated(pair, maximise=True, keep_weakly=True))


def _limits(tables: list[Floats]) -> Floats:
    values = np.vstack(tables)
    low, high = values.min(axis=0), values.max(axis=0)
    constant = CONSTANT_MARGIN * np.where(high == 0.0, 1.0, np.abs(high))
    margin = np.where(high > low, MARGIN * (high - low), constant)
    return np.column_stack([low - margin, high + margin])


def _values_of(what: str, table: pd.DataFrame, names: Sequence[str]) -> Floats:
    """Return the columns of a table by name, which must be all there and finite; any order."""
    if sorted(map(str, table.columns)) != sorted(names):
        raise ValueError(
            f"{what} must have the objectives {', '.join(names)}, "
            f"got {', '.join(map(str, table.columns))}"
        )
    values = table[[*names]].to_numpy(dtype=np.float64)
    if len(values) == 0 and what == "objectives":
        raise ValueError("objectives has no rows: an empty front cannot be drawn")
    bad = ~np.isfinite(values).all(axis=0)
    if bad.any():
        raise ValueError(
            f"{what} has a value of {names[int(bad.argmax())]} that is not finite"
        )
    return values
