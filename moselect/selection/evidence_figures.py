"""Curves, groups and sets by the out-of-fold predictions of the compared candidates."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import pandas as pd
from numpy.typing import ArrayLike

from moselect.learning import CV
from moselect.metrics.objective import Objective
from moselect.samples.samples import Samples
from moselect.selection.conformal import set_figures
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.evaluation import ERROR
from moselect.selection.evaluations import Evaluations
from moselect.selection.group_members import group_values
from moselect.selection.groups import (
    GroupEstimates,
    differences_by_column,
    group_estimates,
)
from moselect.selection.limits import rank_of, read_limit
from moselect.selection.trade_off import price, referral_curves, trade_off


@dataclass(frozen=True, eq=False)
class EvidenceFigures(Evaluations):
    """Figures that are computed on demand from out-of-fold predictions.

    Attributes and examples: see `Evidence`.
    """

    selected: str = ""
    measured_objectives: Sequence[Objective] = ()
    table: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def costs(self) -> DecisionLoss | None:
        """The criteria, if these are costs or a metric; None for preferences.

        The cost matrix of a metric is the one whose least expected cost optimises it.
        """
        if self.criteria.preferences is not None:
            return None
        if self.metric is None:
            return self.criteria
        return replace(self.criteria, matrix=self.evaluations[self.selected].costs)

    @cached_property
    def measures(self) -> pd.DataFrame:
        """Objectives (columns) of each candidate on each split (rows), without referrals.

        ``cv``: cross-validated; ``std_error``: of these, with one further mistake by one
        class, the overlap of the training folds and the spread of the fold models;
        ``holdout``: on the holdout set, if any; ``train``: in training.
        """
        parts = {
            name: each.measures(self.measured_objectives)
            for name, each in self.evaluations.items()
        }
        return pd.concat(parts)

    def trade_off(self, label: object) -> pd.DataFrame:
        """Compute miss rate against false alarm rate at the boundary below a class.

        The miss rate is the share of samples at or above the boundary that are predicted
        below it, the false alarm rate the share of the others that are predicted above
        it. Every threshold on the probability of a class at or above the boundary is an
        operating point. For a candidate with a single score these form the ROC curve of
        the boundary, and the area under 1 - ``miss_rate`` over ``false_alarm_rate`` is its term
        of U_cons, the mean over all boundaries (Waegeman, De Baets & Boullart 2008, eq.
        18), ties counting one half.

        Parameters
        ----------
        label : label or str
            Lowest class above the boundary; not the lowest of all classes.

        Returns
        -------
        DataFrame
            One row per candidate and operating point, cross-validated. ``model``: the
            candidate; ``cut``: probability threshold; ``miss_rate`` and ``false_alarm_rate``:
            miss rate and false alarm rate, from 0 to 1, under the class shares in use,
            with their standard errors ``miss_rate_error`` and ``false_alarm_rate_error``, which
            include the variance between the fold models; ``cost``: mean cost per sample
            if on each side of the boundary the class of least expected cost is predicted,
            only if costs are in use.

        Raises
        ------
        ValueError
            If ``label`` is not a class, or is the lowest one.
        """
        border = rank_of(str(label), list(map(str, self.samples.classes.tolist())))
        if border == 0:
            raise ValueError(f"{label} is the lowest class: no boundary lies below it")
        return trade_off(self.samples, self.probabilities, border, self.costs, self.folds)

    def price(self, words: str) -> pd.DataFrame:
        """Estimate the least cross-validated cost under each limit on a mistake.

        The limited mistake is penalised with 61 prices, from 0 upwards, in addition to
        its cost (a Lagrangian relaxation); each price gives one decision rule per
        candidate. The decisions of the compared models are included.

        Parameters
        ----------
        words : str
            The mistake, as in ``limits`` of `ParetoSearch.select`: ``"severe<serious"``
            or ``"predicted severe"``.

        Returns
        -------
        DataFrame
            One row per decision rule, from the cheapest without a limit to the strictest
            limit; between two rows the stricter one holds. ``limit``: the strictest limit
            that it meets, 2.33 standard errors above ``share``; ``cost``: mean cost per
            sample; ``model``: the candidate; ``share``: share of such mistakes among all
            samples of the class, in use; ``std_error``: of the share.

        Raises
        ------
        ValueError
            If the model was selected by preferences, without costs, or the mistake cannot
            be read.
        """
        if self.costs is None:
            raise ValueError(
                "a limit has a price where mistakes have costs: select for costs"
            )
        limit = read_limit(words, 0.5, self.samples.classes, self.criteria.ratios)
        return price(
            self.samples,
            self.probabilities,
            self.predicted_codes,
            limit,
            self.costs.for_samples(self.samples).cells,
        )

    def referral(self) -> pd.DataFrame:
        """Compute the risk-coverage curves of the reject option.

        Rows are referred in the order of the expected saving. The mean cost of the
        remaining rows against their share (coverage) is the risk-coverage curve (El-Yaniv
        & Wiener 2010, Journal of Machine Learning Research 11, 1605-1641).

        Returns
        -------
        DataFrame
            One row per candidate and share, cross-validated and under the class shares in
            use. ``model``: the candidate; ``referred``: share of referred rows, from 0 to
            1; ``cost``: mean cost of all rows; ``std_error``: of this cost, over
            independent rows or groups; ``decided``: mean cost of the rows that are not
            referred, NaN if there are none; ``in use``: whether exactly the rows with a
            positive expected saving are referred.

        Raises
        ------
        ValueError
            If the model was selected without a cost of referral.
        """
        if self.criteria.referral is None:
            raise ValueError("select with refer=, the cost of a manual review")
        return referral_curves(self.samples, self.probabilities, self.criteria)

    def by(self, values: str | ArrayLike) -> pd.DataFrame:
        """Estimate cost, accuracy and rates of mistakes by group, cross-validated.

        Parameters
        ----------
        values : str or array-like of shape (n,)
            A column of the table, or the group of each of its rows, as given to `fit`; it
            need not be a feature. More than ten numbers are cut into quarters, and groups
            of fewer than 30 rows are merged.

        Returns
        -------
        DataFrame
            As `GroupEstimates.table`, one row per group.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
        >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
        >>> model.evidence.by("CHAS")["rows"].to_dict()
        {'0.0': 471, '1.0': 35}
        """
        return self.group_estimates(values).table

    def group_estimates(self, values: str | ArrayLike) -> GroupEstimates:
        """Return the estimates of `by` with the largest differences between groups."""
        values = group_values(values, self.table, self.samples)
        costs = None if self.costs is None else self.costs.given_for(self.samples)
        predicted = self.predicted_codes[self.selected]
        return group_estimates(values, self._in_use, predicted, costs)

    @cached_property
    def group_differences(self) -> pd.DataFrame:
        """Largest difference in cost, or accuracy, between groups of each categorical column.

        As `GroupEstimates.differences`, with intervals for all columns at once.
        """
        # Without stated costs, a cost per case means nothing to a reader.
        by_cost = self.metric is None and self.costs is not None
        costs = self.criteria.given_for(self.samples) if by_cost else None
        predicted = self.predicted_codes[self.selected]
        return differences_by_column(self.table, self._in_use, predicted, costs)

    def sets(
        self, coverage: float = 0.9, by: Literal["class"] | None = None
    ) -> pd.DataFrame:
        """Estimate coverage and mean size of the prediction sets of the selected model.

        Sets of each fold are calibrated by the other folds, as in `Model.predict_set`.

        Parameters
        ----------
        coverage : float, default=0.9
            Probability with which a set is to hold the true class.
        by : {"class"}, optional
            Whether the coverage is met in each class; by default over all rows.

        Returns
        -------
        DataFrame
            One row for ``"all"`` samples and one per true class. ``rows``: their number;
            ``coverage``: share of sets that hold the true class, under the class shares
            in use, with standard error ``std_error``; ``size``: mean number of classes in
            a set.

        Raises
        ------
        ValueError
            If the selected model has no class probabilities.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
        >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
        >>> bool(abs(model.evidence.sets(0.8)["coverage"]["all"] - 0.8) < 0.05)
        True
        """
        proba = self.probabilities.get(self.selected)
        if proba is None:
            raise ValueError(
                f"{self.selected} has no class probabilities, and so no sets"
            )
        return set_figures(self._in_use, proba, self.folds, coverage, by)

    @property
    def objectives(self) -> pd.DataFrame:
        """Objectives of the selected model on each split, with ``std_error``; see `measures`.

        They hold for the class shares of the table even if there are priors, as do those
        of the front with which they are compared.
        """
        return pd.DataFrame(self.measures.loc[self.selected])

    def measured(self) -> pd.DataFrame:
        """Return the cross-validated objectives of all candidates with class probabilities.

        Returns
        -------
        DataFrame
            One row per candidate; for each objective its ``value`` and ``std_error`` in
            the second level of the columns.
        """
        by_split = pd.DataFrame(self.measures.unstack()).loc[[*self.probabilities]]
        shown = by_split.loc[:, (slice(None), [CV, ERROR])]
        return shown.rename(columns={CV: "value"}, level=1)

    @property
    def _in_use(self) -> Samples:
        """The samples, weighted to the class shares in use."""
        return self.samples.in_use(self.criteria.ratios)
