"""Evidence: all candidates evaluated under the same criteria, and the selected one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import Floats, Labels
from moselect.metrics.costs import Costs, as_costs
from moselect.metrics.objective import Objective
from moselect.samples.samples import Samples
from moselect.selection import evidence_figures as figures
from moselect.selection.choice import Resampled, far_below
from moselect.selection.criteria import costs_of_known_rows
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.differences import PairedDifference
from moselect.selection.evaluations import Evaluations
from moselect.selection.limits import LimitReached
from moselect.selection.sensitivity import ConstraintCost, Latest


@dataclass(frozen=True, eq=False, repr=False)
class Evidence:
    """Candidates and baselines, evaluated under the same criteria, and the selected one.

    Each fold repeats preprocessing, the choice of hyper-parameters and the fit.

    Attributes
    ----------
    evaluations : Evaluations
        Evaluation of each candidate by name; the criteria and the samples.
    selected : str
        Name of the selected candidate.
    measured_objectives : sequence of Objective
        Objectives of `measures`, as of a front.
    table : DataFrame
        Features and further columns to judge by, indexed by row of the table.
    resampled : Resampled
        Losses corrected for selection bias.
    without_limits : float or None
        Cross-validated value of the selected candidate without its limits.
    latest : Latest, or None
        Value of the selected candidate on the latest rows, if rows have times.
    excluded : dict of str to str
        Reasons why candidates, or models of the ensemble, were left out.
    constraint : ConstraintCost or None
        Cost of the known directions (``monotone``), if there are any.
    suggested : dict of str to {1, -1}
        Further columns with monotonic effects in the additive model: a hint.
    scale : ndarray, optional
        All classes, lowest first, including classes without samples.
    order_is_guessed : bool
        Whether the order of the classes was inferred from a known scale.
    random_state, fingerprint : int and str, optional
        Seed of the folds and models of a comparison, and hash of its data.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=3, random_state=1).fit(X, y)
    >>> evidence = search.select(class_costs=[1, 1, 1, 5, 5], model="linear").evidence
    >>> evidence.candidates.index.tolist()
    ['linear', 'proportional odds', 'best member', 'always one class']
    """

    evaluations: Evaluations
    selected: str = ""
    resampled: Resampled = field(default_factory=lambda: Resampled({}, 0.0, 0.0))
    measured_objectives: Sequence[Objective] = ()
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    excluded: Mapping[str, str] = field(default_factory=dict)
    without_limits: float | None = None
    latest: Latest | None = None
    constraint: ConstraintCost | None = None
    suggested: Mapping[str, int] = field(default_factory=dict)
    scale: Labels | None = None
    order_is_guessed: bool = False
    random_state: int | None = None
    fingerprint: str = ""

    # Computed on demand from the out-of-fold predictions
    trade_off = figures.trade_off
    price = figures.price
    referral = figures.referral
    by = figures.by
    group_estimates = figures.group_estimates
    group_differences = cached_property(figures.group_differences)
    sets = figures.sets
    fold_measures = figures.fold_measures
    reported = property(figures.reported)

    @property
    def criteria(self) -> DecisionLoss:
        """Costs or preferences, and limits."""
        return self.evaluations.criteria

    @property
    def samples(self) -> Samples:
        """True classes, weights and groups of the out-of-fold predictions, without features."""
        return self.evaluations.samples

    @property
    def true(self) -> Labels:
        """True classes of the samples, shape (n,)."""
        return self.samples.classes[self.samples.codes]

    @property
    def predicted(self) -> pd.DataFrame:
        """Out-of-fold predictions of each candidate or baseline, indexed by row of the table."""
        return self.evaluations.predicted

    @property
    def probabilities(self) -> dict[str, Floats]:
        """Out-of-fold class probabilities (n, r) of each candidate that has any."""
        return self.evaluations.probabilities

    @property
    def value(self) -> str:
        """Criterion of the comparison: ``"cost"``, ``"utility"`` or the name of a metric."""
        return self.evaluations.value

    @property
    def value_label(self) -> str:
        """Label of the criterion of the comparison."""
        return self.evaluations.value_label

    @property
    def costs(self) -> DecisionLoss | None:
        """The criteria, if these are costs or a metric; None for preferences.

        The cost matrix of a metric is the one whose least expected cost optimises it.
        """
        if self.criteria.preferences is not None:
            return None
        if self.criteria.metric is None:
            return self.criteria
        return replace(self.criteria, matrix=self.evaluations[self.selected].costs)

    @cached_property
    def candidates(self) -> pd.DataFrame:
        """Values of each candidate or baseline (rows), the best first.

        A column of the name `value`: cross-validated; ``std_error``: its standard error, with
        one further mistake of maximum cost; ``excess``: relative excess cost over the best,
        or shortfall in utility, 0 or more, corrected for selection bias, with its 95 %
        interval from ``excess_low`` to ``excess_high``; ``within limits``: whether it meets
        all limits, if any are set (the best is one that does, and others have no excess);
        ``monotone``: whether it keeps the known directions, if there are any; ``holdout``:
        value on the holdout set, if any; ``train``: value in training; ``terms``: number of
        terms; ``seconds``: time of all fits.
        """
        return self.evaluations.table(self.resampled)

    @cached_property
    def differences(self) -> dict[str, PairedDifference]:
        """Relative saving of the selected model over each other, or its gain in utility.

        Paired by sample and corrected for selection bias, both sides as `expected`. The standard
        errors include one further row that the two decide otherwise.
        """
        differences = {}
        for name, baseline in self.evaluations.items():
            means = self.resampled.selected, self.resampled.losses[name]
            saved = self.evaluations.saving_over(baseline, self.selected, means)
            if name != self.selected and saved is not None:
                differences[name] = saved
        return differences

    @property
    def expected(self) -> float:
        """Value of the selected model, corrected for selection bias; on `latest` if it differs."""
        return float(self.evaluations.value_of(self._expected_loss[0]))

    @property
    def expected_se(self) -> float:
        """Standard error of `expected`, with the distance from the value in `candidates`."""
        return self._expected_loss[1]

    @property
    def _expected_loss(self) -> tuple[float, float]:
        loss, error = self.reported.figure()
        if self.latest is not None and self.latest.differs:
            return loss, error
        # Some metrics are biased in small samples; a mean cost is not.
        bias, _ = self.reported.unobserved_mistake()
        corrected = self.resampled.selected + bias
        return corrected, float(np.hypot(error, corrected - loss))

    @property
    def sum(self) -> float:
        """Value of the selected model, corrected for selection bias, summed over all rows."""
        return self.expected * float(self.samples.sample_weight_or_ones.sum())

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

    @cached_property
    def measures(self) -> pd.DataFrame:
        """Objectives (columns) of each candidate on each split (rows), without referrals.

        ``cv``: cross-validated; ``std_error``: of these, with one further mistake by one
        class, the overlap of the training folds and the spread of the fold models;
        ``holdout``: on the holdout set, if any; ``train``: in training. They hold for the
        class shares of the table even if there are priors, as do those of a front.
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

    def for_costs(self, costs: Costs | ArrayLike | None = None) -> Self:
        """Evaluate the models of a comparison for other costs, and select the cheapest.

        No model is refitted; those that were fitted for costs keep their predictions.

        Parameters
        ----------
        costs : Costs or array-like, optional
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
        splits = self.evaluations.splits
        if self.evaluations[self.selected].fit.model is not None:
            raise ValueError("the candidates are fitted for their costs: select again")
        classes: Labels = splits.train.classes
        scale = classes if self.scale is None else self.scale
        stated = as_costs(costs).for_observed(
            classes, scale, guessed=self.order_is_guessed
        )
        criteria = costs_of_known_rows(stated, splits.train, splits.cv, self.table)
        fits = {name: each.fit for name, each in self.evaluations.items()}
        return self.of_cheapest(Evaluations.of(fits, criteria, splits))

    def of_cheapest(self, evaluations: Evaluations) -> Self:
        """Return the evidence of other evaluations, with the cheapest candidate selected."""
        selected, resampled = evaluations.select(evaluations)
        return replace(
            self, evaluations=evaluations, selected=selected, resampled=resampled
        )

    @property
    def notes(self) -> list[str]:
        """Remarks on costs and serial dependence, exclusions, and warnings of the fits."""
        notes = [*far_below(self.candidates), *self.evaluations.splits.notes]
        notes += [f"{name} is excluded: {why}" for name, why in self.excluded.items()]
        return notes + self.evaluations.notes

    def __repr__(self) -> str:
        figure = f"{self.expected:.4g} +- {self.expected_se:.2g}"
        return f"<Evidence: {self.selected}, cross-validated {self.value} {figure}>"

    def to_html(self) -> str:
        """Format the comparison of the candidates as an HTML table."""
        table = self.candidates.to_html(float_format="{:.4g}".format, border=0)
        return f"<p>Cross-validated {self.value}</p>{table}"
