"""Metrics of predicted classes that are no mean cost, and cost matrices that optimise them.

Kappa, F and Jaccard are ratios of two functions that are linear in the confusion matrix
for given class totals, and the worst class is a maximum of such functions. Both are
optimised by a few problems of least mean cost, whatever decides: thresholds along a
score, or class probabilities.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Array, Floats, Integers, Number

# Weight of the distance between classes among decisions that the metric does not tell
# apart.
TIE_BREAK = 1e-10

ConfusionsAt = Callable[[Floats], Floats]


class Solution(NamedTuple):
    """Costs whose decisions optimise a metric on some samples.

    Attributes
    ----------
    costs : ndarray of shape (..., r, r)
        Cost matrices, 0 upwards.
    confusions : ndarray of shape (..., r, r)
        Confusion matrices of the decisions of least mean cost.
    """

    costs: Floats
    confusions: Floats


@dataclass(frozen=True, eq=False, repr=False)
class DecisionMetric(ABC):
    """Metric of predicted classes: its loss, its linearisation and its optimum.

    Attributes
    ----------
    name : str
        As given by users, such as ``"quadratic_kappa"`` or ``"f1:severe"``.
    distance : ndarray of shape (r, r)
        Distance of the classes on their scale.

    Examples
    --------
    >>> from moselect.metrics.metric_names import metric_named
    >>> metric = metric_named("minimum_sensitivity", ["low", "high"])
    >>> float(metric.value(metric.loss(np.array([[8.0, 2.0], [1.0, 3.0]]))))
    0.75
    """

    # Whether decisions of least cost, for some costs, are optimal.
    is_exact: ClassVar[bool] = True

    name: str
    distance: Floats

    def __repr__(self) -> str:
        return repr(self.name)

    @property
    def is_error(self) -> bool:
        """Whether the metric itself is a loss, lower is better; else it is 1 - loss."""
        return self.name.startswith("maximum_")

    def value(self, loss: Number) -> Number:
        """Convert losses to values of the metric, and back."""
        if self.is_error:
            return loss
        return 1.0 - loss

    @abstractmethod
    def loss(self, confusions: Floats) -> Floats:
        """Compute the losses (...) of confusion matrices (..., r, r); 0 is perfect."""

    @abstractmethod
    def slopes(self, confusions: Floats) -> Floats:
        """Compute the derivatives (..., r, r) of the loss by the cells of the confusion.

        Times the total weight, the derivative of a sample's cell is its influence on the
        loss.
        """

    @abstractmethod
    def solve(self, confusions_at: ConfusionsAt, class_weights: ArrayLike) -> Solution:
        """Find costs whose decisions have the least loss.

        Parameters
        ----------
        confusions_at : callable
            Confusion matrices (..., r, r) of the decisions of least cost, for cost
            matrices (..., r, r).
        class_weights : ndarray of shape (..., r)
            Weight of the samples of each class.
        """

    def costs(self, confusions: Floats) -> Floats:
        """Return the linearised loss at confusion matrices as costs (..., r, r), 0 upwards.

        The mean cost of a sample differs from the loss by a constant, to first order.
        """
        total = confusions.sum(axis=(-2, -1), keepdims=True)
        # Times the total weight, the derivative by a cell becomes the cost of one sample
        # in it.
        slopes = total * self.slopes(confusions) + TIE_BREAK * self.distance
        # A constant for each true class changes no decision.
        return slopes - slopes.min(axis=-1, keepdims=True)

    def start(self, class_weights: ArrayLike) -> Floats:
        """Return costs (..., r, r) at perfect predictions."""
        weights = np.asarray(class_weights, float)
        # Perfect predictions: all weight on the diagonal.
        return self.costs(weights[..., None] * np.eye(len(self.distance)))

    def losses(
        self, codes: Integers, predicted: Integers, weights: Floats
    ) -> tuple[float, Floats]:
        """Compute the loss of predictions, and the influence (n,) of each sample on it."""
        confusion = count_cells(codes, predicted, weights, len(self.distance))
        return float(self.loss(confusion)), self.influences(confusion)[codes, predicted]

    def influences(self, confusion: Floats) -> Floats:
        """Compute the influence (r, r) of a sample in each cell on the loss."""
        return confusion.sum() * self.slopes(confusion)

    def chance_loss(self, class_weights: ArrayLike) -> float:
        """Compute the loss of the best constant prediction."""
        constant = (
            # One confusion matrix for each class that is always predicted.
            np.eye(len(self.distance))[:, None, :] * np.asarray(class_weights)[:, None]
        )
        return self.loss(constant).min()

    def unseen(self, confusions: Floats, sample_weights: Floats) -> tuple[float, float]:
        """Estimate bias and error of the loss beyond the influences of the samples.

        Of confusion matrices (k, r, r) of the folds. The error is the change of the loss if
        one sample, of a weight that depends on its class (r,), is predicted otherwise.
        """
        # The greatest change of one sample's loss within its row of the confusion matrix.
        slopes = self.slopes(confusions.sum(axis=0))
        return 0.0, (np.ptp(slopes, axis=-1) * sample_weights).max()


# Dinkelbach's iteration converges superlinearly: 3 to 6 are usual
MAX_ITERATIONS = 50


class RatioMetric(DecisionMetric):
    """Ratio N / D of functions that are linear in the confusion for given class totals."""

    @abstractmethod
    def ratio(self, confusions: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return N and D (..., 1, 1), and their derivatives by the cells (..., r, r)."""

    def loss(self, confusions: Floats) -> Floats:
        """Compute the ratios N / D."""
        above, below, _, _ = self.ratio(confusions)
        # An undefined ratio (0 / 0) is no better than chance.
        lost = np.divide(above, below, out=np.ones(below.shape), where=below > 0.0)
        return lost[..., 0, 0]

    def slopes(self, confusions: Floats) -> Floats:
        """Compute the derivatives of N / D."""
        above, below, above_slopes, below_slopes = self.ratio(confusions)
        # The quotient rule, with a denominator of 1 where the ratio is undefined.
        safe = np.where(below > 0.0, below, 1.0)
        return (above_slopes - above / safe * below_slopes) / safe

    def solve(self, confusions_at: ConfusionsAt, class_weights: ArrayLike) -> Solution:
        """Minimise N - lambda D with lambda = N / D of the last decisions (Dinkelbach 1967).

        For given class totals this is the linearised loss. From the second iteration
        lambda falls, to the exact optimum if ``confusions_at`` is exact.
        """
        best = confusions_at(self.start(class_weights))
        for _ in range(MAX_ITERATIONS):
            costs = self.costs(best)
            confusions = confusions_at(costs)
            better = self.loss(confusions) < self.loss(best)
            if not better.any():
                break
            # Of several problems at once, each keeps its own best decisions.
            best = np.where(better[..., None, None], confusions, best)
        return Solution(costs, confusions)


