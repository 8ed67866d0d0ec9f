"""Evidence: all candidates evaluated under the same criteria, and the selected one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Labels, record
from moselect.candidates.splits import Splits
from moselect.costs.costs import AnyCosts, combined_costs
from moselect.costs.criteria import costs_of_known_rows
from moselect.costs.decisions import answers
from moselect.costs.limits import CONFIDENCE, LimitReached, read_limit
from moselect.costs.losses import CostLoss
from moselect.costs.priced import Priced
from moselect.evaluation.candidate_values import candidate_values
from moselect.evaluation.choice import (
    PairedDifference,
    choose,
    far_below,
    few_costly_rows,
    saving_over,
)
from moselect.evaluation.decision import Evaluation, decide
from moselect.inference.standard_errors import interval
from moselect.inspection import groups
from moselect.inspection import trade_off as curves
from moselect.inspection.conformal import set_figures
from moselect.inspection.fold_measures import (
    DEFAULT_MEASURES,
    FoldMeasures,
    measure_folds,
)
from moselect.inspection.group_members import group_values
from moselect.labels.labels import rank_of
from moselect.listing import reason_of
from moselect.metrics.objective import Objective
from moselect.report.figures import as_html
from moselect.samples.samples import Samples


class Comparison(NamedTuple):
    """Origin of a comparison: its class scale, seed and data.

    Attributes
    ----------
    scale : ndarray
        All classes, lowest first, including classes without samples.
    order_is_guessed : bool
        Whether the order of the classes was inferred from a known scale.
    random_state, fingerprint : int and str
        Seed of the folds and models, and hash of the data.

    Examples
    --------
    >>> import numpy as np
    >>> Comparison(np.array([1, 2]), False, 0, "").random_state
    0
    """

    scale: Labels
    order_is_guessed: bool
    random_state: int | None
    fingerprint: str


@record
class Evidence:
    """Candidates and baselines, evaluated under the same criteria, and the selected one.

    Each fold repeats preprocessing, the choice of hyper-parameters and the fit.

    Attributes
    ----------
    evaluations : mapping of str to Evaluation
        Evaluation of each candidate by name, all under the same criteria.
    selected : str
        Name of the selected candidate.
    measured_objectives : sequence of Objective
        Objectives of `measures`, as of a front.
    table : DataFrame
        Features and further columns to judge by, indexed by row of the table.
    losses : mapping of str to float
        Loss of each candidate, corrected for selection bias.
    excluded : mapping of str to str
        Reasons why candidates, or models of the ensemble, were left out.
    compared : Comparison or None
        Of a comparison, its class scale and what repeats it.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=3, random_state=1).fit(X, y)
    >>> evidence = search.select(class_costs=[1, 1, 1, 5, 5], model="linear").evidence
    >>> evidence.candidates.index.tolist()
    ['proportional odds', 'linear', 'best member', 'always one class']
    """

    evaluations: Mapping[str, Evaluation]
    selected: str = ""
    losses: Mapping[str, float] = field(default_factory=dict)
    measured_objectives: Sequence[Objective] = ()
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    excluded: Mapping[str, str] = field(default_factory=dict)
    compared: Comparison | None = None

    @property
    def chosen(self) -> Evaluation:
        """Evaluation of the selected candidate."""
        return self.evaluations[self.selected]

    @property
    def splits(self) -> Splits:
        """Samples that evaluate the candidates, by split."""
        return self.chosen.splits

    @property
    def criteria(self) -> Priced:
        """Costs or preferences, and limits."""
        return self.chosen.priced

    @property
    def loss(self) -> CostLoss:
        """Loss of the comparison, with the name, direction and words of its value."""
        return self.criteria.loss

    @cached_property
    def without_limits(self) -> float | None:
        """Cross-validated value of the selected candidate without its limits, if any."""
        if not self.limits:
            return None
        free = decide(self.chosen.fit, replace(self.criteria, limits=()), self.splits)
        return float(self.loss.value(free.cv_loss[0]))

    @property
    def comparison(self) -> Comparison:
        """Scale of the classes; of a comparison also its seed and the hash of its data."""
        return self.compared or Comparison(self.splits.train.classes, False, None, "")

    @cached_property
    def samples(self) -> Samples:
        """True classes, weights and groups of the out-of-fold predictions, without features."""
        tested = self.splits.predicted
        return tested.without_features(copy_groups=tested.cv_groups)

    @property
    def true(self) -> Labels:
        """True classes of the samples, shape (n,)."""
        return self.samples.classes[self.samples.codes]

    @property
    def predicted(self) -> pd.DataFrame:
        """Out-of-fold predictions of each candidate or baseline, indexed by row of the table."""
        labels = answers(self.samples.classes, self.criteria.referral)
        classes = {
            name: labels[each.out_of_fold.codes]
            for name, each in self.evaluations.items()
        }
        return pd.DataFrame(classes, index=self.samples.rows)

    @property
    def probabilities(self) -> dict[str, Floats]:
        """Out-of-fold probabilities (n, r) of candidates that have any, at the table's shares.

        With costs of each row, a constant prediction has none: their decisions vary.
        """
        return {
            name: each.out_of_fold.proba
            for name, each in self.evaluations.items()
            if each.out_of_fold.proba is not None
            and not (self.criteria.decides_by_row and each.fit.is_constant)
        }

    @property
    def value(self) -> str:
        """Criterion of the comparison.

        ``"cost"``, the mean cost per sample, lower is better; the name of a metric, such as
        ``"quadratic_kappa"``; or ``"utility"``, the weighted gain above chance, in units of
        the front's greatest training gain in each objective, higher is better.
        """
        return self.loss.name

    @property
    def costs(self) -> Priced | None:
        """The criteria, if these are costs or a metric; None for preferences.

        The cost matrix of a metric is the one whose least expected cost optimises it.
        """
        if self.loss.preferences is not None:
            return None
        if self.loss.metric is None:
            return self.criteria
        return replace(self.criteria, matrix=self.chosen.rule.costs)

    @property
    def sample_costs(self) -> Floats | None:
        """Costs as given, (r, a), or (n, r, a) of each sample; None for preferences."""
        return None if self.costs is None else self.costs.of(self.samples).given

    @cached_property
    def candidates(self) -> pd.DataFrame:
        """Values of each candidate or baseline (rows), the best first.

        A column of the name `value`: cross-validated and corrected for selection bias, as are
        `differences`; ``std_error``: its standard error, with one further mistake of maximum
        cost and the size of the correction; ``excess``: relative excess cost over the best, or
        shortfall in utility, 0 or more, with its 95 % interval from ``excess_low`` to
        ``excess_high``; ``within limits``: whether it meets
        all limits, if any are set (the best is one that does, and others have no excess);
        ``monotone``: whether it keeps the known directions, if there are any; ``holdout``:
        value on the holdout set, if any; ``train``: value in training; ``terms``: number of
        terms; ``seconds``: time of all fits.
        """
        return candidate_values(self.evaluations, self.losses)

    @cached_property
    def differences(self) -> dict[str, PairedDifference]:
        """Relative saving of the selected model over each other, or its gain in utility.

        Paired by sample and corrected for selection bias, both sides as `expected`. The standard
        errors include one further row that the two decide otherwise.
        """
        differences = {}
        for name, each in self.evaluations.items():
            if name == self.selected:
                continue
            losses = self.losses[name], self.losses[self.selected]
            saved = saving_over(each, self.chosen, *losses)
            if saved is not None:
                differences[name] = saved
        return differences

    @property
    def expected(self) -> float:
        """Value of the selected model, corrected for selection bias, or on the latest rows."""
        return float(self.loss.value(self._expected_loss[0]))

    @property
    def expected_se(self) -> float:
        """Standard error of `expected`, with the size of its correction."""
        return self._expected_loss[1]

    @property
    def _expected_loss(self) -> tuple[float, float]:
        if self.latest is not None:
            return self.latest.figure()
        return self.chosen.corrected(self.losses[self.selected])

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest possible value: a mean cost is at most the greatest cost.

        Costs of each row have no greatest one: those of later rows may be higher.
        """
        most = math.inf
        if self.loss.by_cost and self.criteria.rows is None:
            most = float(self.criteria.matrix.max())
        return self.loss.least, most

    @property
    def expected_interval(self) -> tuple[float, float, float]:
        """The value `expected`, with the ends of its 95 % interval."""
        n_clusters = len(self.reported.cv_loss[1])
        return interval(self.expected, self.expected_se, n_clusters, *self.bounds)

    @property
    def sum(self) -> float:
        """Value of the selected model, corrected for selection bias, summed over all rows."""
        value = self.candidates.at[self.selected, self.value]
        return float(value * self.samples.sample_weight_or_ones.sum())

    @property
    def confusion(self) -> pd.DataFrame:
        """Cross-validated confusion matrix of the selected model.

        True classes (rows) by predicted classes and, if in use, referral (columns); weighted,
        if samples are.
        """
        return self.chosen.confusion()

    @property
    def limits(self) -> Sequence[LimitReached]:
        """The limits and the cross-validated shares of the limited mistakes."""
        return self.chosen.limits

    @cached_property
    def measures(self) -> pd.DataFrame:
        """Objectives (columns) of each candidate on each split (rows), without referrals.

        ``cv``: cross-validated; ``std_error``: of these, with one further mistake by one
        class, the overlap of the training folds and the spread of the fold models;
        ``holdout``: on the holdout set, if any; ``train``: in training. They hold for the
        class shares of the table even if there are priors, as on a front.
        """
        parts = {
            name: each.measures(self.measured_objectives)
            for name, each in self.evaluations.items()
        }
        return pd.concat(parts)

    @property
    def objectives(self) -> pd.DataFrame:
        """The `measures` of the selected model."""
        return pd.DataFrame(self.measures.loc[self.selected])

    def for_costs(self, costs: AnyCosts | None = None) -> Evidence:
        """Evaluate the models of a comparison for other costs, and select the cheapest.

        No model is refitted; those that were fitted for costs keep their predictions.

        Parameters
        ----------
        costs : Costs, mapping or array-like, optional
            As in `compare`; by default the distance in ranks.

        Raises
        ------
        ValueError
            If costs are invalid, or the candidates were fitted for the costs of a selection.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> models = ["proportional_odds", "linear"]
        >>> evidence = moselect.compare(models, X, y, cv=3, random_state=0)
        >>> evidence.for_costs([1, 1, 1, 5, 5]).selected
        'proportional_odds'
        """
        splits = self.splits
        if self.chosen.fit.model is not None:
            raise ValueError("the candidates are fitted for their costs: select again")
        scale, guessed, *_ = self.comparison
        stated = combined_costs(costs).for_observed(
            splits.train.classes, scale, guessed=guessed
        )
        criteria = costs_of_known_rows(stated, splits.train, splits.cv, self.table)
        evaluations = {
            name: decide(each.fit, criteria, splits)
            for name, each in self.evaluations.items()
        }
        return with_cheapest(self, evaluations)

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
            candidate; ``cut``: threshold on the probability in use; ``miss_rate`` and
            ``false_alarm_rate``: rates from 0 to 1 under the class shares in use,
            with their standard errors ``miss_rate_error`` and ``false_alarm_rate_error``, which
            include the variance between the fold models; ``cost``: mean cost per sample
            if on each side of the boundary the class of least expected cost is predicted,
            only if costs are in use.

        Raises
        ------
        ValueError
            If ``label`` is not a class, or is the lowest one.
        """
        border = rank_of(label, self.samples.classes)
        if border == 0:
            raise ValueError(f"{label} is the lowest class: no boundary lies below it")
        return curves.trade_off(
            self.samples, self.probabilities, border, self.costs, self.splits.folds
        )

    def price(self, words: str, confidence: float = CONFIDENCE) -> pd.DataFrame:
        """Estimate the least cross-validated cost under each limit on a mistake.

        The limited mistake is penalised with 61 prices, from 0 upwards, in addition to
        its cost (a Lagrangian relaxation); each price gives one decision rule per
        candidate. The decisions of the compared models are included.

        Parameters
        ----------
        words : str
            The mistake, as in ``limits`` of `ParetoSearch.select`: ``"severe<serious"``
            or ``"predicted severe"``.
        confidence : float, default=0.9
            As in `ParetoSearch.select`.

        Returns
        -------
        DataFrame
            One row per decision rule, from the cheapest without a limit to the strictest
            limit; between two rows the stricter one holds. ``limit``: the strictest limit
            that it meets with this confidence, above ``share``; ``cost``: mean cost per
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
        classes = self.samples.classes
        limit = read_limit(words, 0.5, classes, self.criteria.ratios, confidence)
        costs = self.costs.of(self.samples).cells
        codes = {name: each.out_of_fold.codes for name, each in self.evaluations.items()}
        return curves.price(self.samples, self.probabilities, codes, limit, costs)

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
        return curves.risk_coverage(self.samples, self.probabilities, self.criteria)

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
        {'0': 471, '1': 35}
        """
        return self.group_estimates(values).table

    def group_estimates(self, values: str | ArrayLike) -> groups.GroupEstimates:
        """Return the estimates of `by` with the largest differences between groups."""
        values = group_values(values, self.table, self.samples)
        predicted = self.chosen.out_of_fold.codes
        return groups.group_estimates(values, self._in_use, predicted, self.sample_costs)

    @cached_property
    def group_differences(self) -> pd.DataFrame:
        """Largest difference in cost, or accuracy, between groups of each categorical column.

        As `GroupEstimates.differences`, with intervals for all columns at once.
        """
        # Without stated costs, a cost per case means nothing to a reader.
        costs = self.sample_costs if self.loss.by_cost else None
        predicted = self.chosen.out_of_fold.codes
        return groups.differences_by_column(self.table, self._in_use, predicted, costs)

    def sets(
        self, coverage: float = 0.9, by: Literal["class"] | None = None
    ) -> pd.DataFrame:
        """Estimate coverage and mean size of the prediction sets of the selected model.

        Sets of each fold, in each class of each of 20 parts, are calibrated by the others, as
        in `Model.predict_set`.

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
            If the selected model has no class probabilities, or there is one fold only.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
        >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
        >>> bool(abs(model.evidence.sets(0.8)["coverage"]["all"] - 0.8) < 0.05)
        True
        """
        proba = self.chosen.out_of_fold.proba
        if proba is None:
            raise ValueError(
                f"{self.selected} has no class probabilities, and so no sets"
            )
        if self.splits.n_folds == 1:
            raise ValueError("sets are calibrated by the other folds: there is one only")
        samples = self.splits.predicted.in_use(self.criteria.ratios)
        return set_figures(samples, proba, self.splits.folds, coverage, by)

    def fold_measures(self, measures: Sequence[str] = DEFAULT_MEASURES) -> FoldMeasures:
        """Measure each candidate in each test fold, as predicted before decisions for costs.

        Parameters
        ----------
        measures : sequence of str
            Names of `moselect.metrics.get_scorer_names`, errors without ``neg_``.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> names = ["always_one_class", "ordinal_ridge"]
        >>> evidence = moselect.compare(names, X, y, cv=3, random_state=1)
        >>> evidence.fold_measures(["vus", "accuracy"]).front()
        ['ordinal_ridge']
        """
        return measure_folds(self.evaluations, self.comparison.scale, measures)

    @cached_property
    def latest(self) -> Evaluation | None:
        """Evaluation of the selected model on the latest rows, if folds go forward in time.

        These are nearest to what follows. None if the loss is undefined there, as a ranking
        without some class.
        """
        if not self.splits.goes_forward:
            return None
        latest = self.chosen.on_latest()
        return None if math.isnan(latest.cv_loss[0]) else latest

    @property
    def reported(self) -> Evaluation:
        """Evaluation of the selected model on the rows of `Evidence.expected`."""
        return self.chosen if self.latest is None else self.latest

    @property
    def _in_use(self) -> Samples:
        """The samples, weighted to the class shares in use."""
        return self.samples.in_use(self.criteria.ratios)

    @property
    def remarks(self) -> list[str]:
        """Warnings of a selection: limits that are not met, and a suspiciously low cost."""
        missed = [f"limit {limit}" for limit in self.limits if not limit.met]
        return [*missed, *self._low_costs]

    @property
    def _low_costs(self) -> list[str]:
        """Remarks on suspiciously low costs; those of a score alone are none."""
        return [] if self.splits.cv.X.shape[1] == 1 else far_below(self.candidates)

    @property
    def exclusions(self) -> list[str]:
        """The reason of each exclusion."""
        return [f"{name} is excluded: {why}" for name, why in self.excluded.items()]

    @property
    def notes(self) -> list[str]:
        """Remarks on costs and serial dependence, exclusions, and warnings of the fits."""
        costly = few_costly_rows(self.sample_costs, self._in_use, self.expected)
        notes = [*self._low_costs, *costly, *self.splits.notes, *self.exclusions]
        return notes + [
            f"{name} warned in {n_folds} folds: {line}"
            for name, each in self.evaluations.items()
            for line, n_folds in Counter(map(reason_of, each.fit.warnings)).items()
        ]

    def __repr__(self) -> str:
        figure = "{:.4g} ({:.4g} to {:.4g})".format(*self.expected_interval)
        return (
            f"<Evidence: {self.selected}, cross-validated {self.value} {figure}, corrected for "
            "model selection>"
        )

    def _repr_html_(self) -> str:
        return as_html(self)


def with_cheapest(evidence: Evidence, evaluations: Mapping[str, Evaluation]) -> Evidence:
    """Return the evidence of other evaluations, with the cheapest candidate selected."""
    selected, losses = choose(evaluations, evaluations)
    return replace(evidence, evaluations=evaluations, selected=selected, losses=losses)
