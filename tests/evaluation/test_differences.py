"""Paired evidence against the bootstrap and against scipy."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, ttest_rel
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import moselect
from moselect.costs.priced import Priced
from moselect.evaluation.choice import (
    choose_candidate,
    far_below,
    loss_difference,
    max_difference,
    resampled_selection,
)
from moselect.inference.standard_errors import cost_errors
from moselect.samples import Samples
from moselect.samples.serial import in_blocks
from tests.any_tables import ordinal_table
from tests.selection.decisions import decide
from tests.without_features import samples_of


def difference(costs, baseline, *, by_cost=True, one_more=0.0, samples=None):
    """Compare the costs of two decision rules on the same samples."""
    samples = samples or samples_of(np.zeros(len(costs), np.int64))
    losses = [
        (each.mean(), samples.sum_by_cluster(each - each.mean()))
        for each in (costs, baseline)
    ]
    return loss_difference(
        *losses, by_cost, one_more, costs.mean(), baseline.mean(), samples
    )


@pytest.mark.checks("Comparisons and corrections", "the bootstrap")
def test_standard_error_of_a_saving_matches_the_bootstrap(rng):
    baseline = rng.exponential(size=400)
    costs = 0.8 * baseline + 0.2 * rng.exponential(size=400)
    saving = difference(costs, baseline)
    # Bootstrap of the relative saving, resampling pairs of costs.
    draws = rng.integers(0, 400, (4000, 400))
    resampled = 1.0 - costs[draws].mean(axis=1) / baseline[draws].mean(axis=1)
    assert saving.std_error == pytest.approx(resampled.std(), rel=0.05)


@pytest.mark.checks("Comparisons and corrections", "scipy's paired t-test")
def test_interval_of_a_gain_is_that_of_the_paired_t_test(rng):
    a = rng.normal(size=30)
    b = rng.normal(size=30) + 0.3
    gain = difference(a, b, by_cost=False)
    interval = ttest_rel(b, a).confidence_interval()
    assert (gain.low, gain.high) == pytest.approx((interval.low, interval.high))


def test_saving_against_a_free_baseline_is_undefined():
    assert difference(np.ones(3), np.zeros(3)) is None


@pytest.mark.checks("Comparisons and corrections", "candidates of equal quality")
def test_selection_among_equal_candidates_saves_nothing_on_other_samples():
    rng = np.random.default_rng(0)
    shown = []
    expected = []
    saved = []
    samples = samples_of(np.arange(60) % 2)
    for _ in range(30):
        losses = rng.gamma(4.0, size=(8, 60))
        means, least = resampled_selection(dict(enumerate(losses)), {}, samples, range(8))
        assert [*means.values()] == pytest.approx(losses.mean(axis=1))
        shown.append(losses.mean(axis=1).min())
        expected.append(least)
        best = choose_candidate(means)
        baseline = (best + 1) % 8
        parts = [(means[k], losses[k] - means[k]) for k in (best, baseline)]
        saving = loss_difference(*parts, True, 0.0, least, means[baseline], samples)
        saved.append(saving.estimate / saving.std_error)
    error = np.std(expected, ddof=1) / np.sqrt(30)
    assert np.mean(shown) < 4.0 - 5.0 * error
    assert abs(np.mean(expected) - 4.0) < 3.0 * error
    # The candidates are equal, so the expected saving is 0.
    assert abs(np.mean(saved)) < 3.0 / np.sqrt(30)
    assert np.std(saved) < 1.2


def test_rare_mistakes_widen_the_interval_of_a_saving_up_to_one(rng):
    is_covered = []
    for _ in range(300):  # error rates of 1 % and of 5 %
        costs, baseline = (rng.random((2, 100)) < [[0.01], [0.05]]).astype(float)
        saving = difference(costs, baseline, one_more=0.01)
        if saving is not None:
            assert saving.low < saving.high <= 1.0
            is_covered.append(saving.low <= 1.0 - 0.01 / 0.05 <= saving.high)
    assert np.mean(is_covered) > 0.93
    never = difference(np.zeros(100), np.repeat([1.0, 0.0], [4, 96]), one_more=0.01)
    assert never.std_error == pytest.approx(0.01 / 0.04)  # one more mistake in 100
    assert (round(never.low, 2), never.high) == (0.5, 1.0)


def test_errors_of_differences_in_blocks_of_rows_are_those_of_a_mean(rng):
    samples = samples_of(np.zeros(400, np.int64), times=np.arange(400))
    blocks = in_blocks(samples, 20.0)
    first, second = rng.normal(size=(2, 400))
    gain = difference(first, second, by_cost=False, samples=blocks)
    lost = second - first
    error = cost_errors(blocks.sum_by_cluster(lost - lost.mean()), 0.0, blocks)
    assert gain.high - gain.low == pytest.approx(2.0 * norm.ppf(0.975) * error)


def test_a_candidate_that_costs_a_tenth_of_all_others_is_remarked_upon(rng):
    """A nearest neighbour recognises rows that were measured six times, nearly the same."""
    row = np.tile(np.arange(60), 6)
    codes = rng.integers(0, 3, 60)[row]  # nothing to learn
    X = rng.normal(size=(60, 3))[row] + 0.01 * rng.normal(size=(360, 3))
    models = {"nearest": KNeighborsClassifier(1), "constant": DummyClassifier()}
    with pytest.warns(UserWarning, match="MS108"):
        evidence = moselect.compare(models, X, codes, random_state=0)
    assert any("nearest costs 0, less than a tenth" in note for note in evidence.notes)
    grouped = moselect.compare(models, X, codes, groups=row, random_state=0)
    assert far_below(grouped.candidates) == []


@pytest.mark.parametrize(("spread", "is_remarked"), [(1.0, False), (2.0, True)])
def test_a_row_that_costs_more_than_all_expected_mistakes_is_remarked_upon(
    spread, is_remarked, rng
):
    X, codes = ordinal_table(300)
    table = pd.DataFrame(X).add_prefix("x")
    table["amount"] = rng.lognormal(0.0, spread, 300)
    matrix = [["0", "0.5", "1"], ["amount", "0", "0.5"], ["amount", "amount", "0"]]
    search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=0)
    search.fit(table, codes)
    evidence = search.select(cost_matrix=matrix, model="proportional odds").evidence
    found = [note for note in evidence.notes if "costliest row" in note]
    assert len(found) == is_remarked


def test_models_of_equal_decisions_have_one_cost():
    X, codes = ordinal_table(60)
    models = {
        "first": LogisticRegression(),
        "nearest": KNeighborsClassifier(1),
        "second": LogisticRegression(),
    }
    evidence = moselect.compare(models, X, codes, cv=3, random_state=0)
    shown = evidence.candidates["cost"]
    assert shown["first"] == shown["second"]
    assert evidence.selected == "first"
    assert evidence.differences["second"].estimate == 0.0


@pytest.mark.parametrize(
    ("first", "second", "most"),
    [
        ([0, 1, 2, 2], [0, 1, 1, 2], 7.0),  # classes 1 and 2, on a sample of class 2
        ([0, 0, 2, 2], [0, 1, 0, 2], 13.0),  # two pairs: 0 and 2 differ more
        ([0, 1, 2, 2], [0, 1, 2, 2], 7.0),  # none: neighbouring classes
        ([3, 1, 2, 2], [0, 1, 2, 2], 11.0),  # a referral, at a cost of 2
    ],
)
def test_two_models_can_only_differ_further_where_they_differ(first, second, most):
    costs = np.array([[0.0, 1.0, 2.0, 2.0], [4.0, 0.0, 2.0, 2.0], [13.0, 7.0, 0.0, 2.0]])
    parts = samples_of(np.array([0, 1, 2, 2])), np.array(first), np.array(second)
    assert max_difference(Priced(costs), costs, *parts) == most / 4


def test_another_candidate_is_selected_without_the_best():
    selector = decide(Samples.from_table(*ordinal_table(80, seed=5)))
    selector.own_candidates = ("additive",)
    settings = moselect.Costs([1, 2, 4]), None, None, {"bayes": GaussianNB()}
    evidence = selector.select(*settings).evidence
    # What a file cannot hold is compared, and another candidate is selected and corrected.
    taken = evidence.selected
    (other,) = {"additive", "bayes"} - {taken}
    without = selector.select(*settings, without=[taken]).evidence
    assert without.selected == other
    assert set(without.candidates.index) == set(evidence.candidates.index)
    assert taken in without.differences
    # Alone, a candidate is not selected among others.
    alone = selector.select(settings[0], other).evidence
    assert without.expected == pytest.approx(alone.expected)


@pytest.mark.parametrize(("least", "n_remarks"), [(0.02, 1), (0.2, 0)])
def test_hardly_any_cost_is_remarked_upon_although_all_candidates_have_it(
    least, n_remarks
):
    """A sum of columns that contains the target helps every candidate."""
    costs = {"linear": least, "ensemble": 1.1 * least, "always one class": 1.0}
    remarks = far_below(pd.DataFrame({"cost": costs}))
    assert len(remarks) == n_remarks
    assert all(
        "linear costs 0.02, less than a tenth of always one" in each for each in remarks
    )
