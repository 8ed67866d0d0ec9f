"""How the hypervolume grows with the effort spent on a search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from moselect._types import Floats
from moselect.plots.style import new_axes, of_named, set_log_x

EFFORTS = {"n_evaluations": "evaluations of a run", "seconds": "seconds of a run"}


def convergence(
    history: pd.DataFrame | Mapping[str, pd.DataFrame],
    *,
    against: Literal["n_evaluations", "seconds"] = "n_evaluations",
    ax: Axes | None = None,
) -> Axes:
    """Draw the hypervolume of several runs over the effort: their median and their range.

    Between its measurements a run is taken to grow evenly, and to stay where it is after its end.
    Lines begin where all runs have been measured.

    Parameters
    ----------
    history : DataFrame, or mapping of str to DataFrame
        Columns ``run``, ``hypervolume`` and what it is drawn against, such as
        ``moselect.search.History().table``; or up to six of them by the names of the searches, for
        the legend.
    against : {"n_evaluations", "seconds"}, default="n_evaluations"
        The effort.
    ax : Axes, optional
        Where to draw, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there are no histories or more than six, or one has no rows or lacks a column.

    Examples
    --------
    >>> history = pd.DataFrame(
    ...     {
    ...         "run": [0, 0, 1, 1],
    ...         "n_evaluations": [100, 200, 100, 200],
    ...         "hypervolume": [0.1, 0.3, 0.2, 0.6],
    ...     }
    ... )
    >>> convergence(history).lines[0].get_ydata()
    array([0.15, 0.45])
    """
    if against not in EFFORTS:
        raise ValueError(f"unknown effort {against!r}: choose from {', '.join(EFFORTS)}")
    traces = [
        (name, *_trace(table, against), colour, line)
        for name, table, colour, line in of_named(history, "histories")
    ]
    if ax is None:
        ax = new_axes(6.4, 4.4)
    for name, efforts, volumes, colour, line in traces:
        runs = f"{len(volumes)} run{'s' * (len(volumes) > 1)}"
        ax.plot(
            efforts,
            np.median(volumes, axis=0),
            color=colour,
            linestyle=line,
            linewidth=1.8,
            label=f"{name} ({runs})" if name else f"median and range of {runs}",
        )
        low, high = volumes.min(axis=0), volumes.max(axis=0)
        ax.fill_between(efforts, low, high, color=colour, alpha=0.18, linewidth=0)
    seen = np.concatenate([efforts for _, efforts, *_ in traces])
    set_log_x(ax, seen.min(), seen.max())
    ax.set(xlabel=EFFORTS[against], ylabel="hypervolume above chance")
    ax.legend(frameon=False, fontsize=9, loc="lower right")
    return ax


def _trace(history: pd.DataFrame, against: str) -> tuple[Floats, Floats]:
    """Return the efforts at which any run was measured, and the hypervolumes (runs, efforts)."""
    missing = [name for name in ("run", against, "hypervolume") if name not in history]
    if missing:
        raise ValueError(f"history has no column {missing[0]!r}")
    if history.empty:
        raise ValueError("history has no rows: pass it as report= to fit")
    runs = [
        run.sort_values(against)[[against, "hypervolume"]].to_numpy(dtype=np.float64).T
        for _, run in history.groupby("run")
    ]
    begin = max(effort[0] for effort, _ in runs)
    efforts = np.unique(np.concatenate([effort[effort >= begin] for effort, _ in runs]))
    return efforts, np.array([np.interp(efforts, *run) for run in runs])
