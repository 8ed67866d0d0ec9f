"""Plot of a measure by group of samples."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from moselect.plots.decision import REACH
from moselect.plots.style import OTHERS_COLOUR, TRAINING_COLOUR, new_axes
from moselect.selection import GroupEstimates


def by_group(
    groups: GroupEstimates, measure: str | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw a measure of each group with 95 % intervals, and a rule at its value overall.

    Parameters
    ----------
    groups : GroupEstimates
        Of ``evidence.group_estimates``.
    measure : str, optional
        A measure, by default the cost, or the accuracy without costs.
    ax : Axes, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> by_group(model.evidence.group_estimates("CHAS")).get_xlabel()
    'cost, 95 % intervals'
    """
    table = groups.table[::-1]
    measure = measure or str(groups.overall.index[0])
    if measure not in groups.overall:
        known = ", ".join(map(str, groups.overall.index))
        raise ValueError(f"unknown measure {measure!r}: choose from {known}")
    ax = ax or new_axes(6.0, 1.2 + 0.35 * len(table))
    places = np.arange(len(table))
    reach = REACH * table[groups.errors[measure]]
    ax.errorbar(table[measure], places, xerr=reach, fmt="o", color=TRAINING_COLOUR)
    ax.axvline(groups.overall[measure], color=OTHERS_COLOUR, linestyle="--")
    names = [
        f"{name} ({rows:,})"
        for name, rows in zip(table.index, table["rows"], strict=True)
    ]
    ax.set_yticks(places, names)
    ax.set(ylabel=table.index.name, xlabel=f"{measure}, 95 % intervals")
    return ax
