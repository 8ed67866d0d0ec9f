"""What a pool and its models say, as operators: one function for each of them."""

from __future__ import annotations

from functools import partial, reduce, singledispatch
from typing import Any

import numpy as np

from moselect._types import Floats
from moselect.graph.graph import Graph
from moselect.graph.terms import columns_of
from moselect.graph.trees import grown_trees, histogram_sums, mean_of_trees, tree_sums
from moselect.models import AdditiveOdds, OrdinalPool
from moselect.models.calibration import Calibration
from moselect.models.pool.boosting import BoostedClasses, BoostedRanks, HistogramRanks
from moselect.models.pool.gaussian_process import FURTHEST, GaussianProcessRanks
from moselect.models.pool.ordinal_extra_trees import OrdinalExtraTrees
from moselect.models.pool.pooled_model import SURE
from moselect.models.proportional_odds import OddsAlongScore
from moselect.models.terms import Number
from moselect.models.training import SeenClasses

CERTAIN = 1e6  # in place of infinite log-odds


@singledispatch
def responses(estimator: Any, graph: Graph, X: str) -> str:
    """Return what an estimator says of prepared features (n, p).

    That are the class probabilities (n, r) of a classifier, or the ranks (n, 1) of a
    regressor. ValueError if it is one of another package.
    """
    name = type(getattr(estimator, "estimator", estimator)).__name__
    raise ValueError(
        f"{name} has no form in ONNX: give --kind curves, or a pool of others"
    )


@responses.register
def _(pool: OrdinalPool, graph: Graph, X: str) -> str:
    add, pooled = graph.add, []
    for model, weight in zip(pool.models_, pool.weights_.tolist(), strict=True):
        n_features = getattr(model.estimator, "n_features_in_", None)
        values = X if n_features is None else graph.columns(X, list(range(n_features)))
        proba = responses(model.estimator, graph, values)
        if model.calibration is not None:
            proba = _calibrated(graph, proba, model.calibration)
        cut = np.arange(model.n_classes - 1)
        above = (np.arange(model.n_classes)[:, None] > cut).astype(np.float64)
        share = graph.clip(add("MatMul", proba, above), SURE, 1.0 - SURE)
        odds = add("Log", add("Div", share, add("Sub", 1.0, share)))
        pooled.append(add("Mul", odds, weight))
    score = add("Add", reduce(partial(add, "Add"), pooled), pool.intercepts_[None, :])
    return _of_seen(graph, add("Sigmoid", score), pool._seen)


@responses.register
def _(odds: OddsAlongScore, graph: Graph, X: str) -> str:
    score = graph.add("MatMul", X, odds.coef_[:, None])
    return proportional_odds(graph, score, odds.thresholds_)


@responses.register
def _(curves: AdditiveOdds, graph: Graph, X: str) -> str:
    features = tuple(Number(f"feature {j}") for j in range(curves.n_features_in_))
    known = {each.name: graph.columns(X, [j]) for j, each in enumerate(features)}
    columns = columns_of(graph, curves.columns_.terms(features), known)
    return responses.dispatch(OddsAlongScore)(curves, graph, columns)


@responses.register
def _(forest: OrdinalExtraTrees, graph: Graph, X: str) -> str:
    above = mean_of_trees(graph, _rounded(graph, X), forest.model_.estimators_)
    return _of_seen(graph, graph.clip(above, 0.0, 1.0), forest._seen)


@responses.register
def _(boosted: BoostedClasses, graph: Graph, X: str) -> str:
    model = boosted.model_
    raw = histogram_sums(graph, X, model)
    if model.n_trees_per_iteration_ == 1:
        above = graph.add("Sigmoid", raw)
        proba = graph.beside([graph.add("Sub", 1.0, above), above])
    else:
        proba = graph.add("Softmax", raw, axis=1)
    return graph.add("MatMul", proba, np.eye(len(boosted.classes_))[model.classes_])


@responses.register
def _(histograms: HistogramRanks, graph: Graph, X: str) -> str:
    return histogram_sums(graph, X, histograms.model_)


@responses.register
def _(boosted: BoostedRanks, graph: Graph, X: str) -> str:
    model = boosted.model_
    if hasattr(model, "model_"):  # histograms, of many rows
        return responses(model, graph, X)
    trees, values = grown_trees(model.estimators_[:, 0])
    steps, target = model.learning_rate * values[:, 0], np.zeros(len(values), dtype=int)
    sums = tree_sums(graph, _rounded(graph, X), trees, steps, target)
    return graph.add("Add", sums, float(np.ravel(model.init_.constant_)[0]))


