from __future__ import annotations

import numpy as np
import pytest

from moselect.models import OrdinalLinearClassifier, surrogate_r2

X = np.random.default_rng(0).uniform(-2, 2, size=(400, 3))


class Scoring:
    def __init__(self, score):
        self.decision_function = score


def test_a_line_is_explained_by_lines():
    shares = surrogate_r2(OrdinalLinearClassifier([1.0, 2.0, 0.0], [0.0], [0, 1]), X)
    assert shares["linear"] == pytest.approx(1.0, abs=1e-4)
    assert shares["additive"] == pytest.approx(1.0, abs=1e-3)


def test_curves_are_explained_by_curves_and_products_by_neither():
    curves = surrogate_r2(Scoring(lambda X: np.sin(2 * X[:, 0]) + X[:, 1] ** 2), X)
    assert curves["additive"] > 0.97 > 0.5 > curves["linear"]
    products = surrogate_r2(Scoring(lambda X: X[:, 0] * X[:, 1]), X)
    assert max(products.values()) < 0.1


def test_noise_is_not_explained_for_samples_held_out():
    noise = np.random.default_rng(1).normal(size=400)
    shares = surrogate_r2(Scoring(lambda X: noise), X)
    assert max(shares.values()) < 0.05


def test_one_score_is_needed():
    with pytest.raises(ValueError, match="one score is needed"):
        surrogate_r2(Scoring(lambda X: X), X)
