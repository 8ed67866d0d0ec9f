"""Plot of the checks of a model in use: its cost against time."""

from typing import Any

import matplotlib.dates
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from moselect.plots.style import OTHERS_COLOUR, TRAINING_COLOUR, legend_above, new_axes


def checks(history: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw the mean cost at each check, and of all rows so far, beside the estimate at selection.

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
    places: Any = np.arange(1, len(history) + 1)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    if "time" in history:
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
    ax.set(xlabel="time" if "time" in history else "check", ylabel="mean cost")
    legend_above(ax)
    return ax
