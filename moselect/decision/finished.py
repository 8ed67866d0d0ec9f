"""Finished models: made of fitted estimators, and deciding anew for other costs or class shares."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect._validation import check_cost_matrix
from moselect.columns.steps import steps_of
from moselect.decision.kinds import cheapest_referral, cheapest_thresholds, scoring_rule
from moselect.decision.selected_pool import SelectedPool
from moselect.models import AdditiveOdds, OrdinalLinearClassifier, ProportionalOdds
from moselect.models.referral import Referral


def finished(fitted: Any, X: Any, costs: Floats) -> OrdinalLinearClassifier | SelectedPool:
    """Return a fitted estimator as a finished model that decides for costs.

    Where it has a single score it gets thresholds, the outermost beyond those of X.
    """
    *before, last = steps_of(fitted)
    if hasattr(last, "model_"):  # it was fitted for costs
        return last.model_
    rule = getattr(last, "rule_", None)
    if rule is None and isinstance(last, AdditiveOdds | ProportionalOdds):
        names = getattr(last, "feature_names_in_", None)
        known = None if names is None else tuple(names)
        rule = scoring_rule(last, before[0] if before else None, known)
    if rule is None:
        return SelectedPool(fitted, last.classes_, costs)
    rule.thresholds = cheapest_thresholds(rule.decision_function(X), rule.calibration, costs)
    return rule


def decide(
    model: Any,
    cost_matrix: ArrayLike,
    shares: ArrayLike | None = None,
    trained_shares: ArrayLike | None = None,
) -> OrdinalLinearClassifier | SelectedPool:
    """Return a finished model that decides for other costs; nothing is fitted.

    Parameters
    ----------
    model : OrdinalLinearClassifier or SelectedPool
        With class probabilities.
    cost_matrix : array-like of shape (r, r) or (r, r + 1)
        Costs, rows true classes, columns predicted ones; a last one is that of leaving a row to a
        person.
    shares, trained_shares : array-like of shape (r,), optional
        Shares of the classes that it will meet, and those for which its probabilities hold.

    Raises
    ------
    ValueError
        If costs or shares do not fit, or the model has no probabilities.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], kind="curves")
    >>> dear = decide(model, moselect.cost_matrix([1, 1, 1, 50, 50]))
    >>> bool((dear.predict(X) >= model.predict(X)).all())
    True
    """
    r, width = len(model.classes_), np.shape(cost_matrix)[-1:]
    referral = None if width != (r + 1,) else model.referral or Referral()
    costs = check_cost_matrix(cost_matrix, r, referral=referral is not None)
    if shares is not None:
        now, then = (np.asarray(each, dtype=np.float64) for each in (shares, trained_shares))
        # P(class) by the new shares, times a cost, is P(class) by the old ones, times this.
        costs = costs * np.divide(now, then, out=np.zeros_like(now), where=then > 0.0)[:, None]
    if model.calibration is None:
        if not hasattr(model, "pipeline"):
            raise ValueError("the model has no class probabilities, by which it could decide anew")
        return SelectedPool(model.pipeline, model.classes_, costs, referral=referral)
    cuts = np.array(model.calibration.cuts) / (model.calibration.slope or 1.0)
    thresholds = cheapest_thresholds(cuts, model.calibration, costs[:, :r])
    if referral is not None:
        referral = cheapest_referral(cuts, model.calibration, costs, referral.label)
    return OrdinalLinearClassifier(
        model.coef_,
        thresholds,
        model.classes_,
        model.feature_names,
        model.columns,
        model.calibration,
        referral=referral,
    )
