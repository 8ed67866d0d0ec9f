"""What the models of a front cost, against one of their objectives."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from moselect.decision import Costs, SelectedClassifier, SelectedPool
from moselect.decision.costs import as_costs
from moselect.front import Front
from moselect.plots.labels import name_line_ends
from moselect.plots.pairs import nondominated_in_pair
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    LINE_STYLES,
    MARK_COLOURS,
    OBJECTIVE_NAMES,
    OTHERS_COLOUR,
    POINTS,
    TRAINING_COLOUR,
    legend_above,
    new_axes,
    star,
    write_in_full,
)

WIDTH = NormalDist().inv_cdf(0.975)  # standard errors on either side of a 95 % interval


def front_costs(
    front: Front,
    costs: Costs | ArrayLike | None = None,
    *,
    objective: str = "vus",
    selected: SelectedClassifier | SelectedPool | None = None,
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
    selected : SelectedClassifier or SelectedPool, optional
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
    training = front.training_costs(costs)
    if selected is not None:
        _check_selected(selected, front, as_costs(costs))
    along = front.objectives[objective].to_numpy()
    ax = ax or new_axes(7.0, 4.8)
    rivals = [] if selected is None else _draw_selected(ax, selected, objective)
    best = nondominated_in_pair(along, -training)
    if front.holdout_confusions is not None:
        held_out = replace(front, confusions=front.holdout_confusions)
        outside = held_out.training_costs(costs)[best]
        style = {**POINTS, "color": HOLDOUT_COLOUR, "markersize": 4.5}
        ax.plot(along[best], outside, label="cheapest, held out", **style)
    order = np.flatnonzero(best)[np.argsort(along[best])]
    style = {**POINTS, "color": TRAINING_COLOUR, "markersize": 3.2}
    style |= {"linestyle": "-", "linewidth": 0.9, "drawstyle": "steps-pre"}
    ax.plot(along[order], training[order], label="cheapest, training", **style)
    style = {**POINTS, "color": OTHERS_COLOUR, "markersize": 2.4, "alpha": 0.35}
    label = f"all {len(front):,} models, training"
    ax.plot(along, training, label=label, rasterized=True, **style)
    _set_axes(ax, objective, rivals)
    if rivals:
        name_line_ends(ax, rivals)
    return ax


def _check_selected(
    selected: SelectedClassifier | SelectedPool, front: Front, costs: Costs
) -> None:
    """Raise ValueError unless the evidence for a model is about these costs and priors."""
    evidence = selected.evidence
    if evidence is None:
        raise ValueError("selected has no evidence: give what select returned")
    resolved = costs.resolve(front.classes, evidence.confusion.sum(axis=1))
    if evidence.costs is None or not np.allclose(evidence.costs.in_use, resolved.in_use):
        raise ValueError(
            "selected was chosen for other costs or priors: select it for those of the picture"
        )


def _draw_selected(
    ax: Axes, selected: SelectedClassifier | SelectedPool, objective: str
) -> list[Any]:
    """Draw a rule and its rivals on new data; return the lines of the rivals."""
    evidence = selected.evidence
    assert evidence is not None  # has been checked
    of_objective = evidence.objectives[objective]
    at_new, at_training = of_objective["new data"], of_objective["training"]
    row: Any = evidence.rules.loc[evidence.selected]
    cost, error, training = row["new data"], row["standard error"], row["training"]
    rivals = evidence.rules["new data"].drop(evidence.selected).dropna()
    ax.errorbar(
        [at_new],
        [cost],
        [WIDTH * error],
        ecolor=HOLDOUT_COLOUR,
        elinewidth=1.4,
        capsize=3,
        label="selected, new data (95 %)",
        **star(15, MARK_COLOURS[0], zorder=6),
    )
    ax.plot([at_training], [training], label="selected, training", **star(9, "none", zorder=5))
    styles = {"linewidth": 1.1, "color": mpl.rcParams["text.color"], "alpha": 0.75, "zorder": 2}
    return [
        ax.axhline(paid, label=f"{name} {paid:.3g}", linestyle=line, **styles)
        for (name, paid), line in zip(rivals.items(), LINE_STYLES[1:], strict=False)
    ]


def _set_axes(ax: Axes, objective: str, rivals: list[Any]) -> None:
    """Set limits that show all models and intervals, but not all rivals, which have own names."""
    costs = [line.get_ydata() for line in ax.lines if line not in rivals]
    bars = [np.asarray(path.vertices)[:, 1] for bar in ax.collections for path in bar.get_paths()]
    seen = np.concatenate([np.asarray(each, dtype=np.float64) for each in (*costs, *bars)])
    room = 0.08 * (seen.max() - seen.min()) or 0.01 * abs(seen.max()) or 0.01
    ax.set_ylim(seen.min() - room, seen.max() + room)
    for axis in (ax.xaxis, ax.yaxis):
        write_in_full(axis)
    ax.set(xlabel=OBJECTIVE_NAMES[objective].axis_label, ylabel="expected cost")
    handles = [each for each in ax.get_legend_handles_labels()[0] if each not in rivals]
    legend_above(ax, handles=handles, ncols=3, columnspacing=1.0, handlelength=1.4)
