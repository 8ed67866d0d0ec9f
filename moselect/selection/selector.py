"""Model selection for costs or preferences: fit, evaluate and select candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from moselect._types import Estimator
from moselect.learning import Fitted
from moselect.metrics.costs import Costs, cost_matrix
from moselect.metrics.objective import Objective
from moselect.models.objective_values import DEFAULT
from moselect.predictor import Model
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection.candidate_plan import fit_candidates, plan_candidates
from moselect.selection.candidates import CandidateFactory, CandidateFits
from moselect.selection.choice import BASELINES, CANDIDATES
from moselect.selection.criteria import preference_loss, preference_weights, resolve_costs
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.evaluation import Splits
from moselect.selection.evidence import Evidence
from moselect.selection.explanation import Explanation, explain
from moselect.selection.group_members import limits_in_groups, table_by_row
from moselect.selection.known_models import KNOWN_MODELS, Models, named_models
from moselect.selection.reference import profiles_of, used_profiles
from moselect.selection.sensitivity import (
    cost_of_directions,
    value_without_times,
    values_of_limits,
)
from moselect.selection.stored_reference import reference_from

UNTUNED = "-0"  # suffix of the trial of an estimator with the settings it came with


class Decision:
    """Select among candidate models of one table, for any costs, preferences and limits.

    Only the linear rule minimises the decision loss. The other candidates are fitted
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
    holdout : Samples, optional
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
        Further candidates, cross-validated only: the selected one is fitted to all samples.

    Examples
    --------
    >>> import numpy as np
    >>> from moselect.metrics import Costs
    >>> X, y = np.arange(60.0)[:, None] % 20, np.arange(60) % 20 // 10 + 1
    >>> samples = Samples.from_table(X, y)
    >>> decision = Decision(samples, CandidateFactory())
    >>> model = decision.select(Costs([1, 5]), model="linear")
    >>> model.predict([[0.0], [19.0]])
    array([1, 2])
    """

    def __init__(
        self,
        samples: Samples,
        maker: CandidateFactory,
        folds: Folds | None = None,
        *,
        holdout: Samples | None = None,
        objectives: Sequence[Objective] = DEFAULT,
        gains: Mapping[str, float] | None = None,
    ) -> None:
        if samples.rows is None:
            samples = replace(samples, rows=np.arange(len(samples)))
        self.samples = samples
        self.folds = folds or Folds.of_samples(samples)
        self.splits = Splits.of(samples, self.folds, holdout)
        self.objectives = tuple(objectives)
        self.gains = gains
        self.own_candidates: tuple[str, ...] = CANDIDATES
        self.trials: tuple[str, ...] = ()
        self.fits = CandidateFits(samples, maker, self.folds, holdout)
        # For comparison: folds that ignore time, and candidates without directions.
        self._shuffled: CandidateFits | None = None
        if samples.times is not None:
            mixed = replace(samples, times=None)
            self._shuffled = CandidateFits(mixed, maker, Folds.of_samples(mixed))
        self._unconstrained: CandidateFits | None = None
        if samples.directions:
            free = replace(samples, directions={})
            self._unconstrained = CandidateFits(
                free, replace(maker, monotone=None), self.folds
            )

    def select(
        self,
        costs: Costs | None,
        model: str | None = None,
        limits: Mapping[str, float] | None = None,
        candidates: Models | None = None,
        by: pd.DataFrame | None = None,
        preferences: Mapping[str, float] | None = None,
    ) -> Model:
        """Select the model of least cross-validated cost, or of greatest gain above chance.

        Parameters
        ----------
        costs : Costs or None
            Misclassification costs; None for preferences.
        model : str, optional
            A candidate (``"scorecard"``, ``"linear"``, ``"additive"``, ``"ensemble"``) or a
            baseline; ``"cheapest"``, the default, for the least cross-validated cost, or
            ``"simple"`` for the simplest within 5 % of it.
        limits : mapping of str to float, optional
            As in `limits_in_groups`.
        candidates : mapping, sequence, estimator or str, optional
            Further candidates, as in `moselect.compare`. Candidates that cannot be fitted
            are excluded, with the reason in the evidence.
        by : DataFrame, optional
            Further columns of the table, for costs of each row, limits and groups.
        preferences : mapping of str to float, optional
            Weights of the objectives without costs, equal ones by default.

        Raises
        ------
        ValueError
            If costs, priors, preferences, model or limits are invalid.
        """
        criteria = self.criteria_of(costs, preferences, by)
        table = table_by_row(self.samples, by)
        stated = limits_in_groups(limits, self.samples.classes, criteria.ratios, table)
        others = self._other_baselines(criteria.of_classes)
        added: dict[str, Estimator] = {}
        if candidates is not None:
            added = named_models(candidates, self.samples.classes, KNOWN_MODELS)
        own = self.own_candidates
        for name in {*own, *self.trials, *BASELINES, *others} & added.keys():
            raise ValueError(f"{name!r} is considered anyway: give models of other names")
        self.fits.add_models(added)
        plan = plan_candidates(
            model,
            (*own[:-1], *added, *self.trials, *own[-1:]),
            added,
            (*others, *BASELINES),
            directed=bool(self.samples.directions),
        )
        fits, excluded = fit_candidates(plan, self.fits, others, criteria, self.splits)
        eligible = [name for name in plan.eligible if name in fits]
        evaluated = Evidence.of(fits, replace(criteria, limits=stated), self.splits)
        # Other baselines, such as the best member of the front, have to meet the limits.
        for name in fits.keys() - {*eligible, *BASELINES}:
            if not evaluated.evaluations[name].is_within:
                excluded[name] = "it misses a limit"
                del fits[name]
        evaluated = evaluated.only(*fits)
        # With priors or forward-chaining folds, models do not know the class shares of
        # the test folds.
        by_shares = not (self.folds.goes_forward or criteria.has_priors)
        selected, resampled = evaluated.selection(eligible, plan.choice, by_shares)
        if "train" not in fits[selected].predictions:
            refitted = {selected: self.fits.refit(selected, criteria.of_classes)}
            again = Evidence.of(refitted, evaluated.criteria, self.splits)
            evaluations = {**evaluated.evaluations, **again.evaluations}
            evaluated = replace(evaluated, evaluations=evaluations)
        # The correction is for all trials. Shown are the best of them, and the first of each
        # estimator, whose settings are its own.
        losses = evaluated.losses
        trials = [name for name in losses if name in self.trials]
        trials.sort(key=lambda name: losses[name][0])
        # trials in tables and pictures
        n_shown = 10
        hidden = {name for name in trials[n_shown:] if not name.endswith(UNTUNED)}
        shown = [name for name in losses if name == selected or name not in hidden]
        chosen = evaluated.evaluations[selected]
        chosen.check_deployable()
        constraint, suggested = cost_of_directions(
            evaluated, selected, self.fits, self._unconstrained
        )
        without_limits, overall_limits = values_of_limits(evaluated, selected, limits)
        evidence = replace(
            evaluated.only(*shown),
            selected=selected,
            resampled=resampled,
            measured_objectives=self.objectives,
            table=table,
            shuffled=value_without_times(evaluated, selected, self._shuffled),
            latest=evaluated.latest_fold(selected) if self.folds.goes_forward else None,
            excluded=excluded,
            constraint=constraint,
            suggested=suggested,
            without_limits=without_limits,
            overall_limits=overall_limits,
        )
        columns = used_profiles(chosen.fit.model, profiles_of(self.samples))
        reference = reference_from(evidence, columns)
        return chosen.deployed(evidence=evidence, reference=reference)

    def linear_rule(
        self, costs: Costs | None, preferences: Mapping[str, float] | None
    ) -> Model:
        """Fit the linear rule for costs or preferences, without cross-validation."""
        criteria = self.criteria_of(costs, preferences)
        rule: Model = self.fits.learners["linear"].fit(self.samples, criteria)
        return rule.replace(classes_=self.samples.classes)

    def criteria_of(
        self,
        costs: Costs | None,
        preferences: Mapping[str, float] | None = None,
        by: pd.DataFrame | None = None,
    ) -> DecisionLoss:
        """Build the decision loss of costs, which may take columns of the table, or preferences."""
        if costs is not None:
            costs.require()
            splits = (self.samples, self.splits.holdout) if costs.by_row else ()
            tables = [table_by_row(part, by) for part in splits if part is not None]
            return resolve_costs(costs, self.samples, tables)
        if self.gains is None:
            raise ValueError("preferences need the gains of a search: give costs")
        weights = preference_weights(preferences, self.objectives)
        shares = self.samples.class_weights
        return preference_loss(weights, self.gains, self.objectives, shares)

    def explain(self, candidate: str, costs: DecisionLoss | None = None) -> Explanation:
        """Compute effects and out-of-fold permutation importance of the features.

        ``costs`` set the decision rule; by default the distance between classes.
        """
        criteria = DecisionLoss(cost_matrix(np.ones(self.samples.n_classes)))
        if costs is not None:
            criteria = DecisionLoss(costs.of_classes.in_use)
        fold_models = self.fits.fold_models(candidate, criteria)
        model = self.fits(candidate, criteria).model
        parts = self.samples, self.folds, criteria.in_use
        return explain(candidate, model, fold_models, *parts)

    def _other_baselines(self, criteria: DecisionLoss) -> dict[str, Fitted]:
        """Return further baselines, such as the best member of a front."""
        return {}
