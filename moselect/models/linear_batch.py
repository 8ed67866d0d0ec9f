"""Batches of linear models on the same samples: scores, predictions, optimal thresholds."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import gen_batches

from moselect._kernels import code_bits
from moselect._kernels.cutpoints import count_predictions, positions_to_thresholds
from moselect._kernels.objectives import cheapest_positions_of_rows, ranking_counts
from moselect._kernels.pair_counts import pair_measures
from moselect._kernels.scores import linear_scores, score_keys
from moselect._parallel import map_parts
from moselect._types import Array, Floats, Integers
from moselect.budgets import MEMORY
from moselect.metrics.decision_metrics import DecisionMetric
from moselect.samples.samples import Samples
from moselect.validation import at_rows


class OptimalModels(NamedTuple):
    """Models of least cost along P rankings, m for each of them."""

    thresholds: Floats  # (P, m, r - 1) ascending
    totals: Floats  # (P, m) costs of all samples
    confusions: Floats  # (P, m, r, r) by class (row) and predicted class; may be empty


class LinearBatch:
    """Score many linear models on the samples of one table.

    Parameters
    ----------
    data : Samples
        The samples.
    n_jobs : int, optional
        Threads that share a batch: one by default, -1 for all cores. Results are the
        same, bit for bit, for any number.

    Attributes
    ----------
    features : ndarray of shape (p, n)
        One row a feature; samples are sorted by class.
    given_codes : ndarray of int, shape (n,)
        Class codes of the samples as given, in the smallest type.
    codes : ndarray of int, shape (n,)
        Class codes of the sorted samples.
    weights : ndarray of shape (n,) or None
        Weights of the sorted samples; None: one each.
    class_rates : ndarray of shape (r,)
        Weight of each sample of a class, where all samples of a class weigh the same; else 1.
    class_weights : ndarray of shape (r,)
        Weight of the samples of each class: without weights their number, int.
    classes : ndarray of shape (r,)
        Class labels, lowest first.
    signs : ndarray of int, shape (p,), or None
        Direction of each feature, 0 for any; None if no feature has one.
    feature_names, directions
        As in the samples.
    bits : int
        Lowest bits of a sort key that hold the class.
    count_type : type
        Of counts: float with sample weights, else integer.
    n_samples, n_features : int
        Numbers n and p.

    Examples
    --------
    >>> from moselect.samples.samples import Samples
    >>> data = Samples.from_table([[0.0], [2.0], [1.0], [3.0]], [1, 1, 2, 2])
    >>> batch = LinearBatch(data)
    >>> batch.confusions(np.array([[1.0]]), np.array([[0.5]]))
    array([[[1, 1],
            [0, 2]]])
    >>> batch.ranking(np.array([[1.0]]))[0, 0]
    np.float64(0.75)
    """

    def __init__(self, data: Samples, n_jobs: int | None = None) -> None:
        self.n_jobs = n_jobs
        self.n_classes = data.n_classes
        self.class_weights = data.class_weights
        self.classes = data.classes
        # Without directions no projection is needed.
        is_bound = data.signs is not None and data.signs.any()
        self.signs = data.signs if is_bound else None
        self.feature_names = data.feature_names
        self.directions = data.directions
        # Sort by class once: constant labels on ranges make the loops fast.
        order = np.argsort(data.codes, kind="stable")
        self.given_codes = data.codes.astype(np.min_scalar_type(self.n_classes))
        self.codes = data.codes[order]
        self._reversed_codes = self.n_classes - 1 - self.codes
        self.weights = at_rows(data.weights, order)
        # Counts without weights are exact.
        self.count_type: type[np.int64 | np.float64] = np.float64
        if self.weights is None:
            self.count_type = np.int64
        # Where all samples of a class weigh the same, as in stratified subsamples, counts are
        # multiplied class by class and no weight is looked up sample by sample.
        self.class_rates = np.ones(self.n_classes)
        self.varying_weights = self.weights
        if self.weights is not None:
            rates = np.ones(self.n_classes)
            rates[self.codes] = self.weights
            if (rates[self.codes] == self.weights).all():
                self.class_rates = rates
                self.varying_weights = None
        self.n_samples, self.n_features = data.X.shape
        self.features = np.empty((self.n_features, self.n_samples))
        for rows in gen_batches(len(order), MEMORY.copied_rows):
            self.features[:, rows] = data.X[order[rows]].T
        self.bits = code_bits(self.n_classes)

    def __sizeof__(self) -> int:
        # On a cluster large arrays are sent once, small ones with every task.
        return object.__sizeof__(self) + self.features.nbytes + self.codes.nbytes

    def scores(self, weights: Floats) -> Floats:
        """Compute the scores (P, n) of the sorted samples under models (P, p)."""
        return linear_scores(self.features, weights, self.bits)

    def keys(self, weights: Floats) -> Integers:
        """Compute the sort keys (P, n) of the scores of all samples, as `score_keys` makes them."""
        return score_keys(self.features, weights, self._reversed_codes, self.bits)

    def sorted_keys(self, weights: Floats) -> tuple[Integers, Floats | None]:
        """Compute the ascending sort keys (P, n), and the varying weights of their samples."""
        keys = self.keys(weights)
        if self.varying_weights is None:
            keys.sort(axis=1)
            return keys, None
        order = np.argsort(keys, axis=1)
        return np.take_along_axis(keys, order, axis=1), self.varying_weights[order]

    def ranking_of(self, keys: Integers, sample_weights: Floats | None) -> Floats:
        """Compute VUS, U_cons, U_ovo and U_pairs (P, 4) along sorted keys."""
        right = np.empty((len(keys), self.n_classes, self.n_classes))
        chains = np.empty(len(keys))
        ranking_counts(keys, sample_weights, self.bits, right, chains)
        # Counts of pairs and chains without weights, times the products of the class
        # rates.
        rates = self.class_rates
        right *= np.multiply.outer(rates, rates)
        chains *= math.prod(rates.tolist())
        # As floats: the product of class sizes overflows integers from a few classes on.
        masses = self.class_weights.astype(float)
        vus = chains / math.prod(masses.tolist())
        return np.column_stack([vus, pair_measures(right, masses)])

    def cheapest_models(
        self,
        keys: Integers,
        sample_weights: Floats | None,
        costs: NDArray[np.number],
        *,
        with_confusions: bool = False,
    ) -> OptimalModels:
        """Solve for the thresholds of least cost along sorted keys (P, n).

        Costs (P, m, r, r) are per sample of weight 1.
        """
        # Costs of a class times its rate: the same least costs without weights of single
        # samples.
        rates = self.class_rates[:, None]
        weighted_costs = np.multiply(costs, rates, dtype=float, order="C")
        n_rows, m, r, _ = costs.shape
        positions = np.empty((n_rows, m, r - 1), int)
        totals = np.empty((n_rows, m))
        counts = np.zeros((n_rows if with_confusions else 0, m, r, r))
        cheapest_positions_of_rows(
            keys, sample_weights, self.bits, weighted_costs, positions, totals, counts
        )
        # Positions count the samples of a ranking; thresholds lie between its scores.
        thresholds = positions_to_thresholds(keys[:, None], positions, self.bits)
        return OptimalModels(thresholds, totals, counts * rates)

    def confusions(self, weights: Floats, thresholds: Floats) -> Integers:
        """Compute the (weighted) confusion matrices (P, r, r) of models.

        Models are weights (P, p), in the units of the features, and ascending thresholds
        (P, r - 1).
        """

        def count(coef: Floats, ascending: Floats) -> Floats:
            counts = np.zeros((len(coef), self.n_classes, self.n_classes))
            scores = self.scores(coef)
            count_predictions(scores, ascending, self.codes, self.varying_weights, counts)
            return counts

        counts = self.in_parts(count, weights, thresholds)
        return (counts * self.class_rates[:, None]).astype(self.count_type)

    def ranking(self, weights: Floats) -> Floats:
        """Compute VUS, U_cons, U_ovo and U_pairs of models (P, p), shape (P, 4).

        They are NaN if a class has no samples.
        """
        # A class without samples leaves its pairs undefined.
        if not self.class_weights.all():
            return np.full((len(weights), 4), np.nan)
        return self.in_parts(
            lambda coef: self.ranking_of(*self.sorted_keys(coef)), weights
        )

    def exact_thresholds(
        self, weights: Floats, costs: NDArray[np.number]
    ) -> tuple[Floats, Floats]:
        """Find the thresholds of least cost on the samples along directions (P, p).

        Costs are shared by all directions (r, r), or one matrix each (P, r, r); rows are
        true classes, columns predicted ones. Returns ascending thresholds (P, r - 1) and
        the total cost of the samples under them (P,).
        """
        r = self.n_classes
        costs = np.broadcast_to(costs, (len(weights), r, r))

        def solve(coef: Floats, matrices: Floats) -> tuple[Floats, Floats]:
            solved = self.cheapest_models(*self.sorted_keys(coef), matrices[:, None])
            return solved.thresholds[:, 0], solved.totals[:, 0]

        return self.in_parts(solve, weights, costs)

    def metric_models(
        self, weights: Floats, metric: DecisionMetric
    ) -> tuple[Floats, Floats, Floats]:
        """Find the thresholds of greatest metric along directions (P, p).

        Returns thresholds (P, r - 1), the costs (P, r, r) that they minimise, and their
        confusion matrices (P, r, r).
        """

        def solve(coef: Floats) -> tuple[Floats, Floats, Floats]:
            ranked = self.sorted_keys(coef)

            def solved_for(matrices: Floats) -> OptimalModels:
                return self.cheapest_models(
                    *ranked, matrices[:, None], with_confusions=True
                )

            sizes = np.broadcast_to(self.class_weights, (len(coef), self.n_classes))
            costs = metric.solve(lambda m: solved_for(m).confusions[:, 0], sizes).costs
            # Costs come back without thresholds: they are solved once more for the best
            # of them.
            solved = solved_for(costs)
            return solved.thresholds[:, 0], costs, solved.confusions[:, 0]

        return self.in_parts(solve, weights)

    def in_parts(self, work: Callable[..., Any], *of_models: Array) -> Any:
        """Process models in parts that fit the caches, over threads; join their results.

        ``work`` takes a part of each of the arrays ``of_models``, which have a row for each
        model, and returns an array with such rows, or several.
        """
        results = map_parts(work, of_models, self.n_samples, self.n_jobs)
        if isinstance(results[0], tuple):
            return tuple(map(np.concatenate, zip(*results, strict=True)))
        return np.concatenate(results)
