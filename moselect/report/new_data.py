"""What is known of a front on new data, as far as somebody has computed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect.decision import Loss
from moselect.front import Front


class Figure(NamedTuple):
    """A cross-validated figure and its 95 % interval.

    Examples
    --------
    >>> figure = Figure(value=1.13, low=0.95, high=1.31)
    >>> figure.value
    1.13
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Selection:
    """A model selected for a setting, that is costs or preferences, and how good it is on new data.

    Attributes
    ----------
    cost_matrix : array-like of shape (r, r) or None
        The costs it was fitted for; rows are true classes, columns predicted ones.
    value : float
        Its cross-validated mean cost, lower is better; by preference its utility, the weighted gain
        above chance, higher is better.
    interval : (float, float)
        The 95 % interval of that value.
    confusion : array-like of shape (r, r), optional
        Its cross-validated confusion matrix.
    document : dict, optional
        Its model file, for the button that downloads it.
    priors : array-like of shape (r,), optional
        Class shares in use, if they differ from those of the data.
    name : str
        The setting in a few words.
    class_costs : sequence of float, optional
        Costs of the classes that make the cost matrix, by ``loss``.
    loss : {"absolute", "squared", "zero_one"}
        What a mistake costs by the distance between the classes, times the cost of the class.
    preferences : mapping of str to float, optional
        Objective weights, instead of costs; empty if all objectives weigh the same.
    training : float, optional
        Its value in training.
    held_out : float, optional
        Its mean cost on held-out samples.
    rivals : mapping of str to Figure
        The values of rivals for the same setting, by name.
    verdicts : sequence of str
        How it compares with them, in words.

    Examples
    --------
    >>> from moselect import cost_matrix
    >>> selection = Selection(cost_matrix([1, 5]), 0.25, (0.2, 0.3), name="high costs more")
    >>> selection.value, selection.interval
    (0.25, (0.2, 0.3))
    """

    cost_matrix: ArrayLike | None
    value: float
    interval: tuple[float, float]
    confusion: ArrayLike | None = None
    document: Mapping[str, Any] | None = None
    priors: ArrayLike | None = None
    name: str = ""
    class_costs: Sequence[float] | None = None
    loss: Loss = "absolute"
    preferences: Mapping[str, float] | None = None
    training: float | None = None
    held_out: float | None = None
    rivals: Mapping[str, Figure] = field(default_factory=dict)
    verdicts: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class NewData:
    """Figures that hold on new data; the page puts them in front of those of training.

    What the objectives are expected to be stands in the front itself.

    Attributes
    ----------
    baselines : mapping of str to array-like of shape (r, r)
        Cross-validated confusion matrices of rivals by their names: what they cost follows for any
        costs.
    selections : sequence of Selection
        Models selected for a grid of settings, such as those of `select_for_settings`.
    models : Front, optional
        The selected models themselves, one row a selection, with the same figures as the front;
        ``expected`` is cross-validated. With them the page shows a selected model as it shows a
        member of the front: its weights, thresholds, predictions and measures.

    Examples
    --------
    >>> NewData(baselines={"proportional odds": [[8, 2], [3, 7]]}).baselines
    {'proportional odds': [[8, 2], [3, 7]]}
    """

    baselines: Mapping[str, ArrayLike] = field(default_factory=dict)
    selections: Sequence[Selection] = ()
    models: Front | None = None

    def check(self, front: Front) -> None:
        """Raise ValueError if a figure does not belong to the front."""
        r = len(front.classes)
        if self.models is not None and len(self.models) != len(self.selections):
            raise ValueError(
                f"models must have one row a selection: {len(self.selections)} rows, "
                f"not {len(self.models)}"
            )
        matrices = [(f"baseline {name!r}", matrix) for name, matrix in self.baselines.items()]
        for each in self.selections:
            if (each.cost_matrix is None) == (each.preferences is None):
                raise ValueError("a selection needs either a cost_matrix or preferences")
            if each.cost_matrix is not None:
                matrices.append(("a selection's cost_matrix", each.cost_matrix))
        for what, matrix in matrices:
            if np.shape(matrix) != (r, r):
                raise ValueError(f"{what} must have shape {(r, r)}, not {np.shape(matrix)}")
