"""A front as a table: one row a model, and the names of its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Floats

if TYPE_CHECKING:
    from moselect.front.front import Front

HOLDOUT, EXPECTED, ERROR = "holdout:", "expected:", "se:"  # prefixes of columns
WEIGHT, THRESHOLD, COUNT = "w:", "b:", "n:"
MOST_SAMPLES = 1 << 53  # larger counts are not all different as floats


def front_table(front: Front) -> pd.DataFrame:
    """Return the table of a front; see `Front.to_frame`."""
    names = front.feature_names or [f"x{j}" for j in range(front.weights.shape[1])]
    parts = [front.objectives]
    for prefix, figures in (
        (EXPECTED, front.expected),
        (ERROR, front.expected_se),
        (HOLDOUT, front.holdout),
    ):
        if figures is not None:
            parts.append(figures.add_prefix(prefix))
    parts.append(pd.DataFrame(front.weights, columns=[WEIGHT + name for name in names]))
    cuts = range(1, front.thresholds.shape[1] + 1)
    parts.append(pd.DataFrame(front.thresholds, columns=[f"{THRESHOLD}{k}" for k in cuts]))
    cells = _cells(len(front.classes))
    for prefix, counts in (("", front.confusions), (HOLDOUT, front.holdout_confusions)):
        if counts is not None:
            columns = [prefix + cell for cell in cells]
            parts.append(pd.DataFrame(counts.reshape(len(front), len(cells)), columns=columns))
    return pd.concat(parts, axis=1)


def read_front_table(
    frame: pd.DataFrame, classes: NDArray[Any], objectives: list[str]
) -> dict[str, Any]:
    """Return the attributes of a front, by their names, from its table.

    Raises
    ------
    ValueError
        If the table lacks a column that every front has, or values are none of a front.
    """
    names = [str(column) for column in frame.columns]
    weights = [c for c in names if c.startswith(WEIGHT)]
    thresholds = [f"{THRESHOLD}{k}" for k in range(1, len(classes))]
    missing = [c for c in (*objectives, *thresholds) if c not in names]
    if missing or not weights:
        raise ValueError(f"the table of the front has no column {(missing or [WEIGHT])[0]!r}")
    if len(frame) == 0:
        raise ValueError("the table of the front has no rows")
    cuts = _numbers(frame, thresholds)
    if (np.diff(cuts) < 0.0).any():
        raise ValueError("the thresholds of the front do not ascend")
    figures = _figures(frame, objectives, finite=True)
    held_out = _read_figures(frame, HOLDOUT, objectives)
    errors = _read_figures(frame, ERROR, objectives)
    if errors is not None and (errors < 0.0).to_numpy().any():
        raise ValueError("a standard error of the front is negative")
    return {
        "objectives": figures,
        "weights": _numbers(frame, weights),
        "thresholds": cuts,
        "feature_names": tuple(c.removeprefix(WEIGHT) for c in weights),
        "holdout": held_out,
        "expected": _read_figures(frame, EXPECTED, objectives),
        "expected_se": errors,
        "confusions": _read_counts(frame, "", len(classes)),
        "holdout_confusions": _read_counts(frame, HOLDOUT, len(classes)),
    }


def _read_figures(frame: pd.DataFrame, prefix: str, objectives: list[str]) -> pd.DataFrame | None:
    columns = [prefix + name for name in objectives]
    if not set(columns) <= set(frame.columns):
        return None
    return _figures(frame, columns).set_axis(objectives, axis=1)


def _figures(frame: pd.DataFrame, columns: list[str], *, finite: bool = False) -> pd.DataFrame:
    values = _numbers(frame, columns, finite=finite)
    return pd.DataFrame(values, columns=columns)


def _read_counts(frame: pd.DataFrame, prefix: str, r: int) -> NDArray[np.int64] | None:
    columns = [prefix + cell for cell in _cells(r)]
    if not set(columns) <= set(frame.columns):
        return None
    counts = _numbers(frame, columns)
    if (counts < 0).any() or (counts > MOST_SAMPLES).any() or (counts % 1 != 0).any():
        raise ValueError(f"the front has counts of samples that are no counts ({prefix}{COUNT})")
    confusions = counts.astype(np.int64).reshape(len(frame), r, r)
    if (confusions.sum(axis=2) != confusions[0].sum(axis=1)).any():
        raise ValueError("the models of the front were not counted on the same samples")
    return confusions


def _numbers(frame: pd.DataFrame, columns: list[str], *, finite: bool = True) -> Floats:
    """Return columns as numbers, which must be finite unless what they hold may be unknown."""
    try:
        values = frame[columns].to_numpy(dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"the front has cells that are no numbers ({columns[0]} ...)") from None
    unknown = ~np.isnan(values) if not finite else True
    wrong = np.argwhere(~np.isfinite(values) & unknown)
    if len(wrong):
        raise ValueError(f"the front has no finite number in its column {columns[wrong[0][1]]!r}")
    return values


def _cells(r: int) -> list[str]:
    """Name the cells of a confusion matrix by the numbers of the true and predicted class."""
    return [
        f"{COUNT}{true}:{predicted}" for true in range(1, r + 1) for predicted in range(1, r + 1)
    ]
