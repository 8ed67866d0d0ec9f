"""Comparison of a model's reference figures with its performance on later data."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Integers, Table, record
from moselect.costs.decisions import costs_at
from moselect.inspection.group_members import group_values, with_columns
from moselect.inspection.groups import GroupEstimates, group_estimates
from moselect.labels.labels import encode_labels
from moselect.metrics.decision_metrics import count_cells
from moselect.models.training_columns import with_duplicate_groups
from moselect.monitoring.prior_shift import calibration_table, likelihoods_of
from moselect.monitoring.profiles import column_drift
from moselect.monitoring.reference import (
    estimate_cost,
    estimate_unlabelled,
    limit_table,
    mistake_table,
    reference_of,
)
from moselect.monitoring.sequential import (
    combined_cost,
    digest_of,
    earlier_costs,
    n_counted,
    row_hashes,
    verdict_of,
)
from moselect.predictor import Model
from moselect.predictor.reference import Reference
from moselect.samples.samples import Samples
from moselect.samples.weights import WeightType
from moselect.tables.amounts import with_parts
from moselect.tables.cells import as_frame
from moselect.validation import check_aligned, ranks_of


@record
class Check:
    """Comparison of a model on later data with its reference figures.

    Attributes
    ----------
    holds : bool or None
        Whether the cost is as reported; None if inconclusive.
    verdict : str
        The result as a sentence.
    reported : Reference
        The figures reported at selection.
    cost, error : float
        Mean cost of these rows and its standard error. Without labels they are estimated
        from probabilities; NaN if most columns have drifted, or are out of range.
    bounds : tuple of float
        Range of the mean cost if the cost is NaN, else twice the cost.
    history : DataFrame or None
        One row per check so far, the last one this check; to be given to the next check.
        ``rows``, ``clusters``: number of its rows and of its independent rows or groups;
        ``cost``, ``std_error``: their mean cost; ``one_more``: its increase by one further
        mistake; ``digest``: of its rows; ``cost_so_far``: mean cost of all rows so far,
        from ``low`` to ``high`` with 92 % confidence at all checks at once, in which the
        error of the ``reported`` cost counts, too; ``verdict``.
    class_shares : DataFrame
        Reported share of each class (the prior, if given) and its share in these rows
        with the standard error, without labels by expectation maximisation. If columns have
        drifted, the errors include the distance from the mean probabilities, which are right
        where only these columns have changed.
    mistakes : DataFrame or None
        For each pair of true and predicted class: the contribution to the mean cost, its
        reference value and the difference, largest difference first.
    limits : DataFrame or None
        For each limit: the reported share, the share in these rows with its standard
        error, and whether the limit holds.
    calibration : DataFrame or None
        Mean predicted probability of each class (under the priors, if given) and its
        share.
    drift : DataFrame
        One row per column: the share of values ``outside`` its training range or levels,
        the total variation ``distance`` (0 to 1) from its training distribution, the bound
        that no column exceeds in 95 % of draws if ``unchanged``, whether it ``drifted``.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1)
    >>> model = search.fit(X[::2], y[::2]).select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> moselect.check(model, X[1::2]).holds is None  # without labels
    True
    """

    holds: bool | None
    verdict: str
    reported: Reference
    cost: float
    error: float
    bounds: tuple[float, float]
    history: pd.DataFrame | None
    class_shares: pd.DataFrame
    mistakes: pd.DataFrame | None
    limits: pd.DataFrame | None
    calibration: pd.DataFrame | None
    drift: pd.DataFrame
    _rows: tuple[Samples, Integers, pd.DataFrame]
    _costs: Floats

    def by(self, values: str | ArrayLike) -> GroupEstimates:
        """Estimate cost, accuracy and rates of mistakes by group of these rows.

        Parameters
        ----------
        values : str or array-like of shape (n,)
            A column of the rows, or the group of each row of X.

        Raises
        ------
        ValueError
            If the rows have no labels.
        """
        samples, predicted, table = self._rows
        if self.mistakes is None:
            raise ValueError("the rows have no classes, and so no figures by group")
        values = group_values(values, table, samples)
        return group_estimates(values, samples, predicted, self._costs)

    def __repr__(self) -> str:
        return f"<Check: {self.verdict}>"


def check(
    model: Model,
    X: Table,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    weight_type: WeightType | None = None,
    history: pd.DataFrame | None = None,
    by: pd.DataFrame | None = None,
) -> Check:
    """Compare the reference figures of a model with its performance on later data.

    The verdict may be asked for again and again as rows accumulate: its interval is a
    confidence sequence, so the verdict "higher cost" is false at any of the checks with a
    probability of 5 % at most. Either each check is given all rows so far, or it is given
    the new rows and the ``history`` of the check before.

    The reference cost is the mean cost per row under the priors, by default the class
    shares of the training data. The mean cost of these rows is under their own class
    shares: pass rows as they occur in use, or weight them accordingly.

    Let e be the standard error of the reported cost, an estimate over N rows. A single check
    of n rows, with costs that vary as they did at selection, finds an increase of

    ======  ======  =======  =======  ========
    n       N / 10  N / 4    N        2 N
    80 %    15 e    8.3 e    4.8 e    4.1 e
    50 %    12 e    6.4 e    3.6 e    3.1 e
    ======  ======  =======  =======  ========

    with a probability of 80 or 50 %. The test is one-sided and has the variances of both
    means. Its boundary is nearest for increases of some 3.5 e. One test at a level of 5 %
    would find 3.5 e with n = N rows in 80 %, but repeated tests would be false more often.

    Parameters
    ----------
    model : Model
        A model selected for costs by `ParetoSearch.select`, or read by `read_model`.
    X : DataFrame of shape (n, m)
        Rows that were used neither for training nor for selection.
    y : array-like of shape (n,), optional
        Their labels. Without them shares and cost are estimated from probabilities.
    sample_weight, weight_type : optional
        Weights of the rows, as in `ParetoSearch.fit`.
    groups : array-like of shape (n,), optional
        Group of each row, by default its duplicates; standard errors are clustered by
        group. Rows that come in groups, such as visits of the same patients, need them: as
        independent rows, with strong groups, "higher cost" can be false in more than 5 %.
    history : DataFrame, optional
        `Check.history` of the previous check. Rows of earlier checks are left out if they
        come first in X, complete and in the order of the checks, and counted twice
        otherwise. A group is to have its rows in one check.
    by : DataFrame, optional
        Columns of the rows that are no features, if limits hold in their groups.

    Returns
    -------
    Check

    Raises
    ------
    ValueError
        If the model has no reference cost, rows cannot be predicted, a label is not a
        class of the model, weights or groups are invalid, or there are no rows that the
        history does not count.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1)
    >>> model = search.fit(X[::2], y[::2]).select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> moselect.check(model, X[1::2], y[1::2]).verdict
    'inconclusive: mean cost ...'
    """
    check_aligned(X=X, y=y, sample_weight=sample_weight, groups=groups)
    reference = reference_of(model)
    classes = model.classes_
    costs = np.array(reference.costs)
    old = np.array(reference.confusion)
    table = as_frame(X)
    if not len(table):
        raise ValueError("there are no rows to check: X is empty")
    rows = np.arange(len(table))
    table = with_columns(table, by, rows)
    if by is not None:
        X = table
    predicted = encode_labels(model.predict(X), model.answers)
    codes = encode_labels(y, classes) if y is not None else predicted % len(classes)
    if len(codes) != len(table):
        raise ValueError(f"X has {len(table)} rows but y has {len(codes)} labels")
    clusters = ranks_of("groups", groups, len(table))
    if clusters is not None and np.ptp(clusters) == 0:
        raise ValueError("groups has one group only: an error needs several")
    names = [column.name for column in reference.columns]
    used = with_parts(table, names).filter(names)
    samples = Samples(used, codes, classes, groups=clusters, rows=rows)
    samples = with_duplicate_groups(samples)
    for name in reference.by_columns:
        if y is not None and name not in table:
            raise ValueError(
                f"a limit holds in each group of {name!r}: give its values (by=)"
            )
    earlier = earlier_costs(history, reference)
    digest = ""
    first = 0  # rows that earlier checks count, which come first
    if y is not None:
        hashes = row_hashes(samples)
        first = n_counted(hashes, earlier)
        if first == len(hashes):
            raise ValueError("all of these rows are counted by earlier checks")
        digest = digest_of(hashes[first:])
    known_codes = None if y is None else codes
    samples = samples.weighted(sample_weight, weight_type, known_codes)
    samples = samples.take(np.asarray(samples.rows) >= first)
    counted = samples.rows
    predicted = predicted[counted]
    if model.row_costs is not None and reference.metric is None:
        costs = model.row_costs.read(X)[0][counted]
    drift = column_drift(reference.columns, samples)
    shares = pd.DataFrame({"reported": old.sum(axis=1)}, pd.Index(classes, name="class"))
    likelihoods = None
    if model.has_probabilities:
        proba = model.probabilities(*model.outputs(X))
        likelihoods = likelihoods_of(proba[counted], reference.trained)
    holds: bool | None = None
    mistakes = limits = calibration = None
    if y is None:
        if likelihoods is None:
            raise ValueError("the model has no probabilities: give labels of the rows")
        mean, bounds, verdict = estimate_unlabelled(
            reference, shares, likelihoods, costs, samples, predicted, drift
        )
    else:
        of_class = np.eye(len(classes))[samples.codes]
        mean = estimate_cost(shares, of_class, costs, samples, predicted)
        mean = mean._replace(digest=digest)
        bounds = mean.cost, mean.cost
        weights = samples.sample_weight_or_ones
        weighted_costs = weights * costs_at(costs, samples.codes, predicted)
        sums = count_cells(samples.codes, predicted, weighted_costs, *old.shape)
        now = sums / weights.sum()
        reported = old * np.array(reference.costs)
        mistakes = mistake_table(now, reported, model.answers)
        limits = limit_table(reference, samples, predicted, table)
        if likelihoods is not None:
            calibration = calibration_table(shares, likelihoods, weights)
        # The cost of all rows so far, by a sequential test over all checks.
        so_far = combined_cost([*earlier, mean])
        holds, verdict, radius = verdict_of(reference, [*earlier, mean])
        line = mean._asdict() | {
            "cost_so_far": so_far.cost,
            "low": max(so_far.cost - radius, 0.0),
            "high": so_far.cost + radius,
            "reported": reference.cost,
            "verdict": verdict,
        }
        history = pd.concat([history, pd.DataFrame([line])], ignore_index=True)
    return Check(
        holds=holds,
        verdict=verdict,
        reported=reference,
        cost=mean.cost,
        error=mean.error,
        bounds=bounds,
        history=history,
        class_shares=shares,
        mistakes=mistakes,
        limits=limits,
        calibration=calibration,
        drift=drift,
        _rows=(samples, predicted, table),
        _costs=costs,
    )
