"""Costs of all candidates of a selection, and measures by group."""

import numpy as np
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
from moselect.plots.style import (
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    Z_95,
    bar_lengths,
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
