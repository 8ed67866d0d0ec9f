"""What the models of a front cost, against one of their objectives."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect.decision import Costs, SelectedClassifier
from moselect.decision.costs import as_costs
from moselect.front import Front
from moselect.plots.labels import name_line_ends
from moselect.plots.pairs import nondominated_in_pair
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    MARK_COLOURS,
    OBJECTIVE_NAMES,
    OTHERS_COLOUR,
    TRAINING_COLOUR,
    legend_above,
    new_axes,
    write_in_full,
)

WIDTH = NormalDist().inv_cdf(0.975)  # standard errors on either side of a 95 % interval


def front_costs(
    front: Front,
    costs: Costs | ArrayLike | None = None,
    *,
    objective: str = "vus",
    selected: SelectedClassifier | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the expected cost of every model of a front against one of its objectives.

    Figures that hold on new data are drawn first and filled: what was selected, cross-validated
    and with its 95 % interval, its rivals as lines, and the models on held-out samples. Those of
    training are grey and blue lines and points.

    Parameters
    ----------
    front : Front
        Models that know their confusion matrices.
    costs : Costs or array-like, optional
        What mistakes cost, as in `Front.training_costs`.
    objective : str, default="vus"
        One of the front's; its values are those of the search.
    selected : SelectedClassifier, optional
        What ``select`` returned for these costs.
    ax : Axes, optional
        Where to draw, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the objective is not one of the front's, the front does not know its confusion
        matrices, ``selected`` was chosen for other costs, or costs or priors do not fit.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> front = moselect.ParetoSearch(n_iterations=2, random_state=1).fit(X, y).front_
    >>> ax = front_costs(front, [1, 1, 1, 5, 5])
    >>> ax.get_ylabel()
    'expected cost'
    """
    front.best(objective)  # raises if there is no such objective
    own = front.training_costs(costs)
    if selected is not None:
        _check_selected(selected, front, as_costs(costs))
    along = front.objectives[objective].to_numpy()
    if ax is None:
        ax = new_axes(7.0, 4.8)
    rivals = [] if selected is None else _draw_selected(ax, selected, objective)
    best = nondominated_in_pair(along, -own)
    if front.holdout_confusions is not None:
        held_out = replace(front, confusions=front.holdout_confusions)
        _draw_points(
            ax,
            along[best],
            held_out.training_costs(costs)[best],
            color=HOLDOUT_COLOUR,
            markersize=4.5,
            label="cheapest, held out",
        )
    order = np.flatnonzero(best)[np.argsort(along[best])]
    ax.plot(
        along[order],
        own[order],
        drawstyle="steps-pre",
        linewidth=0.9,
        marker="o",
        markersize=3.2,
        markeredgewidth=0,
        color=TRAINING_COLOUR,
        label="cheapest, training",
    )
    label = f"all {len(front):,} models, training"
    style = {"color": OTHERS_COLOUR, "alpha": 0.35, "markersize": 2.4, "rasterized": True}
    _draw_points(ax, along, own, label=label, **style)
    _set_axes(ax, objective, rivals)
    if rivals:
        name_line_ends(ax, rivals)
    return ax


def _check_selected(selected: SelectedClassifier, front: Front, costs: Costs) -> None:
    """Raise ValueError unless the evidence for a model is about these costs and priors."""
    evidence = selected.evidence
    if evidence is None:
        raise ValueError("selected has no evidence: give what select returned")
    resolved = costs.resolve(front.classes, evidence.confusion.sum(axis=1))
    if evidence.costs is None or not np.allclose(evidence.costs.in_use, resolved.in_use):
        raise ValueError(
            "selected was chosen for other costs or priors: select it for those of the picture"
        )


def _draw_selected(ax: Axes, selected: SelectedClassifier, objective: str) -> list[Any]:
    """Draw a rule and its rivals on new data; return the lines of the rivals."""
    evidence = selected.evidence
    assert evidence is not None  # has been checked
    of_objective = evidence.objectives[objective]
    costs = evidence.rules.dropna(subset=["cross-validated"])
    at_new, at_training = of_objective["cross-validated"], of_objective["training"]
    crossed, error, training = costs.iloc[0][["cross-validated", "standard error", "training"]]
    edge: dict[str, Any] = {"markeredgecolor": mpl.rcParams["text.color"], "markeredgewidth": 0.9}
    ax.errorbar(
        [at_new],
        [crossed],
        [WIDTH * error],
        ecolor=HOLDOUT_COLOUR,
        elinewidth=1.4,
        capsize=3,
        marker="*",
        markersize=15,
        markerfacecolor=MARK_COLOURS[0],
        linestyle="none",
        zorder=6,
        label="selected, new data (95 %)",
        **edge,
    )
    ax.plot(
        [at_training],
        [training],
        marker="*",
        markersize=9,
        markerfacecolor="none",
        linestyle="none",
        zorder=5,
        label="selected, training",
        **edge,
    )
    styles = {"linewidth": 1.1, "color": mpl.rcParams["text.color"], "alpha": 0.75, "zorder": 2}
    return [
        ax.axhline(cost, label=f"{name} {cost:.3g}", linestyle=line, **styles)
        for (name, cost), line in zip(
            costs["cross-validated"].iloc[1:].items(), ("--", "-.", ":"), strict=False
        )
    ]


def _draw_points(ax: Axes, x: Floats, costs: Floats, **style: Any) -> None:
    ax.plot(x, costs, linestyle="none", marker="o", markeredgewidth=0, **style)


def _set_axes(ax: Axes, objective: str, rivals: list[Any]) -> None:
    """Set limits that show all models and intervals, but not all rivals, which have own names."""
    costs = [line.get_ydata() for line in ax.lines if line not in rivals]
    bars = [np.asarray(path.vertices)[:, 1] for bar in ax.collections for path in bar.get_paths()]
    seen = np.concatenate([np.asarray(each, dtype=np.float64) for each in (*costs, *bars)])
    room = 0.08 * (seen.max() - seen.min()) or 0.01 * abs(seen.max()) or 0.01
    ax.set_ylim(seen.min() - room, seen.max() + room)
    for axis in (ax.xaxis, ax.yaxis):
        write_in_full(axis)
    ax.set(xlabel=OBJECTIVE_NAMES[objective].axis, ylabel="expected cost")
    handles = [each for each in ax.get_legend_handles_labels()[0] if each not in rivals]
    legend_above(ax, handles=handles, ncols=3, columnspacing=1.0, handlelength=1.4)
