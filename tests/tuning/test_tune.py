"""Search over models and hyper-parameters: objectives, spaces, resuming, selection."""

import sys
from itertools import count

import numpy as np
import pandas as pd
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution
from scipy.stats import loguniform, randint
from sklearn.dummy import DummyClassifier
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import moselect

SPACE = {"max_depth": randint(1, 6), "min_samples_leaf": np.array([1, 5, 20])}
TREE = {"tree": (DecisionTreeClassifier(random_state=0), SPACE)}


def ordinal_table(n=120, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = np.digitize(X[:, 0] + 0.7 * rng.normal(size=n), [-0.6, 0.6])
    return X, y


def test_objectives_of_a_trial_match_its_out_of_fold_decisions(dominated):
    X, y = ordinal_table()
    groups = np.arange(len(y)) // 3
    fold = np.arange(40).repeat(3) % 4
    splits = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
    tuning = moselect.tune(
        TREE,
        X,
        y,
        6,
        objectives=["accuracy", "one_minus_mae", "quadratic_kappa"],
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
        proba = np.empty((len(y), 3))
        for train, test in splits:
            proba[test] = tree.fit(X[train], y[train]).predict_proba(X[test])
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
    values = tuning.trials_[["accuracy", "one_minus_mae", "quadratic_kappa"]]
    front = values[~dominated(values, values)].drop_duplicates()
    assert tuning.front_.index.tolist() == front.index.tolist()


class CountingTree(DecisionTreeClassifier):
    """Tree that counts its fits."""

    n_fits = 0

    def fit(self, X, y):
        CountingTree.n_fits += 1
        return super().fit(X, y)


@pytest.mark.slow
def test_a_trial_is_pruned_when_the_best_earlier_one_is_significantly_better():
    X, y = ordinal_table()
    tree = CountingTree(random_state=0)
    settings = {"cv": 4, "objectives": ["accuracy"], "random_state": 1}
    CountingTree.n_fits = 0
    tuning = moselect.tune({"tree": (tree, SPACE)}, X, y, 31, **settings)
    assert CountingTree.n_fits < 4 * 31
    table = tuning.trials_
    pruned = table[table["state"] == "PRUNED"]
    assert table.index[table["accuracy"].isna()].equals(pruned.index)
    # In all folds, a pruned trial is worse than the best one.
    names = ["max_depth", "min_samples_leaf"]
    for values in pruned[[f"param_{name}" for name in names]].to_numpy(int):
        tree.set_params(**dict(zip(names, values, strict=True)))
        predicted = cross_val_predict(tree, X, y, cv=list(tuning.selector_.folds))
        assert (predicted == y).mean() < table["accuracy"].max()
    unpruned = moselect.tune(TREE, X, y, 31, prune=False, **settings)
    assert set(unpruned.trials_["state"]) == {"COMPLETE"}
    candidates = tuning.select(class_costs=[1, 1, 1]).evidence.candidates.index
    assert not set(pruned.index) & {*candidates}


@pytest.mark.slow
@pytest.mark.parametrize("objectives", [["accuracy"], ["accuracy", "vus"]])
def test_resumed_and_parallel_searches_equal_an_uninterrupted_one(tmp_path, objectives):
    X, y = ordinal_table()
    settings = {"objectives": objectives, "cv": 3, "random_state": 3}
    once = moselect.tune(TREE, X, y, 24, **settings)
    folder = tmp_path / "trials"
    # Deaths in the first batch and in later ones.
    deaths = (1, 2, 3, 4)
    for death in deaths:
        calls = count(1)

        def dies(done, total, calls=calls, death=death):
            if next(calls) == death:
                raise MemoryError

        with pytest.raises(MemoryError):
            moselect.tune(TREE, X, y, 24, storage=folder, report=dies, **settings)
    kept = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert len(kept) == sum(deaths)
    fitted = []
    settings |= {"storage": folder, "report": lambda done, total: fitted.append(done)}
    again = moselect.tune(TREE, X, y, 24, n_jobs=2, **settings)
    assert len(fitted) == 24 - len(kept)
    assert set(once.trials_["state"]) == {"COMPLETE", "PRUNED"}
    assert all(path.stat().st_mtime_ns == at for path, at in kept.items())
    pd.testing.assert_frame_equal(
        once.trials_.drop(columns="seconds"),
        again.trials_.drop(columns="seconds"),
        check_exact=True,
    )
    assert once.select(class_costs=[1, 1, 1]).evidence.expected == (
        again.select(class_costs=[1, 1, 1]).evidence.expected
    )


@pytest.mark.slow
def test_the_best_of_many_random_trials_is_reported_at_chance():
    rng = np.random.default_rng(4)
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


def test_spaces_of_optuna_and_scipy_and_a_trial_that_fails():
    X, y = ordinal_table()
    spaces = {
        "bayes": (GaussianNB(), {"var_smoothing": loguniform(1e-9, 1.0)}),
        "tree": (
            DecisionTreeClassifier(),
            {
                "criterion": CategoricalDistribution(["gini", "no such"]),
                "min_samples_split": FloatDistribution(0.1, 0.4),
            },
        ),
    }
    tuning = moselect.tune(spaces, X, y, 16, cv=3, random_state=1)
    trials = tuning.trials_
    assert trials["estimator"].tolist() == ["bayes", "tree"] * 8
    assert trials["param_var_smoothing"].dropna().between(1e-9, 1.0).all()
    assert trials["param_min_samples_split"].dropna().between(0.1, 0.4).all()
    failed = trials.index[trials["param_criterion"] == "no such"]
    assert set(trials.index[trials["state"] == "FAIL"]) == set(failed)
    assert trials.loc[failed, "failure"].str.contains("no such").all()
    assert len(failed) > 0
    n_complete = 16 - len(failed) - (trials["state"] == "PRUNED").sum()
    assert f"<Tuning: 16 trials, {n_complete} complete, " in repr(tuning)
    html = tuning._repr_html_()
    assert all(name in html for name in tuning.front_.index)
    assert (
        set(tuning.select(model="tree-0").evidence.candidates.index) & set(failed)
        == set()
    )


@pytest.mark.parametrize(
    ("estimators", "settings", "message"),
    [
        ({"mine": (GaussianNB(), {})}, {}, "'mine' has no search space"),
        ({"mine": (GaussianNB(), {"depth": [1]})}, {}, "Invalid parameter 'depth'"),
        ({"mine": (GaussianNB(), {"priors": 3})}, {}, "are 3: give a list"),
        ("multinomial", {"objectives": ["roc_auc"]}, "is measured only"),
    ],
)
def test_invalid_input_is_refused_in_one_line(estimators, settings, message):
    X, y = ordinal_table()
    with pytest.raises(ValueError, match=message) as caught:
        moselect.tune(estimators, X, y, **settings)
    assert "\n" not in str(caught.value)


def test_the_first_trials_finish_despite_a_timeout():
    tuning = moselect.tune("multinomial", *ordinal_table(), 30, timeout=0.0, cv=2)
    assert tuning.trials_.index.tolist() == ["multinomial-0"]


def test_a_missing_optuna_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ImportError, match=r"pip install 'moselect\[tune\]'"):
        moselect.tune("multinomial", *ordinal_table())
