"""Curves, groups and sets by the out-of-fold predictions of the compared candidates."""

from collections.abc import Sequence
from typing import Literal, Protocol

import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Labels
from moselect.samples.samples import Samples
from moselect.selection import groups
from moselect.selection import trade_off as curves
from moselect.selection.conformal import set_figures
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.evaluation import CandidateEvaluation
from moselect.selection.evaluations import Evaluations
from moselect.selection.fold_measures import DEFAULT_MEASURES, FoldMeasures, measure_folds
from moselect.selection.group_members import group_values
from moselect.selection.limits import rank_of, read_limit
from moselect.selection.sensitivity import Latest


class Selection(Protocol):
    """Evaluated candidates and the selected one, as `Evidence` has them."""

    @property
    def evaluations(self) -> Evaluations:
        """Candidates and baselines."""

    @property
    def selected(self) -> str:
        """Name of the selected candidate."""

    @property
    def table(self) -> pd.DataFrame:
        """Columns to judge by, indexed by row of the table."""

    @property
    def costs(self) -> DecisionLoss | None:
        """Criteria, if these are costs or a metric."""

    @property
    def latest(self) -> Latest | None:
        """Value on the latest rows."""

    @property
    def scale(self) -> Labels | None:
        """All classes, also those without samples."""


def trade_off(evidence: Selection, label: object) -> pd.DataFrame:
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
    samples = evidence.evaluations.samples
    border = rank_of(str(label), list(map(str, samples.classes.tolist())))
    if border == 0:
        raise ValueError(f"{label} is the lowest class: no boundary lies below it")
    probabilities = evidence.evaluations.probabilities
    folds = evidence.evaluations.folds
    return curves.trade_off(samples, probabilities, border, evidence.costs, folds)


def price(evidence: Selection, words: str) -> pd.DataFrame:
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
    if evidence.costs is None:
        raise ValueError(
            "a limit has a price where mistakes have costs: select for costs"
        )
    evaluations = evidence.evaluations
    samples = evaluations.samples
    limit = read_limit(words, 0.5, samples.classes, evaluations.criteria.ratios)
    return curves.price(
        samples,
        evaluations.probabilities,
        evaluations.predicted_codes,
        limit,
        evidence.costs.for_samples(samples).cells,
    )


def referral(evidence: Selection) -> pd.DataFrame:
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
    evaluations = evidence.evaluations
    if evaluations.criteria.referral is None:
        raise ValueError("select with refer=, the cost of a manual review")
    parts = evaluations.samples, evaluations.probabilities, evaluations.criteria
    return curves.risk_coverage(*parts)


def by(evidence: Selection, values: str | ArrayLike) -> pd.DataFrame:
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
    return group_estimates(evidence, values).table


def group_estimates(
    evidence: Selection, values: str | ArrayLike
) -> groups.GroupEstimates:
    """Return the estimates of `by` with the largest differences between groups."""
    samples = evidence.evaluations.samples
    values = group_values(values, evidence.table, samples)
    costs = None if evidence.costs is None else evidence.costs.given_for(samples)
    predicted = evidence.evaluations[evidence.selected].out_of_fold.codes
    return groups.group_estimates(values, _in_use(evidence), predicted, costs)


def group_differences(evidence: Selection) -> pd.DataFrame:
    """Largest difference in cost, or accuracy, between groups of each categorical column.

    As `GroupEstimates.differences`, with intervals for all columns at once.
    """
    # Without stated costs, a cost per case means nothing to a reader.
    criteria = evidence.evaluations.criteria
    costs = criteria.given_for(evidence.evaluations.samples) if criteria.by_cost else None
    predicted = evidence.evaluations[evidence.selected].out_of_fold.codes
    parts = evidence.table, _in_use(evidence), predicted, costs
    return groups.differences_by_column(*parts)


def sets(
    evidence: Selection, coverage: float = 0.9, by: Literal["class"] | None = None
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
    proba = evidence.evaluations[evidence.selected].out_of_fold.proba
    if proba is None:
        raise ValueError(
            f"{evidence.selected} has no class probabilities, and so no sets"
        )
    return set_figures(_in_use(evidence), proba, evidence.evaluations.folds, coverage, by)


def fold_measures(
    evidence: Selection, measures: Sequence[str] = DEFAULT_MEASURES
) -> FoldMeasures:
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
    splits = evidence.evaluations.splits
    scale = splits.train.classes if evidence.scale is None else evidence.scale
    return measure_folds(evidence.evaluations, splits, scale, measures)


def reported(evidence: Selection) -> CandidateEvaluation:
    """Return the evaluation of the selected model on the rows of `Evidence.expected`.

    These are all out-of-fold predictions, or the latest rows if their value differs.
    """
    evaluation = evidence.evaluations[evidence.selected]
    is_latest = evidence.latest is not None and evidence.latest.differs
    return evaluation.by_time()[0] if is_latest else evaluation


def _in_use(evidence: Selection) -> Samples:
    """Return the samples, weighted to the class shares in use."""
    evaluations = evidence.evaluations
    return evaluations.samples.in_use(evaluations.criteria.ratios)
