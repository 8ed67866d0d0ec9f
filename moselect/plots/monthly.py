"""Plot of the checks of a model in use: its cost against time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from moselect.plots.style import OTHERS_COLOUR, TRAINING_COLOUR, new_axes


def checks(history: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw the mean cost at each check, and of all rows so far, beside the reported cost.

    The bars are the confidence sequence of the cost so far: with 92 % confidence they hold
    at all checks at once, and the cost is higher than reported where they lie above.

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
    ax = new_axes(7.0, 3.5) if ax is None else ax
    places: Any = np.arange(1, len(history) + 1)
    if "time" in history:
        places = pd.to_datetime(history["time"]).to_numpy()
        ax.tick_params("x", labelrotation=30)
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
    ax.axhline(reported, color="0.25", linestyle="--", label="reported")
    ax.set(xlabel="time" if "time" in history else "check", ylabel="mean cost")
    ax.legend(frameon=False)
    return ax
