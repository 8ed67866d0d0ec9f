from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import pytest

from moselect._kernels import code_bits
from moselect._kernels.cutpoints import find_runs
from moselect._kernels.scores import score_keys


class Ranking(NamedTuple):
    keys: np.ndarray
    order: np.ndarray
    bits: int
    run_class: np.ndarray
    run_count: np.ndarray
    run_ends: np.ndarray
    n_runs: int

    @property
    def runs(self):
        """Arguments of kernels that scan the runs."""
        return self.run_class, self.run_count, self.run_ends, self.n_runs


@pytest.fixture(scope="session")
def rank():
    """Give the sorted keys and the runs of samples with the given scores and classes."""

    def sort_samples(scores, labels, n_classes):
        n = len(scores)
        bits = code_bits(n_classes)
        features = np.array([scores], dtype=float)
        codes = n_classes - 1 - np.array(labels)
        (keys,) = score_keys(features, np.ones((1, 1)), codes, bits)
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        runs = np.full(n, -7), np.full(n, -7), np.full(n, True)
        n_runs = find_runs(keys, bits, n_classes, *runs)
        return Ranking(keys, order, bits, *runs, n_runs)

    return sort_samples


@pytest.fixture(scope="session")
def slow_placements():
    """All placements of thresholds: positions (k, r - 1) and predictions (k, n).

    Samples are in ascending order of their scores.
    """

    def placements(scores, n_classes):
        ordered = sorted(scores)
        starts = [i for i in range(1, len(ordered)) if ordered[i - 1] < ordered[i]]
        starts = [0, *starts, len(ordered)]
        positions = np.array(
            list(itertools.combinations_with_replacement(starts, n_classes - 1))
        )
        predicted = (positions[:, :, None] <= np.arange(len(ordered))).sum(axis=1)
        return positions, predicted

    return placements
