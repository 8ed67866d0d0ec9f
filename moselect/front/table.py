"""The attributes of a front as a table of one row a model, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

HOLDOUT, EXPECTED, ERROR = "holdout:", "expected:", "se:"  # prefixes of columns
WEIGHT, THRESHOLD, COUNT = "w:", "b:", "n:"


def front_table(front: Mapping[str, Any]) -> pd.DataFrame:
    """Return the attributes of a front, by their names, as a table of one row a model.

    Columns are the objectives, ``expected:<objective>``, ``se:<objective>`` and
    ``holdout:<objective>``, ``w:<feature>``, ``b:<k>``, and the confusions
    ``n:<true>:<predicted>`` and ``holdout:n:<true>:<predicted>``, classes being numbered
    from 1; what is not known is left out.
    """
    weights, thresholds = front["weights"], front["thresholds"]
    names = front["feature_names"] or [f"x{j}" for j in range(weights.shape[1])]
    figures = {EXPECTED: "expected", ERROR: "expected_se", HOLDOUT: "holdout"}
    parts = [front["objectives"]]
    parts += [
        front[name].add_prefix(prefix)
        for prefix, name in figures.items()
        if front[name] is not None
    ]
    parts.append(pd.DataFrame(weights, columns=[WEIGHT + name for name in names]))
    cuts = range(1, thresholds.shape[1] + 1)
    parts.append(pd.DataFrame(thresholds, columns=[f"{THRESHOLD}{k}" for k in cuts]))
    cells = _cells(len(front["classes"]))
    for prefix, name in (("", "confusions"), (HOLDOUT, "holdout_confusions")):
        if front[name] is not None:
            counts = front[name].reshape(len(weights), len(cells))
            parts.append(pd.DataFrame(counts, columns=[prefix + cell for cell in cells]))
    return pd.concat(parts, axis=1)


def read_front_table(
    frame: pd.DataFrame, classes: NDArray[Any], objectives: list[str]
) -> dict[str, Any]:
    """Return the attributes of a front, by their names, from its table.

    Raises
    ------
    ValueError
        If the table lacks a column that every front has.
    """
    names = [str(column) for column in frame.columns]
    weights = [c for c in names if c.startswith(WEIGHT)]
    thresholds = [f"{THRESHOLD}{k}" for k in range(1, len(classes))]
    missing = [c for c in (*objectives, *thresholds) if c not in names]
    if missing or not weights:
        raise ValueError(
            f"the table of the front has no column {(missing or [WEIGHT])[0]!r}"
        )
    return {
        "objectives": _read_figures(frame, "", objectives),
        "weights": frame[weights].to_numpy(dtype=np.float64),
        "thresholds": frame[thresholds].to_numpy(dtype=np.float64),
        "feature_names": tuple(c.removeprefix(WEIGHT) for c in weights),
        "holdout": _read_figures(frame, HOLDOUT, objectives),
        "expected": _read_figures(frame, EXPECTED, objectives),
        "expected_se": _read_figures(frame, ERROR, objectives),
        "confusions": _read_counts(frame, "", len(classes)),
        "holdout_confusions": _read_counts(frame, HOLDOUT, len(classes)),
    }


def _read_figures(
    frame: pd.DataFrame, prefix: str, objectives: list[str]
) -> pd.DataFrame | None:
    columns = [prefix + name for name in objectives]
    if not set(columns) <= set(frame.columns):
        return None
    return pd.DataFrame(frame[columns].to_numpy(dtype=np.float64), columns=objectives)


def _read_counts(frame: pd.DataFrame, prefix: str, r: int) -> NDArray[np.int64] | None:
    columns = [prefix + cell for cell in _cells(r)]
    if not set(columns) <= set(frame.columns):
        return None
    return frame[columns].to_numpy(dtype=np.int64).reshape(len(frame), r, r)


def _cells(r: int) -> list[str]:
    """Name the cells of a confusion matrix by the numbers of the true and predicted class."""
    return [
        f"{COUNT}{true}:{predicted}"
        for true in range(1, r + 1)
        for predicted in range(1, r + 1)
    ]
