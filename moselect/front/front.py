"""The front: the non-dominated models that a search found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.decision import Costs, as_costs
from moselect.front.html import front_html
from moselect.front.table import front_table, read_front_table
from moselect.models import OrdinalLinearClassifier
from moselect.pareto import (
    compromise_point,
    gain_above_chance,
    hypervolume_above_chance,
    knee_points,
    spread_subset,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Front:
    """A non-dominated set of ordinal linear models.

    No other of its models is at least as good in every objective and better in one.

    Attributes
    ----------
    objectives : DataFrame of shape (k, m)
        One row a model, training values, all to be maximised.
    weights : ndarray of shape (k, p)
        In the units of the features.
    thresholds : ndarray of shape (k, r - 1)
        Ascending.
    classes : ndarray of shape (r,)
        Class labels, lowest first.
    feature_names : tuple of str or None
        Names of the p features, if they have any.
    chance : Series of shape (m,)
        The objectives that are reached without features.
    holdout : DataFrame of shape (k, m) or None
        The same objectives on held-out samples, which the search never saw.
    confusions : ndarray of int, shape (k, r, r), or None
        Training samples of each true class (rows) that a model puts into each class (columns).
    holdout_confusions : ndarray of int, shape (k, r, r), or None
        The same of the held-out samples.
    """

    objectives: pd.DataFrame
    weights: Floats
    thresholds: Floats
    classes: NDArray[Any]
    feature_names: tuple[str, ...] | None
    chance: pd.Series
    holdout: pd.DataFrame | None = None
    confusions: Integers | None = None
    holdout_confusions: Integers | None = None

    def __len__(self) -> int:
        return len(self.objectives)

    def __getitem__(self, i: int) -> OrdinalLinearClassifier:
        """Return the ``i``-th model, ready to predict."""
        return OrdinalLinearClassifier(
            self.weights[i], self.thresholds[i], self.classes, self.feature_names
        )

    def __iter__(self) -> Iterator[OrdinalLinearClassifier]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        best = ", ".join(f"{name} <= {v:.4f}" for name, v in self.objectives.max().items())
        return f"Front of {len(self)} models ({best})"

    def _repr_html_(self) -> str:
        return front_html(self)

    @property
    def hypervolume(self) -> float:
        """Share of the volume between chance and perfection that the front dominates, 0 to 1."""
        return hypervolume_above_chance(self.objectives, self.chance)

    def best(self, objective: str) -> int:
        """Return the index of the model with the best value of an objective."""
        self.check_objective(objective)
        return int(self.objectives[objective].to_numpy().argmax())

    def balanced(self) -> int:
        """Return the index of the model with the greatest product of gains over chance."""
        return int(self._balance().argmax())

    def knee(self) -> int:
        """Return the index of a model that every step to a neighbour makes much worse.

        Of several (`moselect.pareto.knee_points`) it is the most balanced one.

        Raises
        ------
        ValueError
            If no model stands out: always among fewer than three, and where all trade-offs are
            alike.
        """
        knees = knee_points(self.objectives)
        if len(knees) == 0:
            raise ValueError("no model stands out as a knee: take balanced() or compromise()")
        return int(knees[self._balance()[knees].argmax()])

    def compromise(self, weights: ArrayLike) -> int:
        """Return the index of the model whose worst weighted regret is least.

        ``weights`` (m,) say how important each objective is; see
        `moselect.pareto.compromise_point`.
        """
        return compromise_point(self.objectives, weights)

    def subset(self, k: int) -> Front:
        """Return the front of ``k`` models that are well spread, the best of each objective kept.

        Parameters
        ----------
        k : int
            At least 1. Of fewer models than objectives, not all can be the best of one.
        """
        return self.take(np.sort(spread_subset(self.objectives, k)))

    def take(self, indices: Integers) -> Front:
        """Return the front of the models at some indices."""
        tables = {
            name: table.iloc[indices].reset_index(drop=True)
            for name in ("objectives", "holdout")
            if (table := getattr(self, name)) is not None
        }
        arrays = {
            name: array[indices]
            for name in ("weights", "thresholds", "confusions", "holdout_confusions")
            if (array := getattr(self, name)) is not None
        }
        return replace(self, **tables, **arrays)

    def training_costs(self, costs: Costs | ArrayLike | None = None) -> Floats:
        """Compute the mean cost of a training sample under each model (k,), lower is better.

        Parameters
        ----------
        costs : Costs or array-like, optional
            What mistakes cost: `moselect.Costs`, the costs of the classes (r,), or a matrix
            (r, r), rows true classes. By default every mistake costs its distance in classes.

        Raises
        ------
        ValueError
            If costs or priors do not fit, or the front has no confusion matrices.

        See Also
        --------
        moselect.ParetoSearch.select : The rule for new data, where models cost more than here.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> front = moselect.ParetoSearch(n_iterations=2, random_state=1).fit(X, y).front_
        >>> costs = front.training_costs([1, 1, 1, 5, 5])
        >>> bool(costs[front.cheapest([1, 1, 1, 5, 5])] == costs.min())
        True
        """
        if self.confusions is None:
            raise ValueError("the front holds no confusion matrices: search it anew")
        class_counts = self.confusions[0].sum(axis=1)
        return as_costs(costs).resolve(self.classes, class_counts).mean_costs(self.confusions)

    def cheapest(self, costs: Costs | ArrayLike | None = None) -> int:
        """Return the index of the first model that costs least on the training samples.

        Parameters and errors as in `training_costs`.
        """
        return int(self.training_costs(costs).argmin())

    def check_objective(self, objective: str) -> None:
        """Raise ValueError unless an objective is one of the front's."""
        if objective not in self.objectives:
            known = ", ".join(map(str, self.objectives))
            raise ValueError(f"unknown objective {objective!r}: choose from {known}")

    def to_frame(self) -> pd.DataFrame:
        """Return a table of one row a model.

        Columns are the objectives, ``holdout:<objective>``, ``w:<feature>``, ``b:<k>``, and the
        confusions ``n:<true>:<predicted>`` and ``holdout:n:<true>:<predicted>``, classes being
        numbered from 1; what is not known is left out.
        """
        return front_table(self)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, classes: ArrayLike, chance: pd.Series) -> Front:
        """Rebuild a front from the table that `to_frame` gave."""
        labels = np.asarray(classes)
        found = read_front_table(frame, labels, list(chance.index))
        return cls(**found, classes=labels, chance=chance)

    def _balance(self) -> Floats:
        """Compute the product of gains over chance of each model."""
        gain = gain_above_chance(self.objectives.to_numpy(), self.chance.to_numpy())
        return np.maximum(gain, 0.0).prod(axis=1)
