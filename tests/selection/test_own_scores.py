import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import KFold

import moselect
from moselect import cost_matrix

COSTS = [1, 1, 2, 5]


def draw(n, seed):
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n)
    return np.digitize(score + 0.7 * rng.logistic(size=n), [-1.0, 0.5, 1.5]), score


Y, SCORE = draw(400, 0)
Y_NEW, SCORE_NEW = draw(50_000, 99)


@pytest.fixture(scope="module")
def found():
    return moselect.thresholds(Y, SCORE, COSTS, cv=KFold(4))


def test_figures_within_limits_are_those_of_the_thresholds_without_each_fold():
    found = moselect.thresholds(Y, SCORE, COSTS, cv=KFold(4), limits={"3<3": 0.3})
    predicted = np.empty(400, int)
    for (_, test), thresholds in zip(
        KFold(4).split(SCORE), found.fold_thresholds, strict=True
    ):
        predicted[test] = (SCORE[test, None] > thresholds).sum(axis=1)
    np.testing.assert_array_equal(found.confusion, confusion_matrix(Y, predicted))


def test_costs_are_near_the_least_that_any_thresholds_have_and_those_of_new_rows():
    matrix = cost_matrix(COSTS)
    least = moselect.costs.exact_thresholds(SCORE_NEW, Y_NEW, matrix)[1]
    z = []
    for seed in range(3):
        found = moselect.thresholds(*draw(300, seed), COSTS)
        cost = matrix[Y_NEW, found.predict(SCORE_NEW)].mean()
        assert cost < 1.06 * least
        z.append((found.cost - cost) / found.std_error)
    assert np.abs(z).max() < 3.0


def test_thresholds_follow_shift_scale_and_labels(found):
    words = np.array(["none", "slight", "severe", "fatal"])
    other = moselect.thresholds(
        pd.Categorical(words[Y], words, ordered=True),
        (10.0 * SCORE + 3.0).tolist(),
        class_costs=COSTS,
        cv=KFold(4),
    )
    np.testing.assert_allclose(other.thresholds, 10.0 * found.thresholds + 3.0)
    assert other.cost == pytest.approx(found.cost)
    assert other.predict([-100.0, 100.0]).tolist() == ["none", "fatal"]
    assert other.classes.tolist() == words.tolist()
    assert [*other.to_predictor().feature_names] == ["score"]


def test_equal_scores_are_no_copies():
    found = moselect.thresholds(Y, np.repeat(SCORE[::8], 8), COSTS, cv=KFold(4))
    assert len(found.evidence.samples) == 400


def test_counts_of_equal_rows_are_these_rows():
    y, score = draw(1500, 0)
    rows = pd.DataFrame({"y": y, "score": score.round(1)})
    cells = rows.value_counts().reset_index()
    counts = {"sample_weight": cells["count"], "weight_type": "counts"}
    of_rows = moselect.thresholds(rows["y"], rows["score"], COSTS)
    of_cells = moselect.thresholds(cells["y"], cells["score"], COSTS, **counts)
    assert of_cells.std_error == pytest.approx(of_rows.std_error, rel=0.1)
    assert abs(of_cells.cost - of_rows.cost) < of_rows.std_error


def test_a_class_without_rows_is_never_predicted():
    some = moselect.thresholds(Y[Y != 1], SCORE[Y != 1], COSTS, labels=[0, 1, 2, 3])
    assert {*some.predict(np.linspace(-5, 5, 99))} == {0, 2, 3}


def test_limits_hold_for_new_rows_and_metrics_have_thresholds_of_their_own(found):
    limited = moselect.thresholds(Y, SCORE, COSTS, limits={"3<3": 0.3})
    assert (limited.predict(SCORE_NEW)[Y_NEW == 3] < 3).mean() < 0.3
    assert (found.predict(SCORE_NEW)[Y_NEW == 3] < 3).mean() > 0.3
    assert limited.evidence.limits[0].met
    kappa = moselect.thresholds(Y, SCORE, metric="quadratic_kappa")
    new = moselect.metrics.weighted_kappa_score(
        Y_NEW, kappa.predict(SCORE_NEW), weights="quadratic"
    )
    assert kappa.cost == pytest.approx(new, abs=3.0 * kappa.std_error)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"score": np.zeros(399)}, "inconsistent numbers of samples"),
        ({"score": np.full(400, np.nan)}, r"score\[0\] is nan: it must be finite"),
        ({"score": np.zeros((400, 2))}, r"score has shape \(400, 2\)"),
        ({"score": -SCORE}, "score is not higher for higher classes"),
        ({"class_costs": None}, "there are no costs: give costs"),
        (
            {
                "class_costs": None,
                "cost_matrix": lambda X: np.ones((len(X), 4, 4)) - np.eye(4),
            },
            "thresholds are the same for all rows",
        ),
        ({"y": np.array(list("abcd"))[Y]}, "labels without a known order"),
    ],
)
def test_wrong_input_is_refused_in_one_line(changes, message):
    with pytest.raises(ValueError, match=message):
        moselect.thresholds(**({"y": Y, "score": SCORE, "class_costs": COSTS} | changes))
