"""All kernels once more as plain Python, in a process of their own: same results, bit for bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
from numba import config

from moselect._kernels.chain_counts import strict_chains
from moselect._kernels.crossing import draw_misplaced_of_rows
from moselect._kernels.cutpoints import (
    LANES,
    best_cuts,
    count_predictions,
    cuts_to_thresholds,
    find_runs,
    least_costs,
)
from moselect._kernels.gradient import score_gradients
from moselect._kernels.objectives import (
    exact_thresholds_of_rows,
    objectives_with_exact_thresholds,
    objectives_with_given_thresholds,
    ranking_measures,
)
from moselect._kernels.pairs import right_pairs
from moselect._kernels.pareto import (
    BLOCK,
    add_crowding,
    best_by_weighted_sum,
    find_dominator,
    insert,
    remove_dominated,
)
from moselect._kernels.scores import (
    code_bits,
    keys_to_scores,
    linear_scores,
    score_keys,
    score_keys_and_errors,
)


def integers(*shape):
    return np.zeros(shape, dtype=np.int64)


def run_rankings(rng):
    n, r, n_particles = 40, 3, 4
    labels = np.r_[np.arange(r), rng.integers(r, size=n - r)]
    counts, bits = np.bincount(labels), code_bits(r)
    features, weights = rng.normal(size=(2, n)).round(1), rng.normal(size=(n_particles, 2)).round()
    scores, keys, row = np.zeros((n_particles, n)), integers(n_particles, n), np.zeros(n)
    linear_scores(features, weights, bits, scores)
    score_keys(features, weights, r - 1 - labels, bits, keys)
    keys.sort(axis=1)
    keys_to_scores(keys[0], bits, row)

    runs = integers(n), integers(n), np.zeros(n, dtype=np.bool_)
    n_runs = find_runs(keys[0], bits, r, *runs)
    pairs, measures = np.zeros((r, r)), np.zeros(4)
    all_chains = strict_chains(keys[0], None, bits, r)
    right_pairs(keys[0], None, bits, r, pairs)
    ranking_measures(all_chains, pairs, counts, measures)

    costs, mixtures = rng.integers(50, size=(r, r * LANES)), np.array([[1, 1, 2]] * LANES)
    best, cuts, thresholds = integers(r * LANES), integers(r - 1), np.zeros(r - 1)
    least_costs(*runs, n_runs, costs, best)
    total = best_cuts(*runs, n_runs, rng.normal(size=(r, r)), cuts)
    cuts_to_thresholds(row, cuts, thresholds)
    out, exact = np.zeros((n_particles, LANES, 6)), np.zeros((n_particles, r - 1))
    objectives_with_exact_thresholds(keys, bits, counts, costs, mixtures, out)
    each, totals = rng.normal(size=(n_particles, r, r)), np.zeros(n_particles)
    exact_thresholds_of_rows(keys, bits, each, exact, totals)

    given, errors = np.zeros((n_particles, 6)), integers(n_particles, 2)
    searched = np.sort(rng.normal(size=(n_particles, r - 1)), axis=1)
    score_keys_and_errors(features, weights, searched, r - 1 - labels, bits, keys, errors)
    confusions = integers(n_particles, r, r)
    count_predictions(scores, searched, labels, confusions)
    mixed = rng.permuted(keys, axis=1)
    order, gradients = np.argsort(mixed, axis=1, kind="stable"), np.zeros((n_particles, n))
    keys.sort(axis=1)
    objectives_with_given_thresholds(keys, bits, counts, errors, given)
    objective_weights, half_widths = rng.random((n_particles, 6)), rng.random(n_particles)
    score_gradients(mixed, order, bits, counts, each, objective_weights, half_widths, gradients)
    samples, shifts = integers(n_particles), np.zeros(n_particles)
    draws = rng.random(n_particles)
    draw_misplaced_of_rows(scores, labels, searched, half_widths, draws, samples, shifts)
    arrays = [scores, keys, row, *runs, pairs, measures, best, cuts, thresholds, out, exact]
    return [
        n_runs,
        all_chains,
        total,
        totals,
        samples,
        shifts,
        *arrays,
        given,
        errors,
        gradients,
        confusions,
    ]


def run_fronts(rng):
    k, m = BLOCK + 20, 3
    points, ids, hits = np.zeros((m, k)), integers(k), integers(BLOCK)
    size = insert(points, ids, 0, rng.normal(size=(k, m)).round(1), np.arange(k))
    dominator = find_dominator(points, size, np.full(m, -0.5), hits)
    size_after = remove_dominated(points, ids, size, np.full(m, 0.7), hits)
    distance, chosen = np.zeros(k), integers(5)
    add_crowding(points[0], np.argsort(points[0], kind="stable"), distance)
    best_by_weighted_sum(points, rng.normal(size=(5, m)), chosen)
    return [size, dominator, size_after, points, ids, distance, chosen]


def run_all_kernels():
    rng = np.random.default_rng(0)
    return [np.asarray(result).tolist() for result in run_rankings(rng) + run_fronts(rng)]


def test_plain_python_agrees_with_the_compiled_kernels():
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", __file__],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout)
    assert plain["compiled"] is False
    assert plain["results"] == run_all_kernels()


if __name__ == "__main__":
    json.dump({"compiled": not config.DISABLE_JIT, "results": run_all_kernels()}, sys.stdout)
