"""Cross-validated cost and ranking of scorecards by length."""

import pandas as pd
from matplotlib.figure import Figure

from moselect.metrics.metric_names import metric_label
from moselect.metrics.objectives import objective_named
from moselect.plots.style import (
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    Z_95,
    draw_band,
    frame,
    new_figure,
)

RANKING = ("vus", "u_cons")  # measures of the second panel
TICKS = 10  # at most, on an axis


def scorecard_lengths(table: pd.DataFrame, selected: int | None = None) -> Figure:
    """Draw the cross-validated cost and ranking of scorecards by number of conditions.

    Left: the criterion of the selection, such as the mean cost, with its 95 % interval.
    Right: VUS and U_cons (the mean AUC over the boundaries between classes), as far as
    the search has them. Below each number of conditions stands the mean number of columns
    that these cards use.

    Parameters
    ----------
    table : DataFrame
        Result of `moselect.ParetoSearch.scorecard_lengths`.
    selected : int, optional
        Number of conditions to mark, such as the length of the selected card.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> card = search.select(class_costs=[1, 1, 1, 5, 5], model="scorecard")
    >>> drawn = scorecard_lengths(search.scorecard_lengths(card), selected=8)
    >>> [ax.get_ylabel() for ax in drawn.axes]
    ['cost', 'ranking']
    """
    value = table.columns[1]
    figure = new_figure(8.4, 4.2)
    costs, rankings = figure.subplots(1, 2)
    costs.plot(table[value], marker="o", color=TRAINING_COLOUR)
    band = table.reset_index()[["conditions", value, "std_error"]]
    draw_band(costs, band.mul([1.0, 1.0, Z_95]), TRAINING_COLOUR)
    costs.set_ylabel(metric_label(value))
    for name in table.columns.intersection([*RANKING]):
        rankings.plot(table[name], marker="o", label=objective_named(name).symbol)
    rankings.set_ylabel("ranking")
    ticks = table["columns"].iloc[:: -(-len(table) // TICKS)]
    for ax in (costs, rankings):
        ax.set_xticks(ticks.index, [f"{k}\n{n:.3g}" for k, n in ticks.items()])
        if selected is not None:
            ax.axvline(selected, color=OTHERS_COLOUR, linestyle="--", label="selected")
    xlabel = (
        "conditions on the card, and mean number of columns; cross-validated, not corrected "
        "for selection; band: 95 %"
    )
    frame(figure, (costs, rankings), xlabel)
    return figure