@responses.register
def _(process: GaussianProcessRanks, graph: Graph, X: str) -> str:
    add, smooth, linear = graph.add, process.kernel_.k1, process.kernel_.k2
    centred = add("Div", add("Sub", X, process.centre_[None, :]), process.scale_[None, :])
    Z, rows = graph.clip(centred, -FURTHEST, FURTHEST), process.rows_
    across = add("MatMul", Z, rows.T.copy())
    squares = add("Add", graph.total(add("Mul", Z, Z)), (rows**2).sum(axis=1)[None, :])
    distances = add("Max", add("Sub", squares, add("Mul", across, 2.0)), 0.0)
    near = add("Exp", add("Mul", distances, -0.5 / smooth.k2.length_scale**2))
    straight = add("Mul", add("Add", across, 1.0), linear.k1.constant_value)
    covariances = add("Add", add("Mul", near, smooth.k1.constant_value), straight)
    means = add("MatMul", covariances, process.dual_coef_[:, None])
    return add("Add", add("Mul", means, process.spread_), process.mean_)


def _of_seen(graph: Graph, above: str, seen: SeenClasses) -> str:
    """Return the probabilities (n, r) of all classes, of P(y > k) of those with samples."""
    n_cuts = len(seen.indices) - 1
    proba = _shares(graph, _descending(graph, above, n_cuts), n_cuts)
    return graph.add("MatMul", proba, np.eye(seen.n_classes)[seen.indices])


def proportional_odds(graph: Graph, score: str, thresholds: Floats) -> str:
    """Return the class probabilities (n, r) along a score (n, 1)."""
    cuts = np.clip(thresholds, -CERTAIN, CERTAIN)[None, :]
    return _shares(graph, graph.add("Sigmoid", graph.add("Sub", score, cuts)), cuts.size)


def _calibrated(graph: Graph, ranks: str, calibration: Calibration) -> str:
    """Return the class probabilities (n, r) of ranks (n, 1)."""
    add, of = graph.add, calibration
    z = add("Div", add("Sub", ranks, of.centre), of.spread)
    common = proportional_odds(graph, add("Mul", z, of.slope), of.cuts)
    lines = add("Add", add("Mul", z, of.slopes[None, :]), of.intercepts[None, :])
    separate = [graph.columns(add("Sigmoid", lines), [k]) for k in range(len(of.cuts))]
    for k in range(1, len(separate)):
        separate[k] = add("Min", separate[k], separate[k - 1])
    both = add("Add", common, _shares(graph, graph.beside(separate), len(separate)))
    last = len(of.positions) - 1
    lower = add(
        "Max", add("Sub", graph.count_below(z, of.positions), np.int64(1)), np.int64(0)
    )
    upper = add("Min", add("Add", lower, np.int64(1)), np.int64(last))
    start, end = (add("Gather", of.positions, at) for at in (lower, upper))
    width = add("Max", add("Sub", end, start), np.finfo(float).tiny)
    part = graph.clip(add("Div", add("Sub", z, start), width), 0.0, 1.0)
    flat = (add("Reshape", at, np.array([-1])) for at in (lower, upper))
    left, right = (add("Gather", of.corrections, at) for at in flat)
    correction = add("Add", left, add("Mul", add("Sub", right, left), part))
    proba = add("Max", add("Add", add("Mul", both, 0.5), correction), 0.0)
    return add("Div", proba, graph.total(proba))


def _rounded(graph: Graph, X: str) -> str:
    """Return features in the single precision in which grown trees compare them."""
    return graph.cast(graph.cast(X, "float"), "double")


def _shares(graph: Graph, above: str, n_cuts: int) -> str:
    """Return the class probabilities (n, r) of descending P(y > k), (n, r - 1)."""
    # Each is P(y > k - 1) - P(y > k), the first of which is 1.
    differences = np.eye(n_cuts, n_cuts + 1, 1) - np.eye(n_cuts, n_cuts + 1)
    return graph.add(
        "Add", graph.add("MatMul", above, differences), np.eye(1, n_cuts + 1)
    )


def _descending(graph: Graph, above: str, n_cuts: int) -> str:
    """Return the P(y > k), (n, r - 1), nearest by least squares, that descend with k.

    They are the least over a <= k of the greatest over b >= k of the means of the cuts a
    to b (Barlow, Bartholomew, Bremner & Brunk 1972, Statistical inference under order
    restrictions).
    """
    if n_cuts == 1:
        return above
    first, last, cut = np.ogrid[:n_cuts, :n_cuts, :n_cuts]
    inside = ((first <= cut) & (cut <= last)) / np.maximum(last - first + 1.0, 1.0)
    flat = inside.reshape(-1, n_cuts).T.copy()
    means = graph.add(
        "Reshape", graph.add("MatMul", above, flat), np.array([-1, n_cuts, n_cuts])
    )
    found = []
    for k in range(n_cuts):
        part = graph.add("Gather", means, np.arange(k + 1), axis=1)
        part = graph.add("Gather", part, np.arange(k, n_cuts), axis=2)
        greatest = graph.add("ReduceMax", part, np.array([2]), keepdims=0)
        found.append(graph.add("ReduceMin", greatest, np.array([1]), keepdims=1))
    return graph.beside(found)
