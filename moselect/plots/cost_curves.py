"""Cost under stricter limits, and by the share of referred samples."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from moselect.costs.limits import parts_of
from moselect.inspection.group_members import FEWEST_ROWS
from moselect.plots.rates import MARK
from moselect.plots.style import (
    CONSTANT,
    OTHERS_COLOUR,
    PANELS,
    candidate_styles,
    draw_candidates,
    frame,
    in_percent,
    new_figure,
    panels_of,
    plain,
    wrapped_title,
)
from moselect.report.headline import boundary_miss, costliest_class
from moselect.selection import Evidence

# A boundary at which the strictest limit costs next to nothing has a flat line.
LEAST_RISE = 1.01
# Room beyond the loosest limit that changes a decision, and the highest cost drawn,
# in units of the least cost: the strictest limits predict one class at a multiple of
# it.
ROOM = 1.2
HIGHEST_COST = 3.0


def price_of_limit(
    evidence: Evidence, mistakes: str | Sequence[str] | None = None
) -> Figure:
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

    Returns
    -------
    Figure

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
    limits = evidence.criteria.limits
    in_use = {limit.words: limit.most for limit in limits if limit.members is None}
    labels = evidence.samples.classes.tolist()
    labels = labels[1:] if costliest_class(evidence) else labels[:-1]
    boundaries = [boundary_miss(evidence, label) for label in labels]
    stated = [mistakes] if isinstance(mistakes, str) else mistakes or [*in_use]
    prices = {words: evidence.price(words) for words in stated or boundaries}
    if not stated:
        changing = {
            words: table
            for words, table in prices.items()
            if table["cost"].iloc[-1] > LEAST_RISE * table["cost"].iloc[0]
        }
        costliest = boundaries[-1 if costliest_class(evidence) else 0]
        prices = changing or {costliest: prices[costliest]}
    alone = evidence.evaluations.only(evidence.selected)
    own = replace(evidence, evaluations=alone)
    style = candidate_styles(evidence.predicted, evidence.selected)[evidence.selected]
    cost = evidence.chosen.cv_loss[0]
    figure, panels = panels_of(len(prices), **PANELS, sharey=True)
    for ax, (words, table) in zip(panels, prices.items(), strict=True):
        selected = own.price(words)
        _draw_price(ax, table, "cheapest candidate", color=OTHERS_COLOUR, linewidth=1.2)
        _draw_price(ax, selected, plain(evidence.selected), **style)
        loosest = [float(each["limit"].iloc[0]) for each in (table, selected)]
        if words in in_use:
            loosest.append(in_use[words])
            ax.axvline(in_use[words], color="black", linestyle=":", label="limit in use")
            ax.plot(in_use[words], cost, "o", label="selected model", **MARK)
        ax.set_xlim(0.0, min(1.0, ROOM * max(loosest)))
        ax.xaxis.set_major_locator(MaxNLocator(4, prune="upper"))
        in_percent(ax.xaxis)
        ax.set_title(wrapped_title(_in_words(words, evidence)), fontsize=9)
    least = min(float(table["cost"].iloc[0]) for table in prices.values())
    if panels[0].get_ylim()[1] > HIGHEST_COST * least > 0.0:
        panels[0].set_ylim(top=HIGHEST_COST * least)
    xlabel = "maximum allowed share, cross-validated"
    frame(figure, panels, xlabel, "least mean cost", "Cost of stricter limits")
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


# The mean of few decided samples varies so much that it would set the scale:
# share of decided samples from which it is drawn.
MIN_CLASSIFIED = 0.1


def referral(evidence: Evidence) -> Figure:
    """Draw cross-validated cost by the share of samples referred for review.

    Left: mean cost of all samples. Right: mean cost of the decided samples (risk-coverage
    curve), where these are at least 30 and a tenth of all samples. One line per
    candidate; samples are referred in the order of expected saving. The band is one
    standard error of the selected candidate, the dot is the share in use.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a model that was selected with a referral cost, ``model.evidence``.

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If it was selected without a referral.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear", refer=0.5)
    >>> [ax.get_ylabel() for ax in referral(model.evidence).axes]
    ['mean cost', 'mean cost of decided samples']
    """
    curves = evidence.referral()
    fewest = max(FEWEST_ROWS / len(evidence.samples), MIN_CLASSIFIED)
    many_classified = 1.0 - curves["referred"] >= fewest
    figure = new_figure(8.4, 4.2)
    both = figure.subplots(1, 2)
    of_classified = curves[many_classified & ~curves["model"].isin(CONSTANT)]
    for ax, shown, what, label, error in (
        (both[0], curves, "cost", "mean cost", "std_error"),
        (both[1], of_classified, "decided", "mean cost of decided samples", ""),
    ):
        draw_candidates(ax, shown, evidence, "referred", what, error)
        used = shown[(shown["model"] == evidence.selected) & shown["in use"]]
        ax.plot("referred", what, "o", data=used, label="in use", ls="none", **MARK)
        ax.set(xlim=(-0.02, 1.02), ylim=(0.0, None), ylabel=label)
        in_percent(ax.xaxis)
    own = curves[(curves["model"] == evidence.selected) & curves["in use"]].iloc[0]
    headline = (
        f"{evidence.selected} refers {100.0 * own['referred']:.0f} % of the samples: "
        f"mean cost {own['cost']:.3g}"
    )
    xlabel = "share referred for review, cross-validated; band: one standard error"
    frame(figure, both, xlabel, title=headline)
    return figure
