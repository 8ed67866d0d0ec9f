"""Which way from a direction: up the smoothed objectives, or across a threshold with one object."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.crossing import draw_misplaced
from moselect._kernels.gradient import score_gradient
from moselect._kernels.objectives import exact_thresholds
from moselect._kernels.scores import linear_scores
from moselect.search.problem import OrdinalProblem

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def gradients(
    problem: OrdinalProblem,
    positions: Floats,
    mixtures: Integers,
    worths: Floats,
    half_widths: Floats,
) -> Floats:
    """Give the smoothed gradient of weighted objectives at some directions.

    Parameters
    ----------
    problem : OrdinalProblem
        With exact thresholds.
    positions : ndarray of shape (P, d)
        Unit directions.
    mixtures : ndarray of int, shape (P,)
        Which of the thresholds of each direction are meant.
    worths : ndarray of shape (P, 6)
        What a unit of each objective is worth.
    half_widths : ndarray of shape (P,)
        Width of the smoothing, in standard deviations of the scores.

    Returns
    -------
    ndarray of shape (P, d)
    """
    weights = problem.weights(positions)
    found = np.empty((len(positions), problem.n_features))
    costs = problem.mixture_costs()

    def climb(part: slice) -> None:
        keys = problem.keys(weights[part])
        # Equal keys may stand in any order, so the sort need not be stable.
        order = np.argsort(keys, axis=1)
        keys = np.take_along_axis(keys, order, axis=1)
        raised = np.empty(keys.shape)
        thresholds = np.empty(problem.n_classes - 1)
        for i, particle in enumerate(range(part.start, part.start + len(keys))):
            exact_thresholds(keys[i], problem.bits, costs[mixtures[particle]], thresholds)
            score_gradient(
                keys[i],
                order[i],
                problem.bits,
                problem.class_counts,
                thresholds,
                worths[particle],
                half_widths[particle],
                raised[i],
            )
        centred = np.einsum("pn,fn->pf", raised, problem.features)
        centred -= raised.sum(axis=1)[:, None] * problem.whitening.mean
        found[part] = centred

    problem.in_parts(len(positions), climb)
    return problem.whitening.pull_back(found)


def crossings(
    problem: OrdinalProblem, positions: Floats, mixtures: Integers, reach: Floats, draws: Floats
) -> Floats:
    """Give the shortest steps that bring one wrongly classified object to its class.

    Problem, positions and mixtures as in `gradients`. The step (P, d) of each direction leads its
    object to the threshold, across which it must go. Objects near a threshold, compared with
    ``reach`` (P,), are preferred; ``draws`` (P,), from 0 to below 1, choose among them.
    """
    weights, thresholds = problem.models(positions, mixtures)
    codes = problem.n_classes - 1 - problem.reversed_codes
    objects = np.empty((len(positions), problem.n_features))
    shifts = np.empty(len(positions))

    def draw(part: slice) -> None:
        scores = np.empty((len(weights[part]), problem.n_objects))
        linear_scores(problem.features, weights[part], problem.bits, scores)
        for i, row in enumerate(scores, start=part.start):
            chosen, shifts[i] = draw_misplaced(row, codes, thresholds[i], reach[i], draws[i])
            objects[i] = problem.features[:, chosen] - problem.whitening.mean

    problem.in_parts(len(positions), draw)
    normals = problem.whitening.pull_back(objects)
    square = (normals**2).sum(axis=1)
    lengths = np.divide(shifts, square, out=np.zeros_like(square), where=square > 0.0)
    return normals * lengths[:, None]
