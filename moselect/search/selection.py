"""From a front to the one rule that costs least on new data, and the evidence for it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from moselect.decision import (
    N_FOLDS,
    Goal,
    LinearRuleFitter,
    Loss,
    costs_in_use,
)
from moselect.models import OrdinalLinearClassifier
from moselect.search.cheapest import cheapest_model
from moselect.search.front_objects import front_objects
from moselect.search.measures import measures
from moselect.search.objectives import OBJECTIVES
from moselect.search.problem import OrdinalProblem

if TYPE_CHECKING:
    from moselect.search.front import Front

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Rule = Callable[[Floats], Integers]

SELECTED, CHEAPEST, PLUG_IN, TRIVIAL = RULES = (
    "selected",
    "cheapest member",
    "proportional odds",
    "trivial",
)
FOLD_EVALUATIONS = 1_000  # of a search without the objects of a fold


@dataclass(frozen=True, eq=False)
class SelectionReport:
    """What is known about a selected rule and its rivals.

    "Cross-fitted" is what models that were fitted without an object say about it, five folds.

    Attributes
    ----------
    objectives : DataFrame of shape (2, m)
        The objectives of the front for the rule, ``training`` and ``cross-fitted``.
    n_dominating : int
        Members of the front that are at least as good in every objective, on the training data.
    costs : DataFrame
        One row a rule: the ``selected`` one; the front's own ``cheapest member`` (a direction of
        the front with exact thresholds); ``proportional odds`` (its plug-in rule); the ``trivial``
        class. Columns: mean cost of an object in ``training`` and ``cross-fitted``, with its
        ``standard error``. The second is what the cheapest member promises and keeps: for the
        latter the front is searched anew without the object (1,000 directions), which only
        `ParetoSearch.select` can do; else it is NaN.
    predicted : DataFrame
        The cross-fitted class label of every object (n,) by every rule.
    confusion : DataFrame of shape (r, r)
        Objects of each true class (rows) that the selected rule, cross-fitted, puts into each class
        (columns).
    cost_matrix : ndarray of shape (r, r)
        The costs.
    """

    objectives: pd.DataFrame
    n_dominating: int
    costs: pd.DataFrame
    predicted: pd.DataFrame
    confusion: pd.DataFrame
    cost_matrix: Floats


class SelectedClassifier(OrdinalLinearClassifier):
    """A rule that a front handed over for given costs, ready to predict.

    Parameters
    ----------
    coef, thresholds, classes, feature_names
        As in `OrdinalLinearClassifier`.
    report : SelectionReport, optional
        The evidence.
    """

    def __init__(
        self,
        coef: ArrayLike,
        thresholds: ArrayLike,
        classes: ArrayLike,
        feature_names: Sequence[str] | None = None,
        report: SelectionReport | None = None,
    ) -> None:
        super().__init__(coef, thresholds, classes, feature_names)
        self.report = report

    def _repr_html_(self) -> str:
        if self.report is None:
            return super()._repr_html_()
        costs = self.report.costs.to_html(float_format="{:.4g}".format, border=0)
        return f"{super()._repr_html_()}<p>Expected costs</p>{costs}"


def select_rule(
    front: Front,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    class_costs: ArrayLike | None,
    loss: Loss,
    cost_matrix: ArrayLike | None,
    priors: ArrayLike | None,
    fitter: LinearRuleFitter | None = None,
    fold_fronts: list[Front] | None = None,
) -> SelectedClassifier:
    """Fit the rule for given costs and gather the evidence for it.

    What is handed over is the cost-tuned rule of `CostSensitiveOrdinalClassifier`: on new data it
    costs less than all that was tried of choosing among the front's own directions or averaging
    them with it (experiments/heldout_costs).

    Parameters
    ----------
    front, X, y, class_costs, loss, cost_matrix, priors
        As in `Front.select`.
    fitter : LinearRuleFitter, optional
        What `make_fitter` gave for these objects, if it is at hand: it does not depend on costs.
    fold_fronts : list of Front, optional
        Fronts that a search found without the objects of each fold (`search_folds`).

    Returns
    -------
    SelectedClassifier
    """
    if (class_costs is None) == (cost_matrix is None):
        raise ValueError("give either class_costs or cost_matrix")
    values, codes = front_objects(front, X, y)
    masses = np.bincount(codes, minlength=len(front.classes)).astype(np.float64)
    costs, in_use = costs_in_use(front.classes, masses, class_costs, loss, cost_matrix, priors)
    r = len(costs)
    constant = in_use[codes].sum(axis=0).argmin()
    if fitter is None:
        fitter = make_fitter(values, codes, r)
    # One thread for BLAS: its sums depend on how many share them, and ours must not.
    with threadpool_limits(limits=1, user_api="blas"):
        rule = fitter.fit(Goal(in_use))
    scores = OrdinalLinearClassifier(rule.weights, rule.thresholds, range(r)).decision_function(
        values
    )
    plugged, plugged_outside = fitter.plug_in(in_use)
    seen = {
        SELECTED: np.searchsorted(rule.thresholds, scores, side="left"),
        CHEAPEST: _cheapest(front, values, codes, in_use)(values),
        PLUG_IN: plugged,
        TRIVIAL: np.full(len(codes), constant),
    }
    predicted = {name: np.empty_like(codes) for name in RULES}
    predicted[SELECTED], predicted[PLUG_IN] = rule.cross_fitted, plugged_outside
    predicted[TRIVIAL] = trivial_classes(codes, fitter.folds, in_use)
    if fold_fronts is None:
        del predicted[CHEAPEST]
    else:
        for j, found in enumerate(fold_fronts):
            inside, outside = fitter.folds != j, fitter.folds == j
            kept = _cheapest(found, values[inside], codes[inside], in_use)
            predicted[CHEAPEST][outside] = kept(values[outside])
    objectives = pd.DataFrame(
        [
            measures(codes, seen[SELECTED], scores, r),
            measures(codes, rule.cross_fitted, rule.cross_scores, r),
        ],
        index=["training", "cross-fitted"],
        columns=list(OBJECTIVES),
    )[list(front.objectives.columns)]
    paid = pd.DataFrame({name: in_use[codes, classes] for name, classes in predicted.items()})
    report = SelectionReport(
        objectives=objectives,
        n_dominating=int((front.objectives >= objectives.iloc[0]).all(axis=1).sum()),
        costs=pd.DataFrame(
            {
                "training": {name: in_use[codes, seen[name]].mean() for name in RULES},
                "cross-fitted": paid.mean(),
                "standard error": paid.sem(),
            },
            index=list(RULES),
        ),
        predicted=pd.DataFrame(
            {name: front.classes[predicted[name]] for name in RULES if name in predicted}
        ),
        confusion=pd.DataFrame(
            np.bincount(codes * r + predicted[SELECTED], minlength=r * r).reshape(r, r),
            index=pd.Index(front.classes, name="true"),
            columns=pd.Index(front.classes, name="predicted"),
        ),
        cost_matrix=costs,
    )
    return SelectedClassifier(
        rule.weights, rule.thresholds, front.classes, front.feature_names, report
    )


def make_fitter(values: Floats, codes: Integers, n_classes: int) -> LinearRuleFitter:
    """Do what fitting rules to some objects takes for any costs, with one thread for BLAS."""
    with threadpool_limits(limits=1, user_api="blas"):
        return LinearRuleFitter(values, codes, n_classes)


def trivial_classes(codes: Integers, folds: Integers, costs: Floats) -> Integers:
    """Give for each object (n,) the class that costs least on all objects of the other folds."""
    classes = np.empty_like(codes)
    for j in range(N_FOLDS):
        classes[folds == j] = costs[codes[folds != j]].sum(axis=0).argmin()
    return classes


def search_folds(
    search: Any, values: Floats, codes: Integers, folds: Integers
) -> list[Front] | None:
    """Search the front anew without the objects of each fold (n,), with a small budget.

    Returns
    -------
    list of Front, or None
        None if a class or all features would be lost in some fold.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C came during one of the searches.
    """
    small = {"n_runs": 1, "max_evaluations": FOLD_EVALUATIONS, "holdout": None, "labels": None}
    fronts = []
    for inside in (folds != j for j in range(N_FOLDS)):
        fewest = np.bincount(codes[inside], minlength=codes.max() + 1).min()
        if fewest < 2 or not np.ptp(values[inside], axis=0).any():
            return None
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "constant columns")  # in this fold
            found = clone(search).set_params(**small).fit(values[inside], codes[inside])
        if found.interrupted_:  # half a search would pass for what the front promises
            raise KeyboardInterrupt
        fronts.append(found.front_)
    return fronts


def _cheapest(front: Front, values: Floats, codes: Integers, costs: Floats) -> Rule:
    """Give the direction of a front, and its exact thresholds, that cost least on some objects."""
    problem = OrdinalProblem(values, codes, labels=range(len(costs)))
    weights, thresholds, _ = cheapest_model(problem, np.unique(front.weights, axis=0), costs)
    model = OrdinalLinearClassifier(weights, thresholds, range(len(costs)))
    return lambda rows: model.predict(rows)
