"""Hypervolume of searches by evaluations, and cost of a model in use by checks."""

from collections.abc import Mapping
from typing import Any

import matplotlib.dates
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator

from moselect._types import Array, Floats
from moselect.plots.style import (
    LINE_COLOURS,
    LINE_STYLES,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    legend_below,
    new_axes,
    plain,
)


def convergence(
    history: pd.DataFrame | Mapping[str, pd.DataFrame], *, ax: Axes | None = None
) -> Axes:
    """Draw the median and range of the hypervolume of several runs over their evaluations.

    The hypervolume of a run is interpolated linearly between measurements and constant
    after the last one. Lines begin where all runs have been measured.

    Parameters
    ----------
    history : DataFrame, or mapping of str to DataFrame
        Columns ``run``, ``n_evaluations`` and ``hypervolume``, such as
        ``moselect.search.History().table``; or up to six such tables, keyed by
        the names of the searches for the legend.
    ax : Axes, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there are no histories or more than six, or one has no rows.

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
    named = dict(history) if isinstance(history, Mapping) else {"": history}
    if not 1 <= len(named) <= len(LINE_COLOURS):
        raise ValueError(f"there are {len(named)} histories: from 1 to 6 can be drawn")
    traces = [(plain(name), *_trace(table)) for name, table in named.items()]
    ax = ax or new_axes(6.4, 4.4)
    styles = zip(traces, LINE_COLOURS, LINE_STYLES, strict=False)
    for (name, efforts, volumes), colour, line in styles:
        runs = f"{len(volumes)} run{'s' * (len(volumes) > 1)}"
        label = f"{name} ({runs})" if name else f"median and range of {runs}"
        middle = np.median(volumes, axis=0)
        ax.plot(efforts, middle, color=colour, linestyle=line, linewidth=1.8, label=label)
        low = volumes.min(axis=0)
        high = volumes.max(axis=0)
        ax.fill_between(efforts, low, high, color=colour, alpha=0.18, linewidth=0)
    ax.set_xscale("log", subs=[])
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
    ax.xaxis.set_major_formatter("{x:,g}")
    ax.set(xlabel="evaluations of a run", ylabel="hypervolume above chance")
    ax.legend(frameon=False, fontsize=9, loc="lower right")
    return ax


def _trace(history: pd.DataFrame) -> tuple[Floats, Floats]:
    """Interpolate the hypervolumes of all runs at the union of their evaluation counts."""
    if history.empty:
        raise ValueError("history has no rows: pass it as callback= to fit")
    by_run = history.pivot(index="n_evaluations", columns="run", values="hypervolume")
    # Constant after the last measurement of a run, missing before the first one.
    volumes = by_run.interpolate("index").dropna()
    return volumes.index.to_numpy(float), volumes.to_numpy().T


def checks(history: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw the mean cost of each check and of all rows so far, and the estimate at selection.

    The bars are the confidence sequence of the cost so far: with 92 % confidence they hold
    at all checks at once, and the cost is higher than estimated where they lie above.

    Parameters
    ----------
    history : DataFrame
        `Check.history`, or the table of `moselect check --history`; a column ``time`` is
        drawn along the axis, if there is one.
    ax : Axes, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = {"cost": [0.5, 0.7], "cost_so_far": [0.5, 0.6], "low": [0.2, 0.4]}
    >>> table |= {"high": [0.8, 0.8], "reported": [0.45, 0.45]}
    >>> checks(pd.DataFrame(table)).get_ylabel()
    'mean cost'
    """
    ax = ax or new_axes(7.0, 3.5)
    places: Array = np.arange(1, len(history) + 1)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    # Checks of Python have no time.
    has_times = "time" in history and history["time"].notna().all()
    if has_times:
        places = pd.to_datetime(history["time"]).to_numpy()
        ticks: Any = matplotlib.dates  # without types
        locator = ticks.AutoDateLocator()
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(ticks.ConciseDateFormatter(locator))
    so_far = history["cost_so_far"]
    ax.errorbar(
        places,
        so_far,
        (so_far - history["low"], history["high"] - so_far),
        fmt="o-",
        color=TRAINING_COLOUR,
        label="all rows so far, 92 % at all checks",
    )
    ax.plot(places, history["cost"], "x", color=OTHERS_COLOUR, label="rows of the check")
    reported = history["reported"].iloc[-1]
    ax.axhline(reported, color="0.25", linestyle="--", label="estimated at selection")
    ax.set(xlabel="time" if has_times else "check", ylabel="mean cost")
    legend_below(ax)
    return ax
