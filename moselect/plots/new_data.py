"""Cross-validated objectives of candidates and of the searched front."""

from collections.abc import Sequence
from itertools import combinations

import moocore
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure

from moselect._types import Floats, Integers
from moselect.candidates.cross_validation import CV
from moselect.candidates.names import MEMBER
from moselect.evaluation.decision import ERROR
from moselect.metrics.objectives import objective_named
from moselect.plots.pairwise import distinct
from moselect.plots.style import (
    IN_FULL,
    MARK,
    OTHERS_COLOUR,
    bar_lengths,
    candidate_styles,
    frame,
    panels_of,
    plain,
)
from moselect.search.front import Front
from moselect.selection import Evidence
from moselect.validation import check_choice

REGION_COLOUR = "0.88"
COST = "mean cost"
COST_LABEL = "mean cost (lower is better)"


def front_on_new_data(
    evidence: Evidence,
    front: Front | None = None,
    objectives: Sequence[str] | None = None,
) -> Figure:
    """Draw candidates and the searched front by their cross-validated objectives.

    One panel per pair of objectives; up and to the right is better. If costs decided, the
    mean cost takes the place of the first objective. Crosses are one standard error of
    each candidate; the grey region covers the members of the searched front, each with one
    standard error. Their costs are not estimated one by one: a dashed line is the mean cost
    of the best member. Without a searched front, a line joins the Pareto-optimal
    candidates. Constant predictions are left out.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a selected model, ``model.evidence``, or of a comparison.
    front : Front, optional
        Front of the search with its expected out-of-sample objectives.
    objectives : sequence of str, optional
        Two or more of the objectives, or ``"mean cost"``; by default the first three.
        Of coinciding objectives, as for two classes, only the first is drawn.

    Returns
    -------
    Figure

    Raises
    ------
    ValueError
        If an objective was not searched, fewer than two differ, or all predictions are
        constant.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=3, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="additive")
    >>> drawn = front_on_new_data(model.evidence, search.front_, ["accuracy", "vus"])
    >>> [ax.get_xlabel() for ax in drawn.axes]
    ['accuracy']
    """
    terms = evidence.candidates["terms"]
    names = [
        name for name in evidence.evaluations if name != MEMBER and terms[name] != 0.0
    ]
    if not names:
        raise ValueError("only constant predictions were evaluated: nothing to draw")
    values = pd.DataFrame(evidence.measures.xs(CV, level=1)).loc[names]
    errors = pd.DataFrame(evidence.measures.xs(ERROR, level=1)).loc[names]
    if evidence.loss.by_cost:
        values[COST] = evidence.candidates["cost"]
        errors[COST] = evidence.candidates["std_error"]
    pairs = list(combinations(_distinct(values, objectives), 2))
    figure, panels = panels_of(len(pairs))
    styles = candidate_styles(names, evidence.selected)
    class_counts = evidence.samples.class_weights
    for ax, (x, y) in zip(panels, pairs, strict=True):
        if COST in (x, y):
            # A line at the mean cost of the best member of the front.
            if MEMBER in evidence.candidates.index:
                draw = ax.axvline if x == COST else ax.axhline
                draw(
                    evidence.candidates["cost"][MEMBER],
                    color=OTHERS_COLOUR,
                    linestyle="--",
                    label="best model of the front",
                )
        elif front is not None and front.expected is not None:
            _draw_front(ax, front, x, y)
        if front is None:
            signs = [-1.0 if name == COST else 1.0 for name in (x, y)]
            gains = values[[x, y]].to_numpy() * signs
            is_best = moocore.is_nondominated(gains, maximise=True, keep_weakly=True)
            best = values[is_best].sort_values(x)
            ax.plot(
                best[x], best[y], label="Pareto front", linewidth=0.9, color=OTHERS_COLOUR
            )
        for candidate in names:
            style = styles[candidate]
            label = candidate
            marker_size = 5.0
            line_width = 0.9
            if candidate == evidence.selected:
                label = f"{candidate}, selected"
                marker_size = 8.0
                line_width = 1.6
            value = values.loc[candidate].to_dict()
            error = errors.loc[candidate].to_dict()
            across, up = (
                _error_bar(class_counts, name, value[name], error[name])
                for name in (x, y)
            )
            ax.errorbar(
                value[x],
                value[y],
                xerr=across,
                yerr=up,
                fmt=style["marker"],
                color=style["color"],
                markersize=marker_size,
                elinewidth=line_width,
                zorder=5,
                label=plain(label),
            )
        for name, axis in ((x, ax.xaxis), (y, ax.yaxis)):
            label = COST_LABEL if name == COST else objective_named(name).symbol
            axis.set_label_text(label)
            axis.set_inverted(name == COST)
        ax.margins(0.12)
        ax.ticklabel_format(**IN_FULL)
    frame(figure, panels, "cross-validated; crosses and region: one standard error")
    return figure


def _error_bar(class_counts: Integers, name: str, value: float, error: float) -> Floats:
    """Compute the error bar (2, 1) of one standard error within the range of the objective."""
    if name == COST:
        return bar_lengths(value, error)
    costs = objective_named(name).costs
    # A ranking is at least 0; costs are unbounded: 1 - the costliest mistake is least.
    least = 0.0 if costs is None else 1.0 - float(costs(class_counts).max())
    return bar_lengths(value, error, least, 1.0)


N_OBJECTIVES = 3


def _distinct(values: pd.DataFrame, objectives: Sequence[str] | None) -> list[str]:
    """Select the objectives to draw and drop any that coincides with an earlier one."""
    for name in objectives or ():
        check_choice("an objective", name, [*map(str, values)])
    values = values[[*(objectives or values)]].astype(float).dropna(axis="columns")
    # Objectives that differ by a constant coincide, too. A cost is none of them.
    names = distinct((values - values.iloc[0]).drop(columns=COST, errors="ignore"))
    if objectives is not None:
        names = [name for name in objectives if name in (COST, *names)]
    elif COST in values:
        names = [COST, *names[1:N_OBJECTIVES]]
    else:
        names = names[:N_OBJECTIVES]
    if len(names) < 2:
        raise ValueError("two objectives that differ are needed")
    return names


def _draw_front(ax: Axes, front: Front, x: str, y: str) -> None:
    """Draw the expected objectives of front members with their standard errors."""
    assert front.expected is not None
    assert front.expected_se is not None
    places = front.expected[[x, y]].to_numpy()
    errors = front.expected_se[[x, y]].to_numpy()
    widths, heights = 2.0 * errors.T
    region = EllipseCollection(
        widths,
        heights,
        np.zeros(len(places)),
        units="xy",
        offsets=places,
        offset_transform=ax.transData,
        facecolors=REGION_COLOUR,
        zorder=1,
    )
    ax.add_collection(region)
    ax.plot(*places.T, ".", color=OTHERS_COLOUR, markersize=3, label="front")
    ax.update_datalim(np.vstack([places - errors, places + errors]))
    balanced = front.balanced()
    label = f"compromise model ({balanced})"
    ax.plot(*places[balanced], "*", markersize=11, zorder=4, label=label, **MARK)
