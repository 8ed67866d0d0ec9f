"""Metrics as objectives with solved thresholds, and objectives that users write."""

import numpy as np
import pytest
from sklearn.metrics import f1_score, log_loss, make_scorer, roc_auc_score
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from moselect import ParetoSearch, tune
from moselect.costs.thresholds import metric_thresholds
from moselect.metrics import metric_named
from moselect.metrics.decision_metrics import count_cells
from tests.any_tables import ordinal_table

QUICK = {"n_iterations": 1, "cv": None, "random_state": 1}


@pytest.mark.parametrize(
    ("name", "weighted"), [("quadratic_kappa", True), ("f1:2", False)]
)
def test_no_member_has_more_than_is_solved_on_its_direction(name, weighted, rng):
    X, codes = ordinal_table(150, r=4)
    weights = rng.uniform(0.5, 2.0, size=150) if weighted else None
    search = ParetoSearch((name, "u_pairs"), n_iterations=4, cv=None, random_state=1)
    front = search.fit(X, codes, sample_weight=weights).front_
    metric = metric_named(name, range(4))
    each = np.ones(150) if weights is None else weights / weights.mean()
    reached = []
    for member, shown in zip(front, front.objectives[name], strict=True):
        scores = member.decision_function(X)
        masses = np.eye(4)[codes] * each[:, None]
        best = 1.0 - metric.loss(metric_thresholds(metric, scores, masses)[1].confusions)
        loss = metric.loss(count_cells(codes, member.predict(X), each, 4))
        assert shown == pytest.approx(1.0 - float(loss))
        assert shown <= best + 1e-9
        reached.append(shown >= best - 1e-9)
    assert reached[int(front.objectives[name].argmax())]


def test_the_worst_class_and_scorers_are_objectives():
    X, codes = ordinal_table(150, r=4)
    objectives = ("minimum_sensitivity", "maximum_mae", "weighted_kappa")
    search = ParetoSearch(objectives, **QUICK)
    front = search.fit(X, codes).front_
    assert list(front.objectives) == list(objectives)
    assert front.chance["maximum_mae"] == pytest.approx(-1.0)
    assert (front.objectives["minimum_sensitivity"] > 0.3).any()


def test_metrics_of_scikit_learn_know_which_class_of_text_is_the_higher_one():
    X, codes = ordinal_table(200, r=2)
    names = ["low", "high"]  # in the alphabet, high comes first
    y = np.array(names)[codes]
    search = ParetoSearch(("accuracy", "roc_auc"), labels=names, **QUICK).fit(X, y)
    expected = [
        roc_auc_score(codes, model.decision_function(X)) for model in search.front_
    ]
    np.testing.assert_allclose(search.front_.objectives["roc_auc"], expected, rtol=1e-12)
    splits = [*KFold(3).split(X)]
    tuning = tune(
        {"bayes": (GaussianNB(), {"var_smoothing": [1e-9]})},
        X,
        y,
        1,
        objectives=("roc_auc", "neg_log_loss"),
        cv=splits,
        labels=names,
        random_state=1,
    )
    proba = cross_val_predict(GaussianNB(), X, codes, cv=splits, method="predict_proba")
    found = tuning.trials_.loc["bayes-0"]
    assert found["roc_auc"] == pytest.approx(roc_auc_score(codes, proba[:, 1]), rel=1e-12)
    assert found["neg_log_loss"] == pytest.approx(-log_loss(codes, proba), rel=1e-12)


def test_functions_of_one_name_and_scorers_are_told_apart():
    X, y = np.arange(40.0)[:, None], np.arange(40) // 14
    objectives = (
        make_scorer(f1_score, labels=[0], average="macro"),
        make_scorer(f1_score, labels=[1], average="macro"),
        lambda confusion: confusion[0, 0] / confusion[:2].sum(),
        lambda confusion: confusion[1, 1] / confusion[:2].sum(),
    )
    search = ParetoSearch(objectives, **QUICK).fit(X, y)
    names = ["f1_score", "f1_score_2", "<lambda>", "<lambda>_2"]
    assert search.front_.objectives.columns.tolist() == names
    (model,) = search.front_
    assert model.predict(X).tolist() == y.tolist()
    assert search.front_.objectives.to_numpy().tolist() == [[1, 1, 0.5, 0.5]]


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        (3, "objective 3 must be a name or a function of .confusion., .y_true, y_pred."),
        (lambda: 1.0, "must be a name or a function"),
        (lambda a, b, c, d: 1.0, "must be a name or a function"),
        (max, "must be a name or a function"),
        (lambda confusion: [1.0, 2.0], "'<lambda>' cannot be measured on members"),
        (lambda confusion: "high", "'<lambda>' cannot be measured on members"),
        (lambda confusion: np.nan, "'<lambda>' is not finite for some models"),
        (lambda y_true, y_pred: 1.0, "reaches 1 without any feature"),
    ],
)
def test_functions_that_are_no_objectives_are_refused_in_one_sentence(objective, message):
    X, y = np.arange(8.0)[:, None], np.arange(8) // 4
    search = ParetoSearch(("vus", objective), **QUICK)
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        search.fit(X, y)
    assert "\n" not in str(caught.value)
