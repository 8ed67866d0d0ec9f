"""Model selection for costs or preferences: fit, evaluate and select candidates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from moselect.learning import FitError, Fitted
from moselect.metrics.costs import Costs, ResolvedCosts, cost_matrix
from moselect.metrics.objective import Objective
from moselect.models.directed import keeps_directions
from moselect.models.objective_values import DEFAULT
from moselect.predictor import Model
from moselect.predictor.row_costs import resolve_costs
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.candidate_fits import CandidateFits
from moselect.selection.candidates import CandidateFactory
from moselect.selection.choice import (
    BASELINES,
    CANDIDATES,
    PROPORTIONAL_ODDS,
    eligible_candidates,
)
from moselect.selection.constraints import ConstraintCost, suggested_directions
from moselect.selection.decision_loss import (
    DecisionLoss,
    SelectionCriteria,
)
from moselect.selection.evaluation import CandidateEvaluation, Splits
from moselect.selection.evaluations import MIN_Z, CandidateEvaluations
from moselect.selection.explanation import Explanation, explain, importance_of
from moselect.selection.groups import limits_in_groups, table_by_row
from moselect.selection.known_models import KNOWN_MODELS, Models
from moselect.selection.limits import Limit, mistake_of, read_limits
from moselect.selection.preferences import preference_goal, preference_weights
from moselect.selection.reference import profiles_of

# relative excess cost of proportional odds over the best candidate above which no linear rule is
# tuned
MAX_TUNING_GAP = 0.1
SUMS = ("scorecard", "linear", "additive")  # candidates with a single score
ENSEMBLE = CANDIDATES[-1]
UNTUNED = "-0"  # suffix of the trial of an estimator with the settings it came with
N_SHOWN = 10  # trials in tables and pictures


class Decision:
    """Select among candidate models of one table, for any costs, preferences and limits.

    Only the linear rule is fitted to the decision loss. The other candidates are fitted
    once, when first needed, and predict the class of least expected cost under their
    class probabilities.

    Parameters
    ----------
    samples : Samples
        The training samples, unprepared.
    maker : CandidateFactory
        Factory of the candidates.
    folds : Folds, optional
        Partition of the samples, or forward-chaining folds; five folds by default.
    held_out : Samples, optional
        Holdout set, unused in search and training.
    objectives : sequence of Objective
        Objectives measured for the selected model.
    gains : mapping of str to float, optional
        Unit of each objective's gain above chance, for preferences.

    Attributes
    ----------
    own_candidates : tuple of str
        Candidates that are always considered, simplest first.
    trials : tuple of str
        Further candidates whose out-of-fold predictions are known. The selected one is
        fitted to all samples when it is selected.

    Examples
    --------
    >>> import numpy as np
    >>> from moselect.metrics import Costs
    >>> X, y = np.arange(60.0)[:, None] % 20, np.arange(60) % 20 // 10 + 1
    >>> samples = Samples.from_table(X, y)
    >>> decision = Decision(samples, CandidateFactory(samples.X))
    >>> model = decision.for_costs(Costs([1, 5]), model="linear")
    >>> model.predict([[0.0], [19.0]])
    array([1, 2])
    """

    def __init__(
        self,
        samples: Samples,
        maker: CandidateFactory,
        folds: Folds | None = None,
        *,
        held_out: Samples | None = None,
        objectives: Sequence[Objective] = DEFAULT,
        gains: Mapping[str, float] | None = None,
    ) -> None:
        if samples.rows is None:
            samples = replace(samples, rows=np.arange(len(samples)))
        self.samples = samples
        self.folds = folds or Folds.of_samples(samples)
        rows = self.folds.held_out  # not all samples, with forward-chaining folds
        tested = samples if len(rows) == len(samples) else samples.take(rows)
        self.splits = Splits(samples, tested, self.folds.parts[rows], held_out)
        self.objectives = tuple(objectives)
        self.gains = gains
        self.own_candidates: tuple[str, ...] = CANDIDATES
        self.trials: tuple[str, ...] = ()
        self.fits = CandidateFits(samples, maker, self.folds, held_out)
        self._shuffled = (  # estimates by folds that ignore time, for comparison
            None
            if samples.times is None
            else Decision(replace(samples, times=None), maker)
        )
        self._free = (  # the same candidates without directions, for comparison
            Decision(
                replace(samples, directions={}), replace(maker, monotone=None), self.folds
            )
            if samples.directions
            else None
        )

    def for_costs(
        self,
        costs: Costs,
        model: str | None = None,
        limits: Mapping[str, float] | None = None,
        candidates: Models | None = None,
        by: pd.DataFrame | None = None,
    ) -> Model:
        """Select the model of least cross-validated cost.

        Parameters
        ----------
        costs : Costs
            Misclassification costs.
        model : str, optional
            A candidate (``"scorecard"``, ``"linear"``, ``"additive"``, ``"ensemble"``) or a
            baseline; ``"cheapest"``, the default, for the least cross-validated cost, or
            ``"simple"`` for the simplest within 5 % of it.
        limits : mapping of str to float, optional
            As in `limits_in_groups`.
        candidates : mapping, sequence, estimator or str, optional
            Further candidates: classifiers with ``predict_proba`` or names of known
            models, as in `moselect.compare`. Candidates that cannot be fitted are left
            out, with the reason in the evidence.
        by : DataFrame, optional
            Further columns of the table, which costs of each row may take, and by which
            limits and evidence may be evaluated.

        Raises
        ------
        ValueError
            If there are no costs, or costs, priors, kind or limits are invalid.
        """
        return self._select(self._priced(costs, by), model, limits, candidates, by)

    def for_preferences(
        self,
        preferences: Mapping[str, float] | None,
        model: str | None = None,
        limits: Mapping[str, float] | None = None,
        candidates: Models | None = None,
        by: pd.DataFrame | None = None,
    ) -> Model:
        """Select the model of greatest cross-validated gain above chance.

        Parameters as in `for_costs`; without preferences all objectives have equal
        weight.

        Raises
        ------
        ValueError
            If an objective was not searched, or weights are negative or all zero.
        """
        return self._select(self._preferred(preferences), model, limits, candidates, by)

    def linear_rule(
        self, costs: Costs | None, preferences: Mapping[str, float] | None = None
    ) -> Model:
        """Fit the linear rule for costs or preferences, without evidence.

        The same model as with ``model="linear"`` in the other methods, in a sixth of the
        time, because there is no cross-validation.
        """
        criteria = self._preferred(preferences) if costs is None else self._priced(costs)
        rule: Model = self.fits.whole("linear", criteria.goal)
        return rule.replace(classes_=self.samples.classes)

    def _priced(self, costs: Costs, by: pd.DataFrame | None = None) -> SelectionCriteria:
        """Build selection criteria from costs, which may take columns of the table."""
        costs.require()
        splits = (self.samples, self.splits.holdout) if costs.by_row else ()
        tables = [table_by_row(part, by) for part in splits if part is not None]
        resolved = resolve_costs(costs, self.samples, tables)
        return SelectionCriteria(DecisionLoss.of(resolved), resolved)

    def _preferred(self, preferences: Mapping[str, float] | None) -> SelectionCriteria:
        """Build selection criteria from preferences."""
        if self.gains is None:
            raise ValueError("preferences need the gains of a search: give costs")
        weights = preference_weights(preferences, self.objectives)
        shares = self.samples.class_weights
        goal = preference_goal(weights, self.gains, self.objectives, shares)
        return SelectionCriteria(goal, preferences=weights)

    def explain(self, candidate: str, costs: ResolvedCosts | None = None) -> Explanation:
        """Compute effects and out-of-fold permutation importance of the features.

        ``costs`` set the decision rule; by default the distance between classes.
        """
        goal = self._called_by(costs)
        without = self.fits.without_folds(candidate, goal)
        model = self.fits.whole(candidate, goal)  # of the same cache
        return explain(candidate, model, without, self.samples, self.folds, goal.costs)

    def importance(
        self, candidate: str, costs: ResolvedCosts | None = None
    ) -> pd.DataFrame:
        """Compute out-of-fold permutation importance of the features, as in `explain`."""
        goal = self._called_by(costs)
        without = self.fits.without_folds(candidate, goal)
        return importance_of(without, self.samples, self.folds, goal.costs)

    def _called_by(self, costs: ResolvedCosts | None) -> DecisionLoss:
        """Return the decision loss without referral."""
        ones = np.ones(self.samples.n_classes)
        return DecisionLoss(cost_matrix(ones) if costs is None else costs.of_classes)

    def _other_baselines(self, goal: DecisionLoss) -> dict[str, Fitted]:
        """Return further baselines, such as the best member of a front."""
        return {}

    def _select(
        self,
        criteria: SelectionCriteria,
        candidate: str | None,
        limits: Mapping[str, float] | None,
        candidates: Models | None,
        by: pd.DataFrame | None,
    ) -> Model:
        table = table_by_row(self.samples, by)
        known = self.samples.classes, criteria.ratios
        stated = limits_in_groups(limits, *known, table)
        fits, eligible, choice, excluded = self._fitted(criteria, candidate, candidates)
        evaluated = CandidateEvaluations(
            fits, replace(criteria, limits=stated), self.splits
        )
        for name in fits.keys() - {
            *eligible,
            *BASELINES,
        }:  # baselines such as the best front member
            if not evaluated.evaluations[name].is_within:
                evaluated.leave_out(name)
                excluded[name] = "it misses a limit"
        # With priors or forward-chaining folds, models do not know the class shares of the test
        # folds.
        by_shares = not (self.folds.goes_forward or criteria.has_priors)
        selected, resampled = evaluated.select(eligible, choice, by_shares)
        if fits[selected].training is None:
            fits[selected] = self.fits.refit(selected, criteria.goal.of_classes)
            evaluated.evaluations[selected] = CandidateEvaluation(
                selected, fits[selected], evaluated.criteria, self.splits
            )
        # The correction is for all trials; tables and pictures show the best of them, and
        # the first of each estimator, whose settings are its own.
        trials = [name for name in evaluated.losses if name in self.trials]
        for name in sorted(trials, key=lambda name: evaluated.losses[name][0])[N_SHOWN:]:
            if name != selected and not name.endswith(UNTUNED):
                evaluated.leave_out(name)
        constraint, suggested = self._of_directions(evaluated, selected)

        def value_within(others: Sequence[Limit]) -> float:
            """Evaluate the selected candidate under other limits."""
            other = CandidateEvaluations(
                {selected: fits[selected]}, replace(criteria, limits=others), self.splits
            )
            return float(evaluated.value(other.figure(selected)[0]))

        overall: dict[str, float] = {}
        for words, most in (limits or {}).items():
            mistake = mistake_of(words)
            overall[mistake] = min(most, overall.get(mistake, most))
        evidence = evaluated.evidence(
            selected,
            resampled,
            self.objectives,
            without_limits=value_within([]) if stated else None,
            overall_limits=value_within(read_limits(overall, *known))
            if overall != (limits or {})
            else None,
            table=table,
            shuffled=self._without_times(evaluated, selected),
            latest=evaluated.latest(selected) if self.folds.goes_forward else None,
            excluded=excluded,
            columns=profiles_of(self.samples),
            constraint=constraint,
            suggested=suggested,
        )
        return evaluated.evaluations[selected].deployed(evidence)

    def _without_times(
        self, evaluated: CandidateEvaluations, selected: str
    ) -> tuple[float, float] | None:
        """Return value and error by folds that ignore time, if they differ significantly."""
        if self._shuffled is None or selected not in (*CANDIDATES, *BASELINES):
            return None
        criteria = evaluated.criteria
        with suppress(FitError):  # a fold cannot be fitted: nothing to compare
            again = {selected: self._shuffled.fits(selected, criteria.goal.of_classes)}
            other, other_error = CandidateEvaluations(
                again, criteria, self._shuffled.splits
            ).figure(selected)
            loss, error = evaluated.figure(selected)
            if abs(other - loss) > MIN_Z * math.hypot(other_error, error):
                return evaluated.value(other), other_error
        return None

    def _of_directions(
        self, evaluated: CandidateEvaluations, selected: str
    ) -> tuple[ConstraintCost | None, dict[str, int]]:
        """Return the cost of the known directions, and directions that the data suggest."""
        if self._free is None:
            return None, {}
        additive, criteria = "additive", evaluated.criteria
        name = selected if selected in (*SUMS, PROPORTIONAL_ODDS) else additive
        goal, cost = criteria.goal.of_classes, None
        with suppress(FitError):  # a candidate cannot be fitted: nothing to compare
            # fold models first: the cross-validated predictions are theirs
            without = self._free.fits.without_folds(additive, goal)
            free = {each: self._free.fits(each, goal) for each in {name, additive}}
            known = (
                {name: self.fits(name, goal)} if name not in evaluated.evaluations else {}
            )
            kept = (
                CandidateEvaluations(known, criteria, self.splits) if known else evaluated
            )
            difference = kept.excess_over(
                CandidateEvaluations(free, criteria, self.splits), name
            )
            if difference is not None:
                cost = ConstraintCost(name, difference)
            model = free[additive].model
            return cost, suggested_directions(model, without, self.samples, self.folds)
        return None, {}

    def _fitted(
        self,
        criteria: SelectionCriteria,
        candidate: str | None,
        candidates: Models | None,
    ) -> tuple[dict[str, Fitted], list[str], Any, dict[str, str]]:
        """Fit candidates and baselines; return fits, eligible names, criterion and failures."""
        goal = criteria.goal.of_classes
        others = self._other_baselines(goal)
        added = (
            {}
            if candidates is None
            else KNOWN_MODELS.named(candidates, self.samples.classes)
        )
        own = self.own_candidates
        for name in {*own, *self.trials, *BASELINES, *others} & added.keys():
            raise ValueError(f"{name!r} is considered anyway: give models of other names")
        self.fits.add_models(added)
        known = (*own[:-1], *added, *self.trials, *own[-1:])
        names, choice = eligible_candidates(candidate, (*known, *others, *BASELINES))
        # Further candidates that cannot keep directions are compared, but taken by name only.
        loose = {
            name
            for name, model in added.items()
            if self.samples.directions and not keeps_directions(model)
        }
        taken = {*known} - loose
        eligible = [name for name in names if name in taken or name == candidate]
        shown = loose if candidate is None or len(names) > 1 else set()
        wanted = dict.fromkeys([*eligible, *shown, *others, *BASELINES])
        fits, excluded = dict(others), dict[str, str]()
        # The ensemble first: it starts worker processes, which then serve the others, too. The
        # linear rule last: it is refitted for each decision loss, and only if it could be selected.
        for name in sorted(
            (name for name in wanted if name not in others),
            key=lambda name: (name == "linear") - (name == ENSEMBLE),
        ):
            if (
                name == "linear" != candidate
                and self._tuning_to_gain(fits, criteria) > MAX_TUNING_GAP
            ):
                continue
            try:
                fits[name] = self.fits(name, goal)
            except FitError as error:
                excluded[name] = str(error)
        if ENSEMBLE in fits and self.samples.directions:
            reasons = self.fits.learners[ENSEMBLE].excluded.items()
            excluded |= {f"{member} of the {ENSEMBLE}": why for member, why in reasons}
        fits = {name: fits[name] for name in wanted if name in fits}
        fitted = [name for name in eligible if name in fits]
        if not fitted:
            raise ValueError(f"{eligible[0]} cannot be fitted: {excluded[eligible[0]]}")
        return fits, fitted, choice, excluded

    def _tuning_to_gain(
        self, fits: Mapping[str, Fitted], criteria: SelectionCriteria
    ) -> float:
        """Compute the relative excess cost of proportional odds over the best candidate."""
        if criteria.goal.ranking.any() or PROPORTIONAL_ODDS not in fits:
            return 0.0
        losses = CandidateEvaluations(fits, criteria, self.splits).losses
        least = min(loss for loss, _ in losses.values())
        return losses[PROPORTIONAL_ODDS][0] / least - 1.0 if least > 0.0 else 0.0