@dataclass(frozen=True, eq=False, repr=False)
class Kappa(RatioMetric):
    """One minus Cohen's kappa: disagreement over disagreement by chance (Cohen 1968).

    Examples
    --------
    >>> from moselect.metrics.metric_names import metric_named
    >>> kappa = metric_named("quadratic_kappa", ["low", "mid", "high"])
    >>> confusion = np.array([[8.0, 2.0, 0.0], [1.0, 8.0, 1.0], [0.0, 2.0, 8.0]])
    >>> round(1.0 - float(kappa.loss(confusion)), 3)
    0.842
    """

    disagreement: Floats

    def ratio(self, confusions: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return observed and chance disagreement, and their derivatives."""
        w = self.disagreement
        total = confusions.sum(axis=(-2, -1), keepdims=True)
        observed = (confusions * w).sum(axis=(-2, -1), keepdims=True)
        true = confusions.sum(axis=-1)
        predicted = confusions.sum(axis=-2)
        # Kappa weighs cells by the disagreement w: N = n sum n_ij w_ij, D = sum n_i m_j
        # w_ij, both homogeneous of degree 2 in the counts.
        of_true = (predicted @ w.T)[..., :, None]  # sum_j m_j w_ij
        of_predicted = (true @ w)[..., None, :]  # sum_i n_i w_ij
        by_chance = (true[..., :, None] * of_true).sum(axis=-2, keepdims=True)
        return total * observed, by_chance, total * w + observed, of_true + of_predicted


@dataclass(frozen=True, eq=False, repr=False)
class LinearRatio(RatioMetric):
    """Ratio of two sums over the cells of the confusion matrix, as 1 - F and 1 - Jaccard."""

    above: Floats
    below: Floats

    def ratio(self, confusions: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return both sums, and the cells as their derivatives."""
        above, below = (
            (confusions * cells).sum(axis=(-2, -1), keepdims=True)
            for cells in (self.above, self.below)
        )
        return above, below, self.above, self.below


def count_cells(
    codes: Integers,
    predicted: Integers,
    weights: Floats | None,
    n_classes: int,
    n_answers: int | None = None,
) -> Array:
    """Count the (weighted) confusion matrix (r, a): true classes by answers, r by default."""
    if n_answers is None:
        n_answers = n_classes
    counts = np.bincount(codes * n_answers + predicted, weights, n_classes * n_answers)
    return counts.reshape(n_classes, n_answers)
