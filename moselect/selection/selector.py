"""Model selection for costs or preferences: fit, evaluate and select candidates."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self, get_args

import numpy as np
import pandas as pd

from moselect._parallel import one_thread
from moselect._types import Estimator
from moselect.candidates.candidates import CandidateFits, FitSettings
from moselect.candidates.cross_validation import CV, Fitted
from moselect.candidates.names import (
    BASELINES,
    MEMBER,
    PROPORTIONAL_ODDS,
    ROW_SHARES,
    TRIVIAL,
    known_name,
)
from moselect.candidates.registry import Candidate
from moselect.candidates.splits import Splits
from moselect.costs.costs import Costs, cost_matrix
from moselect.costs.criteria import preference_loss, preference_weights, resolve_costs
from moselect.costs.limits import CONFIDENCE, Limit, check_rows
from moselect.costs.priced import Priced
from moselect.evaluation.choice import Choice, choose
from moselect.evaluation.decision import decide
from moselect.inference.standard_errors import standard_errors
from moselect.inspection.explanation import Explanation, explain
from moselect.inspection.group_members import limits_in_groups, table_by_row
from moselect.metrics.objective import Objective
from moselect.metrics.objectives import DEFAULT
from moselect.models.learner import FitError, Predictions
from moselect.models.scorecard.estimator import CardLearner
from moselect.monitoring.profiles import profiles_of
from moselect.monitoring.reference import reference_figures
from moselect.predictor import Model
from moselect.search.front import Front
from moselect.search.search_samples import SearchSamples
from moselect.selection.best_member import BestMember
from moselect.selection.evidence import Evidence
from moselect.validation import check_choice

if TYPE_CHECKING:
    from moselect.candidates.known_models import Models

# The correction is for all trials. Shown are the best of them, and the first of each
# estimator, whose settings are its own.
SHOWN_TRIALS = 10
# Relative excess cost that no linear rule will make up for.
HOPELESS_GAP = 0.1


class Selector:
    """Select among candidate models of one table, for any costs, preferences and limits.

    Only the linear rule minimises the decision loss. The other candidates are fitted
    once, when first needed, and predict the class of least expected cost under their
    class probabilities.

    Parameters
    ----------
    fits : CandidateFits
        Fits of the candidates.
    objectives : sequence of Objective
        Objectives measured for the selected model.
    gains : mapping of str to float, optional
        Unit of each objective's gain above chance, for preferences.
    member : BestMember, optional
        Baseline from the front of a search.

    Attributes
    ----------
    own_candidates : list of str
        Candidates that are always considered: all that are registered, simplest first.
    trials : tuple of str
        Candidates on trial, cross-validated; only a selected one is fitted on all samples.

    Examples
    --------
    >>> import numpy as np
    >>> from moselect import Costs
    >>> from moselect.samples.samples import Samples
    >>> X, y = np.arange(60.0)[:, None] % 20, np.arange(60) % 20 // 10 + 1
    >>> samples = Samples.from_table(X, y)
    >>> selector = Selector(CandidateFits(samples, FitSettings()))
    >>> model = selector.select(Costs([1, 5]), model="linear")
    >>> model.predict([[0.0], [19.0]])
    array([1, 2])
    """

    def __init__(
        self,
        fits: CandidateFits,
        objectives: Sequence[Objective] = DEFAULT,
        gains: Mapping[str, float] | None = None,
        member: BestMember | None = None,
    ) -> None:
        self.fits = fits
        self.samples = fits.samples
        self.folds = fits.folds
        self.splits = Splits.of(fits.samples, fits.folds, fits.holdout)
        self.objectives = tuple(objectives)
        self.gains = gains
        self.member = member
        self.trials: tuple[str, ...] = ()
        self.own_candidates = fits.ranked(fits.candidates)

    @classmethod
    def of_search(cls, front: Front, samples: SearchSamples, **reporting: Any) -> Self:
        """Return the selector of a front and the samples of its search.

        If the front has ``fold_fronts``, its best member is a further baseline. Fits take
        ``store`` and ``report`` as in `CandidateFits`.
        """
        settings = samples.settings
        of_fits = FitSettings(
            settings.columns, settings.prepare, settings.random_state, settings.n_jobs
        )
        fits = CandidateFits(
            samples.samples, of_fits, samples.folds, samples.holdout, **reporting
        )
        most = front.objectives.max() - front.chance
        gains = {str(name): float(gain) for name, gain in most.items()}
        return cls(fits, settings.objectives, gains, BestMember(front, samples))

    @one_thread()
    def select(
        self,
        costs: Costs | None,
        model: str | None = None,
        limits: Mapping[str, float] | None = None,
        candidates: Models | None = None,
        by: pd.DataFrame | None = None,
        preferences: Mapping[str, float] | None = None,
        without: Container[str] = (),
        confidence: float = CONFIDENCE,
    ) -> Model:
        """Select the model of least cross-validated cost, or of greatest gain above chance.

        Without ``costs``, by preferences. ``without`` names candidates that are compared only.
        Other parameters and errors as in `moselect.ParetoSearch.select`.
        """
        parts = self.samples, self.splits.holdout
        tables = [table_by_row(part, by) for part in parts if part is not None]
        criteria = self.criteria_of(costs, preferences, tables)
        stated: list[Limit] = []
        if limits:
            stated = limits_in_groups(
                limits, self.samples.classes, criteria.ratios, confidence, *tables
            )
            check_rows(stated, self.splits.predicted)
        others: dict[str, Fitted] = {}
        if self.member is not None and self.member.front.fold_fronts is not None:
            others[MEMBER] = self.member.fitted(criteria.of_classes)
        added: dict[str, Estimator] = {}
        if candidates is not None:
            # slow to import: other packages
            from moselect.candidates.known_models import KNOWN_MODELS, named_models

            added = named_models(candidates, self.samples.classes, KNOWN_MODELS)
        baselines = [*others, *BASELINES]
        for name in {*self.own_candidates, *self.trials, *baselines} & added.keys():
            raise ValueError(f"{name!r} is considered anyway: give models of other names")
        for name, estimator in added.items():
            self.fits.add(Candidate(name, estimator))
        eligible, names = self._plan(model, added, baselines)
        fits, excluded = self._fit(names, eligible, others, criteria)
        eligible = [name for name in eligible if name in fits and name not in without]
        if criteria.decides_by_row:
            fits[ROW_SHARES] = replace(fits[TRIVIAL], is_constant=False)
        splits = self.splits
        if PROPORTIONAL_ODDS in fits:
            splits = splits.in_order(fits[PROPORTIONAL_ODDS].cv)
        criteria = replace(criteria, limits=stated)
        evaluated = {name: decide(fit, criteria, splits) for name, fit in fits.items()}
        # Other baselines, such as the best member of the front, have to meet the limits.
        for name in fits.keys() - {*eligible, *BASELINES, ROW_SHARES}:
            if not evaluated[name].is_within:
                excluded[name] = "it misses a limit"
                del evaluated[name]
        # With priors or forward-chaining folds, models do not know the class shares of
        # the test folds.
        by_shares = not (self.folds.goes_forward or criteria.has_priors)
        choice: Choice = "simple" if model == "simple" else "cheapest"
        selected, corrected = choose(evaluated, eligible, choice, by_shares)
        if "train" not in fits[selected].predictions:
            refitted = self.fits.refit(selected, criteria.of_classes)
            evaluated[selected] = decide(refitted, criteria, splits)
        trials = sorted(
            (name for name in evaluated if name in self.trials),
            key=lambda name: evaluated[name].cv_loss[0],
        )
        hidden = {name for name in trials[SHOWN_TRIALS:] if not name.endswith("-0")}
        chosen = evaluated[selected]
        if chosen.fit.model is None:
            label = self.samples.classes[chosen.out_of_fold.codes[0]]
            raise ValueError(
                f"no model is better than a constant: always predict {label}"
            )
        for name in hidden - {selected}:
            del evaluated[name]
        evidence = Evidence(
            evaluated,
            selected=selected,
            losses=corrected,
            measured_objectives=self.objectives,
            table=tables[0],
            excluded=excluded,
        )
        in_use = self.samples.in_use(criteria.ratios)
        columns = profiles_of(in_use, chosen.fit.model.columns.first.used)
        reference = reference_figures(evidence, columns)
        return chosen.deployed(evidence=evidence, reference=reference)

    def _plan(
        self, model: str | None, added: Mapping[str, Estimator], baselines: list[str]
    ) -> tuple[list[str], list[str]]:
        """Return the candidates that may be selected, and all that are fitted."""
        # Of equal rank: of moselect and other packages, then of this call, then trials.
        candidates = self.fits.ranked([*self.own_candidates, *added, *self.trials])
        names = [*candidates, *baselines]
        if model is not None:
            model = known_name(model, names)
        if model in names:
            return [model], list(dict.fromkeys([model, *baselines]))
        if model is not None:
            check_choice("model", model, [*names, *get_args(Choice)])
        # Other classifiers do not know the directions: compared, but selected by name only.
        free = list(added) if self.samples.directions else []
        eligible = [name for name in candidates if name not in free]
        return eligible, [*eligible, *free, *baselines]

    def _fit(
        self,
        names: list[str],
        eligible: list[str],
        fitted: Mapping[str, Fitted],
        criteria: Priced,
    ) -> tuple[dict[str, Fitted], dict[str, str]]:
        """Fit candidates, unless ``fitted``; return the fits and the reasons of failures."""
        fits = dict(fitted)
        failures: dict[str, str] = {}
        known = self.fits.candidates
        # The ensemble, the most complex, first: it starts worker processes, which then serve
        # the others, too. Candidates for costs last: they are refitted for each decision
        # loss, and only if they could be selected.
        for name in sorted(
            (name for name in names if name not in fitted),
            key=lambda name: (known[name].has_thresholds, -known[name].rank),
        ):
            is_optional = known[name].has_thresholds and eligible != [name]
            if is_optional and self._is_hopeless(fits, criteria):
                continue
            try:
                fits[name] = self.fits(name, criteria.of_classes)
            except FitError as error:
                failures[name] = str(error)
        if not fits.keys() & {*eligible}:
            name = eligible[0]
            raise ValueError(f"{name} cannot be fitted: {failures[name]}")
        if self.samples.directions:
            for name in fits.keys() & known.keys():
                reasons = self.fits.failed_members(name).items()
                failures |= {f"{member} of the {name}": why for member, why in reasons}
        return {name: fits[name] for name in names if name in fits}, failures

    def _is_hopeless(self, fits: Mapping[str, Fitted], criteria: Priced) -> bool:
        """Whether a score of the same features, proportional odds, costs far more than the best.

        More than its error, too: on 120 and 300 rows the rule was the cheapest in 23 of 269
        decisions from which the gap alone excluded it, in 1 of 158 beyond two errors, too.
        """
        if criteria.loss.ranking.any() or PROPORTIONAL_ODDS not in fits:
            return False
        losses = {
            name: decide(fit, criteria, self.splits).cv_loss for name, fit in fits.items()
        }
        least, influence = min(losses.values(), key=lambda loss: loss[0])
        of_odds, odds_influence = losses[PROPORTIONAL_ODDS]
        error = float(standard_errors(odds_influence - influence))
        return least > 0.0 and of_odds - least > max(HOPELESS_GAP * least, 2.0 * error)

    def fit_rule(
        self, name: str, costs: Costs | None, preferences: Mapping[str, float] | None
    ) -> Model:
        """Fit a candidate for costs or preferences, without cross-validation."""
        criteria = self.criteria_of(costs, preferences)
        rule = self.fits.learners[name].fit(self.samples, criteria)
        return rule.replace(classes_=self.samples.classes)

    def criteria_of(
        self,
        costs: Costs | None,
        preferences: Mapping[str, float] | None = None,
        tables: Sequence[pd.DataFrame] = (),
    ) -> Priced:
        """Build the decision loss of preferences or costs, which may take columns of tables."""
        if costs is not None:
            return resolve_costs(costs, self.samples, tables)
        if self.gains is None:
            raise ValueError("preferences need the gains of a search: give costs")
        weights = preference_weights(preferences, self.objectives)
        shares = self.samples.class_weights
        return preference_loss(weights, self.gains, self.objectives, shares)

    def explain(self, candidate: str, costs: Priced | None = None) -> Explanation:
        """Compute effects and out-of-fold permutation importance of the features.

        ``costs`` set the decision rule; by default the distance between classes.
        """
        criteria = Priced(cost_matrix(np.ones(self.samples.n_classes)))
        if costs is not None:
            criteria = Priced(costs.of_classes.in_use)
        fold_models = self.fits.fold_models(candidate, criteria)
        model = self.fits(candidate, criteria).model
        return explain(
            candidate, model, fold_models, self.samples, self.folds, criteria.in_use
        )

    def scorecard_lengths(self, evidence: Evidence) -> pd.DataFrame:
        """Cross-validate scorecards by length, as `moselect.ParetoSearch.scorecard_lengths`.

        Raises ValueError if the selected model is no scorecard.
        """
        learner = self.fits.learners.get(evidence.selected)
        if not isinstance(learner, CardLearner):
            raise ValueError(
                f"the selected model, {evidence.selected}, is no scorecard: select with "
                "model='scorecard'"
            )
        cross_validate = partial(learner.cross_validate_lengths, self.samples, self.folds)
        name = f"lengths of {evidence.selected}"
        cards = self.fits.store.computed(name, cross_validate)
        priced = evidence.criteria
        lengths = {}
        for index, of_length in enumerate(cards["proba"]):
            of_cards = {CV: Predictions.of(of_length)}
            fit = replace(evidence.chosen.fit, predictions=of_cards)
            evaluation = decide(fit, priced, evidence.splits)
            loss, error = evaluation.figure()
            lengths[index + 1] = {
                "columns": cards["columns"][index],
                evidence.value: priced.loss.value(loss),
                "std_error": error,
                **evaluation.measures(self.objectives).loc[CV],
            }
        return pd.DataFrame.from_dict(lengths, orient="index").rename_axis("conditions")
