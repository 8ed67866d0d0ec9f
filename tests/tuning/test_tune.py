"""Search over models and hyper-parameters: objectives, spaces, resuming, selection."""

from itertools import count

import numpy as np
import pandas as pd
import pytest
from scipy.stats import loguniform, randint, uniform
from sklearn.dummy import DummyClassifier
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import moselect

RNG = np.random.default_rng(1)
X = RNG.normal(size=(120, 3))
y = np.digitize(X[:, 0] + 0.7 * RNG.normal(size=120), [-0.6, 0.6])
SPACE = {"max_depth": randint(1, 6), "min_samples_leaf": np.array([1, 5, 20])}
TREE = {"tree": (DecisionTreeClassifier(random_state=0), SPACE)}


def test_objectives_of_a_trial_match_its_out_of_fold_decisions(dominated):
    objectives = ["accuracy", "one_minus_mae", "quadratic_kappa"]
    groups = np.arange(len(y)) // 3
    splits = PredefinedSplit(np.arange(40).repeat(3) % 4)
    tuning = moselect.tune(
        TREE,
        X,
        y,
        6,
        objectives=objectives,
        cv=splits,
        groups=groups,
        random_state=2,
    )
    for _, row in tuning.trials_.iterrows():
        tree = DecisionTreeClassifier(random_state=0)
        if not np.isnan(row["param_max_depth"]):
            tree.set_params(
                max_depth=int(row["param_max_depth"]),
                min_samples_leaf=int(row["param_min_samples_leaf"]),
            )
        proba = cross_val_predict(tree, X, y, cv=splits, method="predict_proba")
        right = proba.argmax(axis=1) == y
        distance = np.abs(np.subtract.outer(range(3), range(3)))
        median = (proba @ distance).argmin(axis=1)
        assert row["accuracy"] == pytest.approx(right.mean())
        assert row["one_minus_mae"] == pytest.approx(1.0 - np.abs(median - y).mean())
        # Standard error of means of three rows, with one unobserved error added.
        means = right.reshape(-1, 3).mean(axis=1)
        assert row["accuracy_se"] >= means.std(ddof=1) / np.sqrt(40)
        plain = cohen_kappa_score(y, median, weights="quadratic")
        assert row["quadratic_kappa"] >= plain - 1e-9
    values = tuning.trials_[objectives]
    front = values[~dominated(values, values)].drop_duplicates()
    assert tuning.front_.index.tolist() == front.index.tolist()


@pytest.mark.slow
def test_resumed_and_parallel_searches_equal_an_uninterrupted_one(tmp_path):
    settings = {"objectives": ["accuracy", "vus"], "cv": 3, "random_state": 3}
    once = moselect.tune(TREE, X, y, 8, **settings)
    folder = tmp_path / "trials"
    for n_done in (1, 3):
        calls = count(1)

        def dies(done, total, calls=calls, n_done=n_done):
            if next(calls) == n_done:
                raise MemoryError

        with pytest.raises(MemoryError):
            moselect.tune(TREE, X, y, 8, storage=folder, report=dies, **settings)
    assert len([*folder.iterdir()]) == 4
    fitted = []
    settings |= {"storage": folder, "report": lambda done, total: fitted.append(done)}
    again = moselect.tune(TREE, X, y, 8, n_jobs=2, **settings)
    assert len(fitted) == 8 - 4
    pd.testing.assert_frame_equal(
        once.trials_.drop(columns="seconds"),
        again.trials_.drop(columns="seconds"),
        check_exact=True,
    )
    assert once.select(class_costs=[1, 1, 1]).evidence.expected == (
        again.select(class_costs=[1, 1, 1]).evidence.expected
    )


@pytest.mark.slow
def test_the_best_of_many_random_trials_is_reported_at_chance(rng):
    y = rng.permutation(np.arange(200) % 2)
    guesses = {"random_state": list(range(80))}
    model = DummyClassifier(strategy="stratified")
    tuning = moselect.tune(
        {"guess": (model, guesses)},
        rng.normal(size=(200, 1)),
        y,
        60,
        objectives=["accuracy"],
        random_state=5,
    )
    chosen = tuning.select(class_costs=[1, 1])
    evidence = chosen.evidence
    naive, _ = evidence.chosen.figure()
    error = 0.5 / np.sqrt(len(y))
    assert naive < 0.5 - error
    assert evidence.expected > naive + error
    assert abs(evidence.expected - 0.5) < 2.0 * error
    assert len(evidence.candidates) < 20
    # The selected model is fitted to all rows, predicts and is explained.
    assert chosen.predict(np.zeros((4, 1))).shape == (4,)
    assert tuning.explain(chosen).importance.shape[0] == 1


def test_spaces_of_lists_and_distributions_and_a_trial_that_fails():
    spaces = {
        "bayes": (GaussianNB(), {"var_smoothing": loguniform(1e-9, 1.0)}),
        "tree": (
            DecisionTreeClassifier(),
            {
                "criterion": ["gini", "no such"],
                "min_samples_split": uniform(0.1, 0.3),
            },
        ),
    }
    tuning = moselect.tune(spaces, X, y, 16, cv=3, random_state=1)
    trials = tuning.trials_
    assert trials["estimator"].tolist() == ["bayes", "tree"] * 8
    assert trials["param_var_smoothing"].dropna().between(1e-9, 1.0).all()
    assert trials["param_min_samples_split"].dropna().between(0.1, 0.4).all()
    failed = trials.index[trials["param_criterion"] == "no such"]
    assert set(trials["failure"].dropna().index) == set(failed)
    assert trials.loc[failed, "failure"].str.contains("no such").all()
    assert len(failed) > 0
    html = tuning._repr_html_()
    assert all(name in html for name in tuning.front_.index)
    compared = tuning.select(model="tree-0").evidence.candidates.index
    assert not {*compared} & {*failed}


@pytest.mark.parametrize(
    ("estimators", "settings", "message"),
    [
        ({"mine": (GaussianNB(), {})}, {}, "'mine' has no search space"),
        ({"mine": (GaussianNB(), {"depth": [1]})}, {}, "Invalid parameter 'depth'"),
        ({"mine": (GaussianNB(), {"priors": 3})}, {}, "'priors' is not iterable"),
        ("multinomial", {"objectives": ["roc_auc"]}, "multi_class must be in"),
        ("multinomial", {"n_trial": 3}, r"tune\(\) got an unexpected .* 'n_trial'"),
    ],
)
def test_invalid_input_is_refused_in_one_line(estimators, settings, message):
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        moselect.tune(estimators, X, y, **settings)
    assert "\n" not in str(caught.value)


def test_the_first_trials_finish_despite_a_time_limit():
    tuning = moselect.tune("multinomial", X, y, 30, max_seconds=0.0, cv=2)
    assert tuning.trials_.index.tolist() == ["multinomial-0"]
