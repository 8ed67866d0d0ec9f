"""From costs or preferences to one model for new data, beside its rivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.decision import (
    Costs,
    Goal,
    LinearRuleFitter,
    PairedDifference,
    ResolvedCosts,
    gain_verdict,
    paired_gain,
    paired_saving,
    preference_goal,
    preference_weights,
    rule_figures,
    standard_errors,
    verdict,
)
from moselect.front.evidence import (
    MEMBER,
    RULES,
    SELECTED,
    TRIVIAL,
    Evidence,
    SelectedClassifier,
)
from moselect.front.front import Front
from moselect.front.rivals import (
    RANKINGS,
    Predictions,
    baselines,
    best_member,
    cross_validated_member,
    held_out_baselines,
    predictions,
)
from moselect.metrics import OBJECTIVES
from moselect.models import OrdinalLinearClassifier
from moselect.models.card import ScoreCalibration, calibrate_score
from moselect.samples import Samples

N_FOLDS = 5  # without fronts of folds
COLUMNS = ("cross-validated", "standard error", "held out", "training")


class Selector:
    """Select models for costs or preferences from a front and the data that it was searched on.

    What does not depend on costs or preferences is fitted once, when a model is first selected.

    Parameters
    ----------
    front : Front
        The front of the data. With its ``fold_fronts`` its directions come into the selected model
        as far as cross-validated evidence for them goes; without, they do not.
    data : Samples
        The training samples.
    folds : ndarray of int, shape (n,), optional
        The fold of each sample in the search of the fronts of folds; for features as they are it
        follows from the data.
    refitted : sequence of ndarray, optional
        Columns fitted without each fold, as `moselect.columns.refit_without_folds` returns them.
    rows : ndarray of int, optional
        Indices of the training samples that were dealt out to folds, to which models are fitted; by
        default all.
    held_out : Samples, optional
        Held-out samples of the search, in the same columns; nothing is fitted to them.

    Raises
    ------
    ValueError
        If the samples do not have the columns of the front.

    Examples
    --------
    >>> from moselect import Costs
    >>> from moselect.samples import Samples
    >>> from moselect.front import Front
    >>> data = Samples.from_table([[0.0], [2.0], [1.0], [3.0]] * 10, [1, 1, 2, 2] * 10)
    >>> objectives, chance = pd.DataFrame({"accuracy": [0.75]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(objectives, np.eye(1), np.array([[0.5]]), data.classes, None, chance)
    >>> Selector(front, data).for_costs(Costs([1, 1])).predict([[-9.0], [9.0]])
    array([1, 2])
    """

    def __init__(
        self,
        front: Front,
        data: Samples,
        folds: Integers | None = None,
        refitted: Sequence[Floats] | None = None,
        rows: Integers | None = None,
        held_out: Samples | None = None,
    ) -> None:
        n_columns, needed = data.X.shape[1], front.weights.shape[1]
        if n_columns != needed:
            raise ValueError(f"X has {n_columns} features, but the model needs {needed}")
        self._front = front
        self._training = data
        self._rows = np.arange(len(data)) if rows is None else rows
        self._data = data if len(self._rows) == len(data) else data.take(self._rows)
        self._folds = folds
        self._refitted = refitted
        self._held_out = held_out

    @property
    def data(self) -> Samples:
        """The samples of the search, in the columns that its models weigh."""
        return self._training

    @property
    def held_out(self) -> Samples | None:
        """The samples that the search held out, in the same columns, or None."""
        return self._held_out

    @property
    def objectives(self) -> tuple[str, ...]:
        """Names of the objectives that were searched."""
        return tuple(map(str, self._front.chance.index))

    def for_costs(self, costs: Costs) -> SelectedClassifier:
        """Fit the model that is to cost least on new data.

        Raises
        ------
        ValueError
            If there are no costs, or costs or priors do not fit.
        """
        costs.require()
        resolved = costs.resolve(self._data.classes, self._training.class_counts)
        return self._select(Goal(resolved.in_use), costs=resolved)

    def for_preferences(self, preferences: Mapping[str, float] | None) -> SelectedClassifier:
        """Fit the model of the greatest weighted gain above chance to be expected on new data.

        Each objective is gauged by the most that the front gains in training; without preferences
        all weigh the same.

        Raises
        ------
        ValueError
            If an objective was not searched, or weights are negative or all zero.
        """
        front = self._front
        names = list(front.chance.index)
        weights = preference_weights(preferences, names)
        gains = {name: float(front.objectives[name].max() - front.chance[name]) for name in names}
        return self._select(preference_goal(weights, gains, self._data.n_classes), weights=weights)

    @cached_property
    def _fitter(self) -> LinearRuleFitter:
        data, fold_fronts = self._data, self._front.fold_fronts
        n_folds = N_FOLDS if fold_fronts is None else len(fold_fronts)
        folds = n_folds if self._front.columns is None or self._folds is None else self._folds
        return LinearRuleFitter(
            data.X, data.codes, data.n_classes, folds=folds, refitted=self._refitted
        )

    def _select(
        self,
        goal: Goal,
        costs: ResolvedCosts | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> SelectedClassifier:
        data, front, fitter = self._data, self._front, self._fitter
        folds = front.fold_fronts
        rule = fitter.fit(
            goal, front.weights, None if folds is None else [fold.weights for fold in folds]
        )
        trained, crossed = baselines(fitter, data.codes, goal)
        model = OrdinalLinearClassifier(rule.weights, rule.thresholds, range(data.n_classes))
        member = best_member(front, data, goal)
        trained[SELECTED] = predictions(model, data)
        crossed[SELECTED] = Predictions(rule.cross_fitted, rule.cross_scores)
        trained[MEMBER] = predictions(member, data)
        if folds is not None:
            crossed[MEMBER] = cross_validated_member(
                folds, data, fitter.folds, goal, self._refitted
            )
        outside = {}
        if self._held_out is not None:
            outside = {
                SELECTED: predictions(model, self._held_out),
                MEMBER: predictions(member, self._held_out),
                **held_out_baselines(fitter, data.codes, goal, self._held_out.X),
            }
        rules, differences = self._compare(goal, trained, crossed, outside, costs is not None)
        in_words = verdict if costs is not None else gain_verdict
        evidence = Evidence(
            objectives=self._objectives(
                trained[SELECTED], crossed[SELECTED], outside.get(SELECTED)
            ),
            value="utility" if costs is None else "cost",
            rules=rules,
            differences=differences,
            verdicts=[in_words(found, rival) for rival, found in differences.items()],
            predicted=pd.DataFrame(
                {name: data.classes[crossed[name].codes] for name in RULES if name in crossed},
                index=self._rows,
            ),
            confusion=_confusion(data, rule.cross_fitted),
            front_share=rule.front_share,
            calibration=_calibration(data, trained[SELECTED], crossed[SELECTED]),
            costs=costs,
            preferences=weights,
        )
        return SelectedClassifier(
            rule.weights,
            rule.thresholds,
            data.classes,
            data.feature_names,
            front.columns,
            evidence,
        )

    def _compare(
        self,
        goal: Goal,
        trained: Mapping[str, Predictions],
        crossed: Mapping[str, Predictions],
        outside: Mapping[str, Predictions],
        by_cost: bool,
    ) -> tuple[pd.DataFrame, dict[str, PairedDifference]]:
        """Return the values of the rules, and the differences of the selected one from the rest."""
        codes = self._data.codes
        found = {name: self._losses(goal, codes, rule, name) for name, rule in crossed.items()}
        values = {
            "cross-validated": {name: loss for name, (loss, _) in found.items()},
            "training": {n: self._losses(goal, codes, rule, n)[0] for n, rule in trained.items()},
        }
        chance = dict.fromkeys(values, goal.chance_loss(codes, np.ones(len(codes))))
        if self._held_out is not None:
            codes = self._held_out.codes
            values["held out"] = {
                name: self._losses(goal, codes, rule, name)[0] for name, rule in outside.items()
            }
            chance["held out"] = goal.chance_loss(codes, np.ones(len(codes)))
        table = pd.DataFrame(values, index=list(RULES))
        if not by_cost:  # a loss is what is missing to all gains at once
            table = pd.Series(chance) - table
        table["standard error"] = {
            name: float(standard_errors(influence)) for name, (_, influence) in found.items()
        }
        table = table[[name for name in COLUMNS if name in table]]
        loss, influence = found[SELECTED]
        differences = {}
        for name in RULES[1:]:
            if name not in found:
                continue
            if not by_cost:
                differences[name] = paired_gain(loss, influence, *found[name])
            elif found[name][0] > 0.0:  # else there is nothing to save
                rival_loss, rival_influence = found[name]
                differences[name] = paired_saving(loss + influence, rival_loss + rival_influence)
        return table, differences

    def _losses(
        self, goal: Goal, codes: Integers, rule: Predictions, name: str
    ) -> tuple[float, Floats]:
        """Return the loss of a rule and the influence (n,) of each sample on it."""
        ranking, ones = goal.ranking, np.ones(len(codes))
        of_rule = Goal(goal.costs, np.zeros_like(ranking)) if name == TRIVIAL else goal
        loss, influence = of_rule.losses(codes, rule.codes, rule.scores, ones)
        if name == TRIVIAL:  # ranks at random
            loss += float(ranking @ (1.0 - self._chance_of_rankings()))
        return loss, influence

    def _chance_of_rankings(self) -> Floats:
        return np.array([self._front.chance.get(name, 1.0) for name in RANKINGS])

    def _objectives(
        self, trained: Predictions, crossed: Predictions, outside: Predictions | None
    ) -> pd.DataFrame:
        codes, r = self._data.codes, self._data.n_classes
        cross_validated = rule_figures(codes, crossed.codes, crossed.scores, r)
        rows = {
            "cross-validated": cross_validated.values,
            "standard error": cross_validated.standard_errors,
        }
        if outside is not None and self._held_out is not None:
            of_held_out = rule_figures(self._held_out.codes, outside.codes, outside.scores, r)
            rows["held out"] = of_held_out.values
        rows["training"] = rule_figures(codes, trained.codes, trained.scores, r).values
        table = pd.DataFrame(rows.values(), index=list(rows), columns=list(OBJECTIVES))
        return table[list(self._front.objectives.columns)]


def _confusion(data: Samples, predicted: Integers) -> pd.DataFrame:
    r = data.n_classes
    return pd.DataFrame(
        np.bincount(data.codes * r + predicted, minlength=r * r).reshape(r, r),
        index=pd.Index(data.classes, name="true"),
        columns=pd.Index(data.classes, name="predicted"),
    )


def _calibration(data: Samples, trained: Predictions, crossed: Predictions) -> ScoreCalibration:
    """Fit class probabilities to cross-validated scores, in the units of the model's own."""
    own = trained.scores
    scores = own.mean() + own.std() * crossed.scores
    return calibrate_score(scores, data.codes, data.n_classes)
