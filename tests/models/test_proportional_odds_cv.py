from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import PredefinedSplit

from moselect.models import ProportionalOdds, ProportionalOddsCV


def held_out_likelihood(X, codes, folds, alpha):
    total = 0.0
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    for j in np.unique(folds):
        train, test = folds != j, folds == j
        spread = Z[train].std(axis=0)
        # The penalty of the one is on weights per standard deviation of the whole table.
        scaled = Z * 1.0
        model = ProportionalOdds(alpha=alpha).fit(scaled[train], codes[train])
        proba = model.predict_proba(scaled[test])
        total += np.log(proba[np.arange(test.sum()), codes[test]]).sum()
        assert (np.abs(spread - 1.0) < 0.2).all()
    return total


@pytest.mark.parametrize("seed", range(3))
def test_the_penalty_has_the_greatest_held_out_likelihood(draw_samples, seed):
    X, codes = draw_samples(150, 12, 3, seed)
    X[:, 3:] = np.random.default_rng(seed).normal(size=(150, 9))  # noise: a penalty helps
    folds = np.arange(150) % 5
    alphas = (0.1, 1.0, 10.0, 100.0, 1000.0)
    model = ProportionalOddsCV(alphas=alphas, cv=PredefinedSplit(folds)).fit(X, codes)
    likelihoods = [held_out_likelihood(X, codes, folds, alpha) for alpha in alphas]
    assert max(likelihoods) - likelihoods[alphas.index(model.alpha_)] < 0.3


def test_it_is_proportional_odds_with_that_penalty(draw_samples):
    X, codes = draw_samples(200, 3, 4)
    X = 10.0 * X + 3.0
    model = ProportionalOddsCV().fit(X, codes)
    plain = ProportionalOdds(alpha=model.alpha_).fit(X, codes)
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_noise_gets_the_strongest_penalty_and_signal_a_weak_one(draw_samples):
    X, codes = draw_samples(300, 5, 3)
    noise = np.random.default_rng(7).normal(size=(300, 60))
    assert ProportionalOddsCV().fit(noise, codes).alpha_ >= 300.0
    assert ProportionalOddsCV().fit(X, codes).alpha_ <= 30.0


def test_order_of_samples_does_not_matter(draw_samples):
    X, codes = draw_samples(80, 3, 3)
    order = np.random.default_rng(1).permutation(80)
    one, other = (
        ProportionalOddsCV().fit(X, codes),
        ProportionalOddsCV().fit(X[order], codes[order]),
    )
    assert one.alpha_ == other.alpha_
    np.testing.assert_array_equal(one.coef_, other.coef_)


def test_labels_in_words_and_a_class_without_samples():
    X = np.arange(12.0)[:, None]
    y = np.repeat(["low", "high"], 6)
    model = ProportionalOddsCV(labels=["low", "middle", "high"]).fit(X, y)
    assert (model.predict_proba(X)[:, 1] == 0.0).all()
    assert model.predict([[0.0], [11.0]]).tolist() == ["low", "high"]


@pytest.mark.parametrize("alphas", [(), (0.0,), (-1.0, 1.0), (np.nan,)])
def test_wrong_penalties_are_refused(alphas):
    with pytest.raises(ValueError, match="alphas must be positive"):
        ProportionalOddsCV(alphas=alphas).fit([[0.0], [1.0]], [0, 1])
