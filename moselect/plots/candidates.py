"""Costs and error rates of all candidates of a selection, and measures by group."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from moselect.inspection.group_members import FEWEST_ROWS
from moselect.inspection.groups import GroupEstimates
from moselect.listing import rounded
from moselect.plots.rates import (
    FALSE_ALARM_RATE,
    MISS_RATE,
    boundary_rates,
    classes_to_find,
)
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    Z_95,
    Look,
    bar_lengths,
    frame,
    in_percent,
    legend_below,
    new_axes,
    new_figure,
    plain,
    short_names,
)
from moselect.report.headline import value_words
from moselect.selection import Evidence
from moselect.validation import check_choice

OFFSET = 0.17  # of the two bars of a boundary, in units of the vertical axis
OTHER: Look = {"ls": "none", "marker": "|", "color": OTHERS_COLOUR, "ms": 9}
RATES = ((TRAINING_COLOUR, OFFSET), (HOLDOUT_COLOUR, -OFFSET))  # bars from above


def decision(evidence: Evidence) -> Figure:
    """Draw costs and error rates of all candidates and baselines.

    Left: mean cost of each candidate and baseline (or utility, if selected by preference)
    with 95 % intervals, the simplest at the bottom. Right: miss rate and false alarm rate
    at each boundary between classes, as in `trade_off`, with 95 % intervals, where
    referred samples are neither misses nor false alarms. All figures are cross-validated.
    The selected model is in colour; small grey marks are the other candidates.

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
    ['mean cost per case (lower is better)', 'miss rate and false alarm rate']
    """
    height = 2.2 + 0.35 * max(len(evidence.candidates), len(evidence.confusion))
    figure = new_figure(10.0, height)
    panels = figure.subplots(1, 2)
    _draw_candidates(panels[0], evidence)
    _draw_rates(panels[1], evidence)
    title = f"Selected: {plain(evidence.selected)}"
    frame(figure, panels, "cross-validated, with 95 % intervals", title=title)
    return figure


def _draw_candidates(ax: Axes, evidence: Evidence) -> None:
    """Draw the value of each candidate and baseline with its interval."""
    table = evidence.candidates.dropna(subset=[evidence.value])
    table = table.sort_values("terms", kind="stable", na_position="last")
    names = [
        f"{plain(name)}\n{'no formula' if np.isnan(terms) else f'{terms:g} terms'}"
        for name, terms in table["terms"].items()
    ]
    values = table[evidence.value]
    least = 0.0 if evidence.value == "cost" else -np.inf
    lengths = bar_lengths(values, Z_95 * table["std_error"], least)
    for k, name in enumerate(table.index):
        colour = TRAINING_COLOUR if name == evidence.selected else OTHERS_COLOUR
        style: Look = {"fmt": "o", "color": colour, "linewidth": 2.0}
        ax.errorbar(values.iloc[k], k, xerr=lengths[:, [k]], **style)
    ax.set_yticks(range(len(names)), names, fontsize=9)
    ax.margins(y=0.12)
    better = "lower" if evidence.evaluations.lower_is_better else "higher"
    ax.set_xlabel(f"{value_words(evidence)} ({better} is better)")
    ax.set_title("models, simplest at the bottom", fontsize=10)


def _draw_rates(ax: Axes, evidence: Evidence) -> None:
    """Draw the error rates at each boundary: bars of the selected model, marks of others."""
    labels = evidence.samples.classes[1:].tolist()
    places = np.arange(len(labels))
    for candidate in map(str, evidence.predicted):
        rates = [boundary_rates(evidence, candidate, label) for label in labels]
        for reached, words, (colour, offset) in zip(
            zip(*rates, strict=True), (MISS_RATE, FALSE_ALARM_RATE), RATES, strict=True
        ):
            shares = np.array([each.share for each in reached])
            if candidate != evidence.selected:
                # At 0 and 100 %, half of a mark lies outside.
                ax.plot(shares, places + offset, zorder=3, clip_on=False, **OTHER)
                continue
            half_widths = Z_95 * np.array([each.std_error for each in reached])
            ax.barh(
                places + offset,
                shares,
                2 * OFFSET,
                xerr=bar_lengths(shares, half_widths, greatest=1.0),
                color=colour,
                label=words,
            )
    ax.plot([], [], label="other candidates", **OTHER)
    names = [classes_to_find(evidence, label) for label in labels]
    ax.set_yticks(places, short_names(names), fontsize=9)
    ax.set(xlim=(0.0, 1.0), xlabel="miss rate and false alarm rate")
    in_percent(ax.xaxis)


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
