"""What is known of a front on new data, as far as somebody has computed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect.front import Front


@dataclass(frozen=True, eq=False)
class Selection:
    """A rule for given costs and what it costs on new data.

    Attributes
    ----------
    cost_matrix : array-like of shape (r, r)
        The costs it was fitted for; rows are true classes, columns predicted ones.
    cost : float
        Its cross-validated mean cost.
    interval : (float, float)
        The 95 % interval of that cost.
    confusion : array-like of shape (r, r), optional
        Its cross-validated confusion matrix.
    document : dict, optional
        Its model file, for the button that downloads it.
    priors : array-like of shape (r,), optional
        Class shares in use, if they differ from those of the data.
    """

    cost_matrix: ArrayLike
    cost: float
    interval: tuple[float, float]
    confusion: ArrayLike | None = None
    document: Mapping[str, Any] | None = None
    priors: ArrayLike | None = None


@dataclass(frozen=True, eq=False)
class NewData:
    """Costs that hold on new data; the page puts them in front of those of training.

    What the objectives are expected to be stands in the front itself.

    Attributes
    ----------
    baselines : mapping of str to array-like of shape (r, r)
        Cross-validated confusion matrices of rivals by their names: what they cost follows for any
        costs.
    selections : sequence of Selection
        Rules for a grid of costs.

    Examples
    --------
    >>> NewData(baselines={"proportional odds": [[8, 2], [3, 7]]}).baselines
    {'proportional odds': [[8, 2], [3, 7]]}
    """

    baselines: Mapping[str, ArrayLike] = field(default_factory=dict)
    selections: Sequence[Selection] = ()

    def check(self, front: Front) -> None:
        """Raise ValueError if a figure does not belong to the front."""
        r = len(front.classes)
        matrices = [(f"baseline {name!r}", matrix) for name, matrix in self.baselines.items()]
        matrices += [("a selection's cost_matrix", each.cost_matrix) for each in self.selections]
        for what, matrix in matrices:
            if np.shape(matrix) != (r, r):
                raise ValueError(f"{what} must have shape {(r, r)}, not {np.shape(matrix)}")
