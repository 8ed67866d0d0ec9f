"""Plots of model selection: costs and error rates of candidates."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import norm

from moselect.plots.style import (
    HOLDOUT_COLOUR,
    OTHERS_COLOUR,
    PERCENT,
    TRAINING_COLOUR,
    Look,
    frame,
    new_figure,
    plain,
    short_names,
)
from moselect.plots.trade_off import (
    FALSE_ALARM_RATE,
    MISS_RATE,
    boundary_rates,
    classes_to_find,
)
from moselect.selection import Evidence
from moselect.selection.headline import value_words

Z_95 = float(norm.ppf(0.975))  # half-width of a 95 % interval in standard errors
OFFSET = 0.17  # of the two bars of a boundary, in units of the vertical axis
OTHER: Look = {"ls": "none", "marker": "|", "color": OTHERS_COLOUR, "ms": 9}
RATES = ((TRAINING_COLOUR, OFFSET), (HOLDOUT_COLOUR, -OFFSET))  # bars from above


def decision(evidence: Evidence, *, figure: Figure | None = None) -> Figure:
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
    figure : Figure or SubFigure, optional
        Drawn into, instead of a new figure.

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
    if figure is None:
        height = 2.2 + 0.35 * max(len(evidence.candidates), len(evidence.confusion))
        figure = new_figure(10.0, height)
    first, second = figure.subplots(1, 2)
    _draw_candidates(first, evidence)
    _draw_rates(second, evidence)
    below = "cross-validated, with 95 % intervals"
    headline = f"Selected: {plain(evidence.selected)}"
    frame(figure, second.get_legend_handles_labels(), below, headline)
    return figure


def _draw_candidates(ax: Axes, evidence: Evidence) -> None:
    """Draw the value of each candidate and baseline with its interval."""
    table = evidence.candidates.dropna(subset=[evidence.value])
    table = table.sort_values("terms", kind="stable", na_position="last")
    names = [
        f"{plain(name)}\n{'no formula' if np.isnan(terms) else f'{terms:g} terms'}"
        for name, terms in table["terms"].items()
    ]
    for place, (name, row) in enumerate(table.iterrows()):
        colour = TRAINING_COLOUR if name == evidence.selected else OTHERS_COLOUR
        value = row[evidence.value]
        half_width = Z_95 * row["std_error"]
        below = min(half_width, value) if evidence.value == "cost" else half_width
        ends = [[below], [half_width]]
        ax.errorbar(value, place, xerr=ends, fmt="o", color=colour, linewidth=2.0)
    ax.set_yticks(range(len(names)), names, fontsize=9)
    ax.margins(y=0.12)
    metric = evidence.metric
    is_error = evidence.value == "cost" or (metric is not None and metric.is_error)
    better = "lower" if is_error else "higher"
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
            ends = np.clip([shares - half_widths, shares + half_widths], 0.0, 1.0)
            ax.barh(
                places + offset,
                shares,
                2 * OFFSET,
                xerr=np.abs(ends - shares),
                color=colour,
                label=words,
            )
    ax.plot([], [], label="other candidates", **OTHER)
    names = [classes_to_find(evidence, label) for label in labels]
    ax.set_yticks(places, short_names(names), fontsize=9)
    ax.set(xlim=(0.0, 1.0), xlabel="miss rate and false alarm rate")
    ax.xaxis.set_major_formatter(PERCENT)
