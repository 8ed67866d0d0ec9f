"""Evidence for a selected model: cross-validated performance of all candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Floats
from moselect.metrics.cost_expressions import costs_at
from moselect.metrics.decision_metrics import DecisionMetric, RatioMetric, count_cells
from moselect.metrics.metric_names import metric_label
from moselect.metrics.objective import Objective
from moselect.metrics.referral import answers
from moselect.selection.choice import Resampled
from moselect.selection.conformal import calibrate_sets
from moselect.selection.constraints import ConstraintCost
from moselect.selection.differences import PairedDifference, verdict
from moselect.selection.evaluations import CandidateEvaluations, LatestFold
from moselect.selection.evidence_figures import EvidenceFigures
from moselect.selection.group_limits import columns_of_groups
from moselect.selection.limits import LimitReached
from moselect.selection.reference import Profile, Reference


@dataclass(frozen=True, eq=False)
class Evidence(EvidenceFigures):
    """Cross-validated comparison of a selected model with other candidates and baselines.

    Cross-validation refits each candidate in every fold, including preprocessing and the
    choice of hyper-parameters.

    Attributes
    ----------
    selected : str
        Name of the selected candidate.
    value : str
        Criterion of the comparison: ``"cost"``, the mean cost per sample, lower is
        better; the name of a metric, such as ``"quadratic_kappa"``; or ``"utility"``, the
        weighted gain above chance, in units of the front's greatest training gain in each
        objective, higher is better.
    expected, expected_se : float
        Value of the selected model corrected for selection bias: some rows select the
        candidate and set the class shares of its decisions, the others evaluate it. The
        standard error includes the distance from the uncorrected value in ``candidates``.
    candidates : DataFrame
        One row per candidate or baseline, the best first. A column of the name ``value``:
        cross-validated; ``std_error``: its standard error, with one further mistake of
        maximum cost; ``excess``: relative excess cost over the best, or shortfall in
        utility, corrected for selection bias, with its 95 % interval from ``excess_low``
        to ``excess_high``; ``within limits``: whether it meets all limits, if any are set
        (the best is one that does); ``monotone``: whether it keeps the known directions,
        if there are any; ``holdout``: value on the holdout set, if any; ``train``: value
        in training;
        ``terms``: number of terms; ``seconds``: time of all fits.
    differences : dict of str to PairedDifference
        For each other candidate or baseline: the relative saving of the selected model,
        or its gain in utility, paired by sample and corrected for selection bias, as
        ``expected``. The standard errors include one further mistake of maximum cost.
    measures : DataFrame
        Objectives (columns) of each candidate on each split (rows), without the reject
        option. ``cv``: cross-validated; ``std_error``: of these, with one further mistake
        by one class and the overlap of the training folds; ``holdout``: on the holdout
        set, if any; ``train``: in training. ``objectives`` are the rows of the selected
        model.
    predicted : DataFrame
        Out-of-fold predictions, one column per candidate or baseline, indexed by row of
        the table.
    samples : Samples
        True classes, weights and groups of these samples, without features.
    probabilities : dict of str to ndarray of shape (n, r)
        Out-of-fold class probabilities by candidate.
    folds : ndarray of int, shape (n,)
        Test fold of each sample.
    confusion : DataFrame of shape (r, r), or (r, r + 1) with a referral
        Cross-validated confusion matrix of the selected model: true classes (rows) by
        predicted classes and, if in use, referral (columns); weighted, if samples are.
    criteria : DecisionLoss
        Costs or preferences; for a metric the costs whose least expected cost optimises it.
    limits : list of LimitReached
        The limits and the cross-validated shares of the limited mistakes.
    without_limits : float or None
        Cross-validated value of the selected candidate without its limits, if there are
        any.
    overall_limits : float or None
        Cross-validated value of the selected candidate if limits in groups hold over all
        rows instead, if there are any.
    shuffled : tuple of (float, float), or None
        Value and standard error of the selected candidate by folds that ignore time, if
        samples have times and this differs from the forward-chaining value by two
        standard errors.
    latest : LatestFold, or None
        Value and standard error of the selected candidate in the last forward-chaining
        fold, and whether this differs from the other folds by two standard errors.
    excluded : dict of str to str
        Reasons why candidates, or models of the ensemble, were left out.
    constraint : ConstraintCost or None
        Cost of the known directions (``monotone``), if there are any: of the selected
        candidate if it has a single score, else of the additive model, compared with the same
        candidate without directions.
    suggested : dict of str to {1, -1}
        Columns without a known direction along which the class only rises or only falls
        by the effects of the additive model, if some directions are known: a hint.
    columns : list of Profile
        Distributions of the columns of the training table.
    table : DataFrame
        Features and further columns to judge by, indexed by row of the table.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=3, random_state=1).fit(X, y)
    >>> evidence = search.select(class_costs=[1, 1, 1, 5, 5], model="linear").evidence
    >>> evidence.candidates.index.tolist()
    ['linear', 'proportional odds', 'best member', 'always one class']
    """

    value: str
    expected: float
    expected_se: float
    candidates: pd.DataFrame
    differences: dict[str, PairedDifference]
    confusion: pd.DataFrame
    limits: list[LimitReached]
    without_limits: float | None
    overall_limits: float | None
    shuffled: tuple[float, float] | None
    latest: LatestFold | None
    excluded: dict[str, str]
    columns: list[Profile]
    constraint: ConstraintCost | None = None
    suggested: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        evaluated: CandidateEvaluations,
        selected: str,
        resampled: Resampled,
        objectives: Sequence[Objective],
        **extra: Any,
    ) -> Self:
        """Assemble the evidence for a selected candidate.

        ``resampled`` are losses corrected for selection bias; ``extra`` are attributes
        that are not computed from the evaluations.
        """
        chosen = evaluated.evaluations[selected]
        criteria = evaluated.criteria
        tested = evaluated.splits.cv
        predictions = {
            name: evaluation.out_of_fold
            for name, evaluation in evaluated.evaluations.items()
        }
        labels = answers(tested.classes, criteria.referral)
        predicted = {name: labels[each.codes] for name, each in predictions.items()}
        loss, error = evaluated.figure(selected)
        # The figure of some metrics is biased in small samples, that of a mean cost is not.
        bias, _ = evaluated.unobserved_mistake(chosen.out_of_fold.codes)
        corrected = resampled.selected + bias
        if criteria.metric is not None:
            criteria = replace(criteria, matrix=chosen.costs)
        return cls(
            selected=selected,
            value=evaluated.measure,
            expected=evaluated.value(corrected),
            expected_se=float(np.hypot(error, corrected - loss)),
            candidates=evaluated.candidates(resampled),
            differences=evaluated.differences(selected, resampled),
            measures=pd.concat(
                {
                    name: evaluation.measures(objectives)
                    for name, evaluation in evaluated.evaluations.items()
                }
            ),
            predicted=pd.DataFrame(predicted, index=tested.rows),
            samples=replace(
                tested, X=np.empty((len(tested), 0)), copy_groups=tested.cv_groups
            ),
            probabilities={
                name: each.proba
                for name, each in predictions.items()
                if each.proba is not None
            },
            folds=evaluated.splits.folds,
            confusion=chosen.confusion(),
            criteria=criteria,
            limits=chosen.limits,
            **extra,
        )

    @property
    def metric(self) -> DecisionMetric | None:
        """Metric that the model was selected for, if any."""
        return self.criteria.metric

    @property
    def preferences(self) -> Mapping[str, float] | None:
        """Weights of the objectives, of sum 1, if the model was selected by preferences."""
        return self.criteria.preferences

    @property
    def criterion(self) -> str | None:
        """Metric that decisions are solved for, and for a ratio N / D the lambda of N - lambda D.

        None for costs and preferences.
        """
        if self.metric is None:
            return None
        if not isinstance(self.metric, RatioMetric):
            return self.value_label
        ratio = self.metric.value(float(self.candidates[self.value][self.selected]))
        return f"{self.value_label}, lambda = {ratio:.3g}"

    @property
    def sum(self) -> float:
        """Expected value of the selected model, summed over all rows."""
        return self.expected * float(self.samples.sample_weight_or_ones.sum())

    @property
    def value_label(self) -> str:
        """Criterion of the comparison, in words."""
        return self.value if self.metric is None else metric_label(self.value)

    @property
    def reference(self) -> Reference:
        """Reference figures for the model's file, under the class shares in use."""
        proba = self.probabilities.get(self.selected)
        counts = self.confusion.to_numpy(dtype=np.float64)
        confusion = counts / counts.sum()
        trained = confusion.sum(axis=1)
        costs = None if self.costs is None else self._mean_costs(counts)
        # The mean cost in use is the sum of plain costs times this confusion.
        confusion = confusion * self.criteria.ratios[:, None]
        expected = self.expected
        if self.metric is not None:
            # To first order the mean cost differs from the loss of the metric by a
            # constant.
            shown = self.candidates[self.value][self.selected]
            more = self.metric.value(expected) - self.metric.value(shown)
            expected = float((confusion * self.criteria.matrix).sum() + more)
        return Reference(
            None if costs is None else costs.tolist(),
            expected,
            self.expected_se,
            confusion.tolist(),
            trained.tolist(),
            self.limits,
            self.samples.sum_by_cluster(np.ones(len(self.samples))).size,
            self.columns,
            None if proba is None else calibrate_sets(self._in_use, proba),
            columns_of_groups(self.limits),
            None if self.metric is None else self.value_label,
        )

    def _mean_costs(self, counts: Floats) -> Floats:
        """Return the cost matrix; of costs of each row their means by cell of the confusion."""
        matrix = self.criteria.matrix
        if self.criteria.rows is None:
            return matrix
        codes = self.samples.codes
        predicted = self.predicted_codes[self.selected]
        costs = (
            costs_at(self.criteria.given_for(self.samples.rows), codes, predicted)
            * self.samples.sample_weight_or_ones
        )
        sums = count_cells(codes, predicted, costs, *counts.shape)
        return np.divide(sums, counts, out=matrix.copy(), where=counts > 0.0)

    @property
    def true(self) -> NDArray[Any]:
        """True classes of the samples, shape (n,)."""
        return np.asarray(self.samples.classes[self.samples.codes])

    @property
    def verdicts(self) -> list[str]:
        """One-line summaries of the differences."""
        in_percent = self.value == "cost"
        return [
            verdict(difference, baseline, in_percent=in_percent)
            for baseline, difference in self.differences.items()
        ]

    def __repr__(self) -> str:
        figure = f"{self.expected:.4g} +- {self.expected_se:.2g}"
        return f"<Evidence: {self.selected}, cross-validated {self.value} {figure}>"

    def to_html(self) -> str:
        """Format the comparison of the candidates as an HTML table."""
        table = self.candidates.to_html(float_format="{:.4g}".format, border=0)
        return f"<p>Cross-validated {self.value}</p>{table}"
