"""Plots of model selection: costs and error rates of candidates, and the cost of limits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from scipy.stats import norm

from moselect.plots.style import (
    HOLDOUT_COLOUR,
    OTHERS_COLOUR,
    PANELS,
    PERCENT,
    TRAINING_COLOUR,
    AnyFigure,
    Look,
    candidate_styles,
    frame,
    new_figure,
    panels_of,
    plain,
    short_names,
    wrapped_title,
)
from moselect.plots.trade_off import (
    FALSE_ALARM_RATE,
    MARK,
    MISS_RATE,
    boundary_rates,
    classes_to_find,
)
from moselect.selection import Evidence
from moselect.selection.headline import boundary_miss, costliest_class, value_words
from moselect.selection.limits import parts_of, split_limit

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


def price_of_limit(
    evidence: Evidence,
    mistakes: str | Sequence[str] | None = None,
    *,
    figure: AnyFigure | None = None,
) -> AnyFigure:
    """Draw the least cross-validated cost under each limit on an error rate.

    One panel per error rate: the selected candidate, and the cheapest of all candidates,
    with at most 61 decisions each. A limit is met with a margin of 2.33 standard errors,
    as in `ParetoSearch.select`. A vertical line is a limit in use, the dot the selected
    model. Costs above three times the least one are not drawn.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a model that was selected for costs, ``model.evidence``.
    mistakes : str or sequence of str, optional
        Such as ``"severe<serious"``; by default the limited error rates, or else the
        miss rate of each boundary at which limits raise the cost by at least 1 %.
    figure : Figure or SubFigure, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Figure or SubFigure

    Raises
    ------
    ValueError
        If it was selected by preference, or a mistake cannot be read.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> [ax.get_title() for ax in price_of_limit(model.evidence, "4<4").axes]
    ['4 or above missed']
    """
    in_use: dict[str, float] = {}
    for limit in evidence.limits:  # of limits in groups the strictest one
        mistake, _, _ = split_limit(limit.words)
        in_use[mistake] = min(limit.most, in_use.get(mistake, 1.0))
    labels = evidence.samples.classes.tolist()
    labels = labels[1:] if costliest_class(evidence) else labels[:-1]
    boundaries = [boundary_miss(evidence, label) for label in labels]
    stated = [mistakes] if isinstance(mistakes, str) else mistakes or [*in_use]
    prices = {words: evidence.price(words) for words in stated or boundaries}
    if not stated:
        # A boundary at which the strictest limit costs next to nothing has a flat line.
        least_rise = 1.01
        changing = {
            words: table
            for words, table in prices.items()
            if table["cost"].iloc[-1] > least_rise * table["cost"].iloc[0]
        }
        costliest = boundaries[-1 if costliest_class(evidence) else 0]
        prices = changing or {costliest: prices[costliest]}
    alone = evidence.evaluations.only(evidence.selected)
    own = replace(evidence, evaluations=alone)
    style = candidate_styles(evidence.predicted, evidence.selected)[evidence.selected]
    cost = float(evidence.candidates["cost"][evidence.selected])
    figure, panels = panels_of(figure, len(prices), **PANELS, sharey=True)
    # Room beyond the loosest limit that changes a decision, and the highest cost drawn,
    # in units of the least cost: the strictest limits predict one class at a multiple of
    # it.
    room = 1.2
    for ax, (words, table) in zip(panels, prices.items(), strict=True):
        selected = own.price(words)
        _draw_price(ax, table, "cheapest candidate", color=OTHERS_COLOUR, linewidth=1.2)
        _draw_price(ax, selected, plain(evidence.selected), **style)
        loosest = [float(each["limit"].iloc[0]) for each in (table, selected)]
        if words in in_use:
            loosest.append(in_use[words])
            ax.axvline(in_use[words], color="black", linestyle=":", label="limit in use")
            ax.plot(in_use[words], cost, "o", label="selected model", **MARK)
        ax.set_xlim(0.0, min(1.0, room * max(loosest)))
        ax.xaxis.set_major_locator(MaxNLocator(4, prune="upper"))
        ax.xaxis.set_major_formatter(PERCENT)
        ax.set_title(wrapped_title(_in_words(words, evidence)), fontsize=9)
    least = min(float(table["cost"].iloc[0]) for table in prices.values())
    highest = 3.0
    if panels[0].get_ylim()[1] > highest * least > 0.0:
        panels[0].set_ylim(top=highest * least)
    entries = panels[0].get_legend_handles_labels()
    below = "maximum allowed share, cross-validated"
    frame(figure, entries, below, "Cost of stricter limits")
    figure.supylabel("least mean cost", fontsize=9)
    return figure


def _draw_price(ax: Axes, table: pd.DataFrame, label: str, **style: Any) -> None:
    """Draw the cost under each limit; a decision meets limits up to the limit of the row before."""
    limits = np.append(1.0, table["limit"])
    costs = np.append(table["cost"].iloc[0], table["cost"])
    ax.step(limits, costs, where="pre", label=label, **style)


def _in_words(words: str, evidence: Evidence) -> str:
    """Return a limited mistake as a sentence of class names."""
    names = list(map(str, evidence.samples.classes.tolist()))
    parts = parts_of(words, names)
    rows = "any class"
    if "truth" in parts:
        rows = names[parts.pop("truth")]
    ((relation, bound),) = parts.items()
    if relation == "predicted":
        return f"{rows} predicted {names[bound]}"
    if relation == "below":
        classes = rows if rows == names[-1] else f"{rows} or above"
        direction = "lower"
    else:
        classes = rows if rows == names[0] else f"{names[0]} to {rows}"
        direction = "higher"
    is_miss = rows == names[bound]
    return f"{classes} {'missed' if is_miss else f'predicted {direction} than {names[bound]}'}"
