"""A front as a table of one row a model, and as a small one of HTML for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect.metrics.objectives import objective_named

if TYPE_CHECKING:
    from moselect.front.front import Front

HOLDOUT, EXPECTED, ERROR = "holdout:", "expected:", "se:"  # prefixes of columns
WEIGHT, THRESHOLD, COUNT = "w:", "b:", "n:"


def front_table(front: Front) -> pd.DataFrame:
    """Return a table of one row a model.

    Columns are the objectives, ``expected:<objective>``, ``se:<objective>`` and
    ``holdout:<objective>``, ``w:<feature>``, ``b:<k>``, and the confusions
    ``n:<true>:<predicted>`` and ``holdout:n:<true>:<predicted>``, classes being numbered from 1;
    what is not known is left out.
    """
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
        If the table lacks a column that every front has.
    """
    names = [str(column) for column in frame.columns]
    weights = [c for c in names if c.startswith(WEIGHT)]
    thresholds = [f"{THRESHOLD}{k}" for k in range(1, len(classes))]
    missing = [c for c in (*objectives, *thresholds) if c not in names]
    if missing or not weights:
        raise ValueError(f"the table of the front has no column {(missing or [WEIGHT])[0]!r}")
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


def _read_figures(frame: pd.DataFrame, prefix: str, objectives: list[str]) -> pd.DataFrame | None:
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
        f"{COUNT}{true}:{predicted}" for true in range(1, r + 1) for predicted in range(1, r + 1)
    ]


def front_html(front: Front) -> str:
    """Return size, hypervolume and outstanding models of a front as HTML."""
    labels = {str(name): objective_named(str(name)).label for name in front.objectives}
    outstanding = {f"best {label}": front.best(name) for name, label in labels.items()}
    outstanding["balanced"] = front.balanced()
    table = front.objectives.rename(columns=labels).iloc[list(outstanding.values())]
    table = table.rename_axis("model").reset_index().set_axis(list(outstanding))
    classes = ", ".join(escape(str(label)) for label in front.classes)
    return (
        f"<p><strong>Front of {len(front):,} models</strong> of {front.weights.shape[1]} features "
        f"for the classes {classes}; hypervolume above chance {front.hypervolume:.4f}</p>"
        f"{table.to_html(border=0, float_format='{:.4f}'.format)}"
    )
