"""The front: all models that no other found one dominates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.decision import Loss
from moselect.models import OrdinalLinearClassifier
from moselect.pareto import (
    ParetoArchive,
    compromise_point,
    gain_above_chance,
    hypervolume_above_chance,
    knee_points,
    spread_subset,
)
from moselect.search.front_costs import mean_costs
from moselect.search.front_html import front_html
from moselect.search.front_objects import check_objective
from moselect.search.front_table import front_table, read_front_table
from moselect.search.objectives import OBJECTIVES
from moselect.search.problem import OrdinalProblem
from moselect.search.selection import SelectedClassifier, select_rule

if TYPE_CHECKING:
    from moselect.report import Page

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Front:
    """A non-dominated set of ordinal linear models.

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
        The same objectives on rows that the search never saw.
    confusions : ndarray of int, shape (k, r, r), or None
        Objects of the search of each true class (rows) that a model puts into each class
        (columns).
    holdout_confusions : ndarray of int, shape (k, r, r), or None
        The same of the rows that the search never saw.
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
        """Give the ``i``-th model, ready to predict."""
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
        """Give the place of the model with the best value of an objective."""
        check_objective(self, objective)
        return int(self.objectives[objective].to_numpy().argmax())

    def balanced(self) -> int:
        """Give the place of the model with the greatest product of gains over chance."""
        return int(self._balance().argmax())

    def knee(self) -> int:
        """Give the place of a model that every step to a neighbour makes much worse.

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
        """Give the place of the model whose worst weighted regret is least.

        ``weights`` (m,) say how important each objective is; see
        `moselect.pareto.compromise_point`.
        """
        return compromise_point(self.objectives, weights)

    def subset(self, k: int) -> Front:
        """Give the front of ``k`` models that stand for all, the best of each objective kept.

        Parameters
        ----------
        k : int
            At least 1. Of fewer models than objectives, not all can be the best of one.
        """
        return self.take(np.sort(spread_subset(self.objectives, k)))

    def take(self, places: Integers) -> Front:
        """Give the front of the models at some places."""
        tables = {
            name: table.iloc[places].reset_index(drop=True)
            for name in ("objectives", "holdout")
            if (table := getattr(self, name)) is not None
        }
        arrays = {
            name: array[places]
            for name in ("weights", "thresholds", "confusions", "holdout_confusions")
            if (array := getattr(self, name)) is not None
        }
        return replace(self, **tables, **arrays)

    def expected_costs(
        self,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        *,
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
    ) -> Floats:
        """Give the mean cost of an object of the search under each model (k,), lower is better.

        Parameters
        ----------
        class_costs, loss, cost_matrix, priors
            As in `select`; without costs, a mistake costs 1 in every class.

        Raises
        ------
        ValueError
            If costs or priors do not fit, or the front does not know what its models predict.

        See Also
        --------
        select : The rule for new data, on which models cost more than on those of the search.
        """
        if self.confusions is None:
            raise ValueError("the front holds no confusion matrices: search it anew")
        return mean_costs(self.confusions, self.classes, class_costs, loss, cost_matrix, priors)

    def cheapest(
        self,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        *,
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
    ) -> int:
        """Give the place of the model that costs least on the objects of the search.

        Of equally cheap ones it is the first. For new data take `select`, whose rule costs less
        there.

        Parameters and errors as in `expected_costs`.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> front = moselect.ParetoSearch(n_iterations=2, random_state=1).fit(X, y).front_
        >>> costs = front.expected_costs([1, 1, 1, 5, 5])
        >>> bool(costs[front.cheapest([1, 1, 1, 5, 5])] == costs.min())
        True
        """
        costs = self.expected_costs(class_costs, loss, cost_matrix=cost_matrix, priors=priors)
        return int(costs.argmin())

    def select(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        *,
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
    ) -> SelectedClassifier:
        """Give the rule that is to cost least on new data, and where it lies on the front.

        The front is fitted to the data at hand, and so is its cheapest member, which on new data
        costs more than it promises. What is handed over is tuned to the costs and then cut at the
        costs to be expected; the ``report`` of the result compares the two.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Features, of the objects of the search or of new ones.
        y : array-like of shape (n,)
            Labels; every class of the front must be there.
        class_costs : array-like of shape (r,), optional
            What a mistake costs on an object of each class.
        loss : {"absolute", "squared", "zero_one"}, default="absolute"
            How the cost grows with the distance between the classes.
        cost_matrix : array-like of shape (r, r), optional
            All costs, rows true classes, columns predicted ones; instead of ``class_costs``.
        priors : array-like of shape (r,), optional
            Shares of the classes in use, of sum 1, if they differ from those in ``y``.

        Returns
        -------
        SelectedClassifier

        Raises
        ------
        ValueError
            If not exactly one of the two kinds of costs is given, or costs, priors or data do not
            fit.
        """
        return select_rule(self, X, y, class_costs, loss, cost_matrix, priors)

    def report(self, path: str | Path | None = None) -> Page:
        """Make one HTML page to explore the front and pick a model by cost.

        It needs no network, is written to ``path`` if there is one, and shown by notebooks. Of more
        than 3,000 models it shows so many, spread over the front.

        Raises
        ------
        ValueError
            If the front does not know what its models predict.
        """
        from moselect.report import make_page  # the one door upwards, see pyproject.toml

        page = make_page(self)
        if path is not None:
            page.write(path)
        return page

    def to_frame(self) -> pd.DataFrame:
        """Give one row a model.

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

    @classmethod
    def from_archive(
        cls,
        problem: OrdinalProblem,
        columns: NDArray[np.int64],
        archive: ParetoArchive,
        classes: NDArray[Any],
        feature_names: tuple[str, ...] | None,
    ) -> Front:
        """Give the models of an archive, whose payload is position and mixture, best one first."""
        best_first = np.lexsort((*archive.columns[::-1],))[::-1]
        payload = archive.payload[best_first]
        weights, thresholds = problem.models(payload[:, :-1], payload[:, -1].astype(np.int64))
        names = [OBJECTIVES[j] for j in columns]
        return cls(
            objectives=pd.DataFrame(archive.points[best_first], columns=names),
            weights=weights,
            thresholds=thresholds,
            classes=classes,
            feature_names=feature_names,
            chance=pd.Series(problem.chance[columns], index=names),
            confusions=problem.confusions(weights, thresholds),
        )

    def _balance(self) -> Floats:
        """Give the product of gains over chance of each model."""
        gain = gain_above_chance(self.objectives.to_numpy(), self.chance.to_numpy())
        return np.maximum(gain, 0.0).prod(axis=1)
