"""Evidence: all candidates evaluated under the same criteria, and the selected one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Labels
from moselect.learning import CV, SPLITS
from moselect.metrics.costs import Costs, as_costs
from moselect.metrics.decision_metrics import RatioMetric
from moselect.metrics.metric_names import metric_label
from moselect.selection.choice import (
    EXCESS,
    PairedDifference,
    Resampled,
    excess_over_best,
    loss_difference,
)
from moselect.selection.criteria import costs_of_known_rows
from moselect.selection.evaluation import ERROR
from moselect.selection.evaluations import LatestFold
from moselect.selection.evidence_figures import EvidenceFigures
from moselect.selection.fold_measures import DEFAULT_MEASURES, FoldMeasures, measure_folds
from moselect.selection.limits import LimitReached
from moselect.selection.sensitivity import ConstraintCost

WITHIN = "within limits"
MONOTONE = "monotone"
COLUMNS = (CV, ERROR, *EXCESS, WITHIN, MONOTONE, *SPLITS[1:], "terms", "seconds")


@dataclass(frozen=True, eq=False, repr=False)
class Evidence(EvidenceFigures):
    """Candidates and baselines, evaluated under the same criteria, and the selected one.

    Cross-validation refits each candidate in every fold, including preprocessing and the
    choice of hyper-parameters.

    Attributes
    ----------
    criteria : DecisionLoss
        Costs or preferences, and limits.
    splits : Splits
        Samples of the splits.
    evaluations : dict of str to CandidateEvaluation
        Evaluation of each candidate.
    selected : str
        Name of the selected candidate.
    measured_objectives : sequence of Objective
        Objectives of `measures`.
    table : DataFrame
        Features and further columns to judge by, indexed by row of the table.
    resampled : Resampled
        Losses corrected for selection bias: some rows select the candidate and set the
        class shares of its decisions, the others evaluate it.
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
    scale : ndarray, optional
        All classes, lowest first, including classes without samples.
    order_is_guessed : bool
        Whether the order of the classes was inferred from a known scale.
    random_state : int, optional
        Seed of folds and models of a comparison.
    fingerprint : str
        Hash of the data of a comparison.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=3, random_state=1).fit(X, y)
    >>> evidence = search.select(class_costs=[1, 1, 1, 5, 5], model="linear").evidence
    >>> evidence.candidates.index.tolist()
    ['linear', 'proportional odds', 'best member', 'always one class']
    """

    resampled: Resampled = field(default_factory=lambda: Resampled({}, 0.0, 0.0))
    without_limits: float | None = None
    overall_limits: float | None = None
    shuffled: tuple[float, float] | None = None
    latest: LatestFold | None = None
    excluded: Mapping[str, str] = field(default_factory=dict)
    constraint: ConstraintCost | None = None
    suggested: Mapping[str, int] = field(default_factory=dict)
    scale: Labels | None = None
    order_is_guessed: bool = False
    random_state: int | None = None
    fingerprint: str = ""

    def cheapest(self) -> Self:
        """Select the candidate of least cross-validated loss."""
        # Overlapping test folds have no clusters that could set the class shares.
        names = [*self.evaluations]
        selected, resampled = self.selection(names, "cheapest", by_shares=False)
        return replace(self, selected=selected, resampled=resampled)

    def for_costs(self, costs: Costs | ArrayLike | None = None) -> Self:
        """Evaluate the models of a comparison for other costs, and select the cheapest.

        No model is refitted: models that were fitted for costs keep their predictions,
        others with probabilities P predict the class of least expected cost P C, and
        models without probabilities ignore the costs.

        Parameters
        ----------
        costs : Costs or array-like, optional
            `moselect.Costs`, class costs (r,), or a matrix (r, r), rows true classes; by
            default the distance in ranks.

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
        train = self.splits.train
        if self.evaluations[self.selected].fit.model is not None:
            raise ValueError("the candidates are fitted for their costs: select again")
        stated = as_costs(costs).for_seen(
            train.classes, self._all_classes, guessed=self.order_is_guessed
        )
        criteria = costs_of_known_rows(stated, train, self.splits.cv, self.table)
        fits = {name: each.fit for name, each in self.evaluations.items()}
        evaluations = self.of(fits, criteria, self.splits).evaluations
        return replace(self, criteria=criteria, evaluations=evaluations).cheapest()

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
        return measure_folds(self.evaluations, self.splits, self._all_classes, measures)

    @property
    def notes(self) -> list[str]:
        """Reasons of exclusions, and warnings of the fits in the folds, one line each."""
        excluded = [
            f"{name} is excluded: {reason}" for name, reason in self.excluded.items()
        ]
        return excluded + [
            f"{name} warned in {n_folds} folds: {line}"
            for name, each in self.evaluations.items()
            for line, n_folds in each.fit.warnings.items()
        ]

    @property
    def _all_classes(self) -> Labels:
        classes: Labels = self.splits.train.classes
        return classes if self.scale is None else self.scale

    @cached_property
    def candidates(self) -> pd.DataFrame:
        """Values of each candidate or baseline (rows), the best first.

        A column of the name `value`: cross-validated; ``std_error``: its standard error, with
        one further mistake of maximum cost; ``excess``: relative excess cost over the best,
        or shortfall in utility, corrected for selection bias, with its 95 % interval from
        ``excess_low`` to ``excess_high``; ``within limits``: whether it meets all limits, if
        any are set (the best is one that does, and others have no excess); ``monotone``:
        whether it keeps the known directions, if there are any; ``holdout``: value on the
        holdout set, if any; ``train``: value in training; ``terms``: number of terms;
        ``seconds``: time of all fits.
        """
        rows = {}
        for name, evaluation in self.evaluations.items():
            fit = evaluation.fit
            rows[name] = {
                split: evaluation.loss(*predicted)[0]
                for split, predicted in evaluation.splits.items()
                if split != CV
            }
            rows[name][CV], rows[name][ERROR] = self.figure(name)
            rows[name] |= {"terms": fit.terms, "seconds": fit.seconds}
            if self.criteria.limits:
                rows[name][WITHIN] = evaluation.is_within
            if self.splits.train.directions:
                rows[name][MONOTONE] = evaluation.is_monotone
        within = {name: self.losses[name] for name in self._within(self.losses)}
        candidates = pd.DataFrame.from_dict(rows, orient="index")
        candidates = candidates.join(
            excess_over_best(
                within,
                self.criteria.by_cost,
                self.unobserved_mistake()[1],
                self.resampled,
            )
        )
        candidates = candidates[[name for name in COLUMNS if name in candidates]]
        for split in {*SPLITS} & {*candidates}:
            candidates[split] = self.value_of(candidates[split])
        candidates = candidates.sort_values(
            CV, ascending=self.lower_is_better, kind="stable"
        )
        return candidates.rename(columns={CV: self.value})

    @cached_property
    def differences(self) -> dict[str, PairedDifference]:
        """Relative saving of the selected model over each other, or its gain in utility.

        Paired by sample and corrected for selection bias, as `expected`. The standard errors
        include one further mistake of maximum cost.
        """
        loss = self.losses[self.selected]
        _, max_cost = self.unobserved_mistake()
        differences = {}
        for name, baseline in self.losses.items():
            means = self.resampled.selected, self.resampled.losses[name]
            saved = loss_difference(
                loss, baseline, self.criteria.by_cost, max_cost, means
            )
            if name != self.selected and saved is not None:
                differences[name] = saved
        return differences

    @property
    def expected(self) -> float:
        """Value of the selected model, corrected for selection bias."""
        return float(self.value_of(self._corrected_loss))

    @property
    def expected_se(self) -> float:
        """Standard error of `expected`, with the distance from the value in `candidates`."""
        loss, error = self.figure(self.selected)
        return float(np.hypot(error, self._corrected_loss - loss))

    @property
    def _corrected_loss(self) -> float:
        # Some metrics are biased in small samples; a mean cost is not.
        bias, _ = self.unobserved_mistake(self.predicted_codes[self.selected])
        return self.resampled.selected + bias

    @property
    def confusion(self) -> pd.DataFrame:
        """Cross-validated confusion matrix of the selected model.

        True classes (rows) by predicted classes and, if in use, referral (columns); weighted,
        if samples are.
        """
        return self.evaluations[self.selected].confusion()

    @property
    def limits(self) -> list[LimitReached]:
        """The limits and the cross-validated shares of the limited mistakes."""
        return self.evaluations[self.selected].limits

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
        """Value of the selected model, corrected for selection bias, summed over all rows."""
        return self.expected * float(self.samples.sample_weight_or_ones.sum())

    @property
    def lower_is_better(self) -> bool:
        """Whether the criterion of the comparison is a cost or an error."""
        if self.metric is not None:
            return self.metric.is_error
        return self.criteria.by_cost

    @property
    def value_label(self) -> str:
        """Label of the criterion of the comparison."""
        return self.value if self.metric is None else metric_label(self.value)

    @property
    def true(self) -> Labels:
        """True classes of the samples, shape (n,)."""
        return self.samples.classes[self.samples.codes]

    def __repr__(self) -> str:
        figure = f"{self.expected:.4g} +- {self.expected_se:.2g}"
        return f"<Evidence: {self.selected}, cross-validated {self.value} {figure}>"

    def to_html(self) -> str:
        """Format the comparison of the candidates as an HTML table."""
        table = self.candidates.to_html(float_format="{:.4g}".format, border=0)
        return f"<p>Cross-validated {self.value}</p>{table}"
