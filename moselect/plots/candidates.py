"""Costs of all candidates of a selection, of scorecards by length, and measures by group."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from moselect.candidates.names import (
    ADDITIVE,
    ENSEMBLE,
    LINEAR,
    MEMBER,
    PROPORTIONAL_ODDS,
    SCORECARD,
)
from moselect.inspection.group_members import FEWEST_ROWS
from moselect.inspection.groups import GroupEstimates
from moselect.listing import rounded
from moselect.metrics.metric_names import metric_label
from moselect.metrics.objectives import objective_named
from moselect.plots.style import (
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    Z_95,
    bar_lengths,
    draw_band,
    frame,
    legend_below,
    new_axes,
    new_figure,
    plain,
    short_names,
)
from moselect.selection import Evidence
from moselect.validation import check_choice

SIMPLEST_FIRST = (SCORECARD, PROPORTIONAL_ODDS, LINEAR, MEMBER, ADDITIVE, ENSEMBLE)


def decision(evidence: Evidence) -> Figure:
    """Draw the mean cost of each candidate and baseline with its 95 % interval.

    Or their utility, if the model was selected by preference; cross-validated, the
    simplest at the bottom. The selected model is in colour.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a selected model, ``model.evidence``.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> [ax.get_xlabel() for ax in decision(model.evidence).axes]
    ['mean cost per case (lower is better)']
    """
    figure = new_figure(6.5, 2.2 + 0.35 * len(evidence.candidates))
    ax = figure.subplots()
    table = evidence.candidates.dropna(subset=[evidence.value])
    # At equal numbers of terms, points are simpler than coefficients, then splines.
    ranks = table.index.map({name: k for k, name in enumerate(SIMPLEST_FIRST)})
    table = table.assign(rank=ranks).sort_values(["terms", "rank"])
    names = [
        f"{plain(name)}\n{'no formula' if np.isnan(terms) else f'{terms:g} terms'}"
        for name, terms in table["terms"].items()
    ]
    values = table[evidence.value]
    lengths = bar_lengths(values, Z_95 * table["std_error"], evidence.loss.least)
    for k, name in enumerate(table.index):
        colour = TRAINING_COLOUR if name == evidence.selected else OTHERS_COLOUR
        bar = lengths[:, [k]]
        ax.errorbar(values.iloc[k], k, xerr=bar, fmt="o", color=colour, linewidth=2.0)
    ax.set_yticks(range(len(names)), names, fontsize=9)
    ax.margins(y=0.12)
    better = "lower" if evidence.loss.lower_is_better else "higher"
    ax.set_xlabel(f"{evidence.loss.words} ({better} is better)")
    ax.set_title("models, simplest at the bottom", fontsize=10)
    title = f"Selected: {plain(evidence.selected)}"
    frame(figure, [ax], "cross-validated, with 95 % intervals", title=title)
    return figure


def by_group(
    groups: GroupEstimates, measure: str | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw a measure of each group with 95 % intervals, and a rule at its value overall.

    The highest value is at the top; groups of fewer than 30 rows are left out. The title
    states the largest difference between groups with its 95 % interval.

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

    Raises
    ------
    ValueError
        If the measure is unknown, or no group has 30 rows.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> by_group(model.evidence.group_estimates("CHAS")).get_xlabel()
    'cross-validated cost, 95 % intervals'
    """
    measure = measure or str(groups.overall.index[0])
    check_choice("measure", measure, [*groups.overall.index])
    table = groups.table[groups.table["rows"] >= FEWEST_ROWS]
    if table.empty:
        raise ValueError(f"no group of {table.index.name!r} has {FEWEST_ROWS} rows")
    table = table.sort_values(measure, kind="stable")
    ax = ax or new_axes(6.5, 1.8 + 0.35 * len(table))
    places = np.arange(len(table))
    values = table[measure]
    half_widths = Z_95 * table[groups.errors[measure]]
    least = -np.inf if measure == "mean_error" else 0.0
    ax.errorbar(
        values,
        places,
        xerr=bar_lengths(values, half_widths, least),
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
        largest, low, high = (
            rounded(groups.differences[end].to_dict()[measure], 2)
            for end in ("difference", "low", "high")
        )
        ax.set_title(
            f"largest difference in {words}: {largest} ({low} to {high})",
            fontsize=10,
        )
    legend_below(ax)
    return ax


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
