"""Plot of a measure by group of samples."""

import numpy as np
from matplotlib.axes import Axes

from moselect.plots.decision import Z_95
from moselect.plots.style import (
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    legend_above,
    new_axes,
    plain,
    short_names,
)
from moselect.selection import GroupEstimates


def by_group(
    groups: GroupEstimates, measure: str | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw a measure of each group with 95 % intervals, and a rule at its value overall.

    The title states the largest difference between groups with its 95 % interval.

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
    'cross-validated cost, 95 % intervals'
    """
    table = groups.table[::-1]
    measure = measure or str(groups.overall.index[0])
    if measure not in groups.overall:
        known = ", ".join(map(str, groups.overall.index))
        raise ValueError(f"unknown measure {measure!r}: choose from {known}")
    ax = ax or new_axes(6.5, 1.8 + 0.35 * len(table))
    places = np.arange(len(table))
    half_width = Z_95 * table[groups.errors[measure]]
    values = table[measure]
    # Costs and shares are not below 0, a mean error may be.
    below = half_width if measure == "mean_error" else np.minimum(half_width, values)
    ax.errorbar(
        values,
        places,
        xerr=[below, half_width],
        fmt="o",
        color=TRAINING_COLOUR,
        label="group (number of rows)",
    )
    ax.axvline(
        groups.overall[measure], color=OTHERS_COLOUR, linestyle="--", label="all rows"
    )
    counts = table["rows"].map(" ({:,})".format)
    ax.set_yticks(
        places, [a + b for a, b in zip(short_names(table.index), counts, strict=True)]
    )
    ax.margins(y=0.5 / len(table))
    words = plain(measure.replace("_", " "))
    ax.set(
        ylabel=plain(table.index.name), xlabel=f"cross-validated {words}, 95 % intervals"
    )
    if measure in groups.differences.index:
        largest = groups.differences.loc[measure]
        ax.set_title(
            f"largest difference in {words}: {largest['difference']:.2g} "
            f"({largest['low']:.2g} to {largest['high']:.2g})",
            fontsize=10,
            pad=22,
        )
    legend_above(ax)
    return ax
