"""What is known of a front on new data, as far as somebody has computed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
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
    """Figures that hold on new data; the page puts them in front of those of training.

    Attributes
    ----------
    expected, expected_se : DataFrame of shape (k, m), optional
        The objectives of the models of the front on new data, and their standard errors.
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

    expected: pd.DataFrame | None = None
    expected_se: pd.DataFrame | None = None
    baselines: Mapping[str, ArrayLike] = field(default_factory=dict)
    selections: Sequence[Selection] = ()

    def check(self, front: Front) -> None:
        """Raise ValueError if a figure does not belong to the front."""
        r, columns = len(front.classes), list(front.objectives.columns)
        if (self.expected is None) != (self.expected_se is None):
            raise ValueError("give both expected and expected_se, or neither")
        for name in ("expected", "expected_se"):
            table = getattr(self, name)
            if table is not None and (len(table) != len(front) or list(table.columns) != columns):
                raise ValueError(f"{name} must have the rows and columns of front.objectives")
        matrices = [(f"baseline {name!r}", matrix) for name, matrix in self.baselines.items()]
        matrices += [("a selection's cost_matrix", each.cost_matrix) for each in self.selections]
        for what, matrix in matrices:
            if np.shape(matrix) != (r, r):
                raise ValueError(f"{what} must have shape {(r, r)}, not {np.shape(matrix)}")
