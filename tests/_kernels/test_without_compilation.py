"""Measures and searches in plain Python, in a process of its own, against compiled code."""

import itertools
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from numba import config

from moselect import ParetoSearch, inference, metrics


def measure_everything():
    """Compute ranking measures with and without ties, near ties, weights and several models."""
    rng = np.random.default_rng(101)
    y = np.concatenate([[0, 1, 2, 0, 1, 2], rng.integers(0, 3, 20)])
    latent = y + rng.normal(size=26)
    nearly_tied = 0.1 + np.spacing(0.1) * rng.integers(0, 3, 26)
    results = []
    for scores in (latent, np.round(latent), nearly_tied):
        for ties, weights in itertools.product(
            ("strict", "average"), (None, rng.random(26))
        ):
            options = {"ties": ties, "sample_weight": weights}
            results.append(metrics.ranking_scores(y, scores, **options))
            results.append(metrics.pairwise_auc_matrix(y, scores, **options))
        models = np.column_stack([scores, -scores])
        for measure, method in (("vus", "exact"), ("vus", "delong"), ("u_ovo", "delong")):
            results.append(
                inference.ranking_inference(y, models, measure, method).covariance
            )
    return [np.asarray(result).tolist() for result in results]


def search_with_all_kernels():
    """Return fronts of searches that climb, misplace, archive, crowd and solve thresholds."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)).round(1)
    y = np.r_[0, 1, 2, np.digitize(X[3:, 0] + rng.normal(size=37), [-0.5, 0.5])]
    fronts = []
    for thresholds in ("exact", "search"):
        search = ParetoSearch(
            n_particles=12, n_iterations=6, thresholds=thresholds, cv=None, random_state=0
        )
        front = search.fit(X, y).front_
        fronts += [front.weights, front.thresholds, front.objectives]
    return [np.asarray(array).tolist() for array in fronts]


@pytest.mark.checks("Measures", "the same loops without compilation")
@pytest.mark.slow
def test_plain_python_agrees_with_the_compiled_kernels():
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, "-W", "error::RuntimeWarning", __file__]
    process = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    plain = json.loads(process.stdout)
    assert plain["compiled"] is False
    assert plain["fronts"] == search_with_all_kernels()  # bit for bit
    for found, compiled in zip(plain["measures"], measure_everything(), strict=True):
        np.testing.assert_allclose(found, compiled, rtol=1e-12, atol=1e-15)


if __name__ == "__main__":
    results = {"measures": measure_everything(), "fronts": search_with_all_kernels()}
    json.dump({"compiled": not config.DISABLE_JIT} | results, sys.stdout)
