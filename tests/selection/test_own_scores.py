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


@pytest.fixture(scope="module")
def found():
    return moselect.thresholds(*draw(400, 0), COSTS, cv=KFold(4))


def test_figures_within_limits_are_those_of_the_thresholds_without_each_fold():
    y, score = draw(400, 0)
    found = moselect.thresholds(y, score, COSTS, cv=KFold(4), limits={"3<3": 0.3})
    predicted = np.empty(400, int)
    for (_, test), thresholds in zip(
        KFold(4).split(score), found.fold_thresholds, strict=True
    ):
        predicted[test] = (score[test, None] > thresholds).sum(axis=1)
    np.testing.assert_array_equal(found.confusion, confusion_matrix(y, predicted))


def test_costs_are_near_the_least_that_any_thresholds_have_and_those_of_new_rows():
    matrix = cost_matrix(COSTS)
    y_new, score_new = draw(50_000, 99)
    least = moselect.costs.exact_thresholds(score_new, y_new, matrix)[1]
    z = []
    for seed in range(3):
        found = moselect.thresholds(*draw(300, seed), COSTS)
        cost = matrix[y_new, found.predict(score_new)].mean()
        assert cost < 1.06 * least
        z.append((found.cost - cost) / found.std_error)
    assert np.abs(z).max() < 3.0


def test_thresholds_follow_shift_scale_and_labels(found):
    y, score = draw(400, 0)
    words = np.array(["none", "slight", "severe", "fatal"])
    other = moselect.thresholds(
        pd.Categorical(words[y], words, ordered=True),
        (10.0 * score + 3.0).tolist(),
        class_costs=COSTS,
        cv=KFold(4),
    )
    np.testing.assert_allclose(other.thresholds, 10.0 * found.thresholds + 3.0)
    assert other.cost == pytest.approx(found.cost)
    assert other.predict([-100.0, 100.0]).tolist() == ["none", "fatal"]
    assert other.classes.tolist() == words.tolist()


@pytest.mark.filterwarnings("error")
def test_equal_scores_are_no_copies():
    y, score = draw(400, 0)
    found = moselect.thresholds(y, np.repeat(score[::8], 8), COSTS, cv=KFold(4))
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
    y, score = draw(400, 0)
    some = moselect.thresholds(y[y != 1], score[y != 1], COSTS, labels=[0, 1, 2, 3])
    assert {*some.predict(np.linspace(-5, 5, 99))} == {0, 2, 3}


def test_limits_hold_for_new_rows_and_metrics_have_thresholds_of_their_own(found):
    y, score = draw(400, 0)
    limited = moselect.thresholds(y, score, COSTS, limits={"3<3": 0.3})
    y_new, score_new = draw(50_000, 99)
    assert (limited.predict(score_new)[y_new == 3] < 3).mean() < 0.3
    assert (found.predict(score_new)[y_new == 3] < 3).mean() > 0.3
    assert limited.evidence.limits[0].met
    kappa = moselect.thresholds(y, score, metric="quadratic_kappa")
    new = moselect.metrics.weighted_kappa_score(
        y_new, kappa.predict(score_new), weights="quadratic"
    )
    assert kappa.cost == pytest.approx(new, abs=3.0 * kappa.std_error)


def test_a_limit_that_is_missed_is_said():
    y, score = draw(400, 0)
    opposed = {"3<3": 0.1, "0>0": 0.1}
    with pytest.warns(UserWarning, match="0>0|3<3"):
        found = moselect.thresholds(y, score, COSTS, limits=opposed)
    assert not all(limit.met for limit in found.evidence.limits)


def test_a_written_model_predicts_the_same(found, tmp_path):
    _, score = draw(400, 0)
    moselect.io.write_model(tmp_path / "model.json", found.to_predictor())
    model = moselect.io.read_model(tmp_path / "model.json")
    table = pd.DataFrame({"score": score})
    np.testing.assert_array_equal(model.predict(table), found.predict(score))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"score": np.zeros(399)}, "inconsistent numbers of samples"),
        ({"score": np.full(400, np.nan)}, r"score\[0\] is nan: scores must be finite"),
        ({"score": np.zeros((400, 2))}, r"score has shape \(400, 2\)"),
        ({"score": -draw(400, 0)[1]}, "score is not higher for higher classes"),
        ({"class_costs": None}, "there are no costs: give costs"),
        ({"y": np.array(list("abcd"))[draw(400, 0)[0]]}, "labels without a known order"),
    ],
)
def test_wrong_input_is_refused_in_one_line(changes, message):
    y, score = draw(400, 0)
    with pytest.raises(ValueError, match=message):
        moselect.thresholds(**({"y": y, "score": score, "class_costs": COSTS} | changes))
