"""From costs to the one model that is to cost least on new data, beside its rivals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect.datasets import TrainingData
from moselect.decision import N_FOLDS, Costs, LinearRuleFitter
from moselect.front.evidence import Evidence, SelectedClassifier
from moselect.front.front import Front
from moselect.metrics import OBJECTIVES, measure_objectives
from moselect.models import LinearBatch, OrdinalLinearClassifier

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SELECTED, CHEAPEST, PLUG_IN, TRIVIAL = RULES = (
    "selected",
    "cheapest member",
    "proportional odds",
    "trivial",
)


def select(
    front: Front,
    data: TrainingData,
    costs: Costs,
    fold_fronts: Sequence[Front] | None = None,
) -> SelectedClassifier:
    """Fit the rule for given costs and compare it with the front's cheapest member and baselines.

    What is selected is the cost-tuned rule of `CostSensitiveOrdinalClassifier`, which needs no
    front.

    Parameters
    ----------
    front : Front
        The front of the data.
    data : TrainingData
        The samples; every class must be there.
    costs : Costs
        What mistakes cost.
    fold_fronts : sequence of Front, optional
        Fronts of the samples outside each fold of `LinearRuleFitter.folds`; without them the
        cheapest member is not cross-validated.

    Raises
    ------
    ValueError
        If there are no costs, or costs or priors do not fit.
    """
    costs.require()
    resolved = costs.resolve(data.classes, data.class_counts)
    in_use, codes, r = resolved.in_use, data.codes, data.n_classes
    fitter = LinearRuleFitter(data.X, codes, r)
    rule = fitter.fit(in_use)
    model = OrdinalLinearClassifier(rule.weights, rule.thresholds, range(r))
    scores = model.decision_function(data.X)
    fitted_plug_in, cross_validated_plug_in = fitter.plug_in(in_use)
    trained = {
        SELECTED: np.searchsorted(rule.thresholds, scores, side="left"),
        CHEAPEST: _cheapest_member(front, data, in_use).predict(data.X),
        PLUG_IN: fitted_plug_in,
        TRIVIAL: np.full(len(data), in_use[codes].sum(axis=0).argmin()),
    }
    crossed = {SELECTED: rule.cross_validated}
    if fold_fronts is not None:
        crossed[CHEAPEST] = np.empty_like(codes)
        for j, found in enumerate(fold_fronts):
            outside = fitter.folds == j
            member = _cheapest_member(found, data.take(~outside), in_use)
            crossed[CHEAPEST][outside] = member.predict(data.X[outside])
    crossed[PLUG_IN] = cross_validated_plug_in
    crossed[TRIVIAL] = trivial_classes(codes, fitter.folds, in_use)
    objectives = pd.DataFrame(
        [
            measure_objectives(codes, trained[SELECTED], scores, r),
            measure_objectives(codes, rule.cross_validated, rule.cross_scores, r),
        ],
        index=["training", "cross-validated"],
        columns=list(OBJECTIVES),
    )[list(front.objectives.columns)]
    paid = pd.DataFrame({name: in_use[codes, classes] for name, classes in crossed.items()})
    evidence = Evidence(
        objectives=objectives,
        n_dominating=int((front.objectives >= objectives.iloc[0]).all(axis=1).sum()),
        costs=pd.DataFrame(
            {
                "training": {name: in_use[codes, trained[name]].mean() for name in RULES},
                "cross-validated": paid.mean(),
                "standard error": paid.sem(),
            },
            index=list(RULES),
        ),
        predicted=pd.DataFrame({name: data.classes[codes] for name, codes in crossed.items()}),
        confusion=pd.DataFrame(
            np.bincount(codes * r + rule.cross_validated, minlength=r * r).reshape(r, r),
            index=pd.Index(data.classes, name="true"),
            columns=pd.Index(data.classes, name="predicted"),
        ),
        cost_matrix=resolved.matrix,
    )
    return SelectedClassifier(
        rule.weights, rule.thresholds, data.classes, data.feature_names, evidence
    )


def trivial_classes(codes: Integers, folds: Integers, costs: Floats) -> Integers:
    """Return for each sample (n,) the class that costs least on all samples of other folds."""
    classes = np.empty_like(codes)
    for j in range(N_FOLDS):
        classes[folds == j] = costs[codes[folds != j]].sum(axis=0).argmin()
    return classes


def _cheapest_member(front: Front, data: TrainingData, costs: Floats) -> OrdinalLinearClassifier:
    """Return the direction of a front, and its exact thresholds, that cost least on the data."""
    directions = np.unique(front.weights, axis=0)
    thresholds, totals = LinearBatch(data).exact_thresholds(directions, costs)
    best = int(totals.argmin())
    return OrdinalLinearClassifier(directions[best], thresholds[best], range(data.n_classes))
