import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import moselect
from moselect import CostThresholdClassifier, compare
from moselect.comparison import MEASURES
from moselect.metrics import get_scorer
from moselect.predictor import OrdinalLinearClassifier

CLASSES = ["low", "mid", "high"]
ONE_CLASS = "always_one_class"
LOGISTIC = make_pipeline(StandardScaler(), LogisticRegression())
PREDICTOR = OrdinalLinearClassifier([1.0], [0.0, 1.0], CLASSES)


class NearestClass(ClassifierMixin, BaseEstimator):
    """Round a regression by hand."""

    def __init__(self, regressor):
        self.regressor = regressor

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.regressor.fit(X, y)
        return self

    def decision_function(self, X):
        return self.regressor.predict(X)

    def predict(self, X):
        return np.clip(np.round(self.regressor.predict(X)), 0, 2).astype(int)


@pytest.mark.parametrize(
    ("model", "oracle"),
    [
        (LOGISTIC, LOGISTIC),  # several decisions an object: the expected class
        (GaussianNB(), GaussianNB()),  # no decision function
        (SVC(), SVC()),  # neither a single decision nor probabilities
        (CostThresholdClassifier(GaussianNB()), CostThresholdClassifier(GaussianNB())),
        (LinearRegression(), NearestClass(LinearRegression())),
    ],
)
def test_measures_of_folds_match_cross_validate(data, model, oracle):
    X, y = data
    codes = y.cat.codes
    cv = StratifiedKFold(4, shuffle=True, random_state=2)
    measures = [
        "accuracy",
        "mean_absolute_error",
        "macro_mean_absolute_error",
        "vus",
        "u_ovo",
        "off_by_one_accuracy",
        "one_minus_mae",
    ]
    scorers = {
        name: get_scorer(name if MEASURES[name].sign > 0.0 else f"neg_{name}")
        for name in measures
    }
    found = compare({"model": model}, X, y, cv=cv, measures=measures)
    expected = cross_validate(
        oracle, X, codes, cv=cv, scoring=scorers, error_score="raise"
    )
    for name in measures:
        np.testing.assert_allclose(
            found.per_fold[name],
            MEASURES[name].sign * expected[f"test_{name}"],
            err_msg=name,
        )
    assert found.per_fold.index.names == ["model", "fold"]
    assert (found.per_fold[["fit_seconds", "predict_seconds"]] > 0.0).all(axis=None)


def test_probability_measures_need_probabilities(data):
    X, y = data
    measure = "ranked_probability_error"
    models = {"some": GaussianNB(), "none": LinearSVC(C=0.1)}
    found = compare(models, X, y, cv=3, measures=[measure], random_state=0)
    codes = y.cat.codes
    scorer = get_scorer(f"neg_{measure}")
    values = [
        -scorer(GaussianNB().fit(X.iloc[a], codes[a]), X.iloc[b], codes[b])
        for a, b in found.folds
    ]
    np.testing.assert_allclose(found.per_fold.loc["some", measure], values)
    assert found.per_fold.loc["none", measure].isna().all()
    assert found.undefined == {("none", measure): "the model gives no probabilities"}
    assert "RPS not available for none: the model gives no probabilities" in str(found)


def test_a_measure_without_samples_of_a_class_names_its_label(data):
    X, _ = data
    coded = pd.Categorical(np.arange(90) % 40 == 0, ordered=True)
    y = coded.rename_categories(["low", "high"])
    found = compare({"none": DummyClassifier()}, X, y, cv=KFold(9), measures=["vus"])
    assert "class high has none (6 of 9 folds" in found.undefined["none", "vus"]


def without_seconds(found):
    return found.per_fold.drop(columns=["fit_seconds", "predict_seconds"])


@pytest.mark.slow
def test_same_seed_same_values_for_any_number_of_jobs(data):
    search = moselect.ParetoSearch(n_particles=8, n_iterations=2, cv=2, model="linear")
    models = [ONE_CLASS, search, ExtraTreesClassifier(5)]
    settings = {"cv": 2}
    one, two, other = (
        compare(models, *data, **settings, random_state=seed, n_jobs=jobs)
        for seed, jobs in ((4, None), (4, 2), (5, None))
    )
    pd.testing.assert_frame_equal(without_seconds(one), without_seconds(two))
    assert not without_seconds(one).equals(without_seconds(other))
    alone = compare([models[2]], *data, **settings, random_state=4)
    name = "ExtraTreesClassifier"
    pd.testing.assert_frame_equal(
        without_seconds(one).loc[name], without_seconds(alone).loc[name]
    )


class Failing(ClassifierMixin, BaseEstimator):
    """Fail in the folds without the first sample, and warn in all."""

    def fit(self, X, y):
        warnings.warn(f"doubtful\nin {len(X)} places", RuntimeWarning, stacklevel=1)
        if 0 not in X.index:
            raise TimeoutError("gave up\nafter a while")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


@pytest.mark.parametrize("jobs", [None, pytest.param(2, marks=pytest.mark.slow)])
def test_a_failing_model_does_not_stop_the_others(data, jobs):
    X, y = data
    cv = StratifiedKFold(3)  # object 0 is held out in the first fold
    models = {"bad": Failing(), "good": DummyClassifier()}
    order = list(cv.split(X, y))
    found = compare(models, *data, cv=[order[1], order[0], order[0]], n_jobs=jobs)
    assert found.failures == {"bad": "TimeoutError: gave up after a while (fold 1)"}
    assert found.table.loc["bad"].isna().all()
    assert found.table.loc["good"].notna().all()
    assert "bad failed: TimeoutError: gave up after a while (fold 1)" in str(found)
    assert found.front() == ["good"]
    assert list(found.costs([1, 1, 1]).index) == ["good"]
    kept = compare({"bad": Failing()}, *data, cv=order[1:])
    assert kept.warnings == {"bad": {"RuntimeWarning: doubtful in 60 places": 2}}
    assert "bad warned in 2 folds: RuntimeWarning: doubtful in 60 places" in str(kept)


def test_a_class_that_is_not_in_every_test_part(data):
    X, _ = data
    X = X[:40]
    y = np.array([0] * 20 + [1] * 16 + [2] * 3 + [3])
    found = compare([GaussianNB(var_smoothing=1e-2)], X, y, cv=5, random_state=0)
    assert found.failures == {}
    held_out = [set(y[test]) for _, test in found.folds]
    assert sum(2 in classes for classes in held_out) == 3
    assert not any(3 in classes for classes in held_out)
    vus = found.per_fold["vus"].to_numpy()
    np.testing.assert_array_equal(
        np.isnan(vus), [2 not in classes for classes in held_out]
    )
    assert found.undefined["GaussianNB", "vus"].endswith(
        "class 2 has none (2 of 5 folds, not in the mean)"
    )
    assert found.table.loc["GaussianNB", ("vus", "mean")] == np.nanmean(vus)
    assert found.per_fold[["accuracy", "mean_absolute_error"]].notna().all(axis=None)


def test_duplicates_are_in_one_fold():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(150, 4)), 2, axis=0)
    y = np.repeat(rng.integers(3, size=150), 2)
    with pytest.warns(UserWarning, match="150 of 300 rows count as duplicates"):
        noise = compare(KNeighborsClassifier(1), X, y, random_state=0)
    # with them: 0.9
    assert noise.table.loc["KNeighborsClassifier", ("accuracy", "mean")] < 0.45


class Interrupted(DummyClassifier):
    """Interrupt a fit, as Ctrl-C does."""

    def fit(self, X, y):
        raise KeyboardInterrupt


def test_an_interrupt_keeps_the_finished_models(data):
    models = {"done": ONE_CLASS, "not": Interrupted(), "nor": "multinomial"}
    found = compare(models, *data, cv=2)
    assert found.interrupted
    assert list(found.results) == ["done"]
    assert "interrupted" in str(found)
    with pytest.raises(KeyboardInterrupt):
        compare({"not": Interrupted()}, *data, cv=2)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        (
            {"models": "boosting"},
            ValueError,
            "unknown model 'boosting': choose from always_",
        ),
        (
            {"models": [PREDICTOR]},
            TypeError,
            "estimator behind it, such as ParetoSearch",
        ),
        (
            {"measures": ["auc"]},
            ValueError,
            "unknown measure 'auc': choose from accuracy, ",
        ),
        (
            {"cv": KFold(2), "y": np.repeat(CLASSES, 30)},
            ValueError,
            "fitted without class",
        ),
    ],
)
def test_invalid_input_is_refused_in_one_line(data, changes, error, message):
    X, y = data
    arguments = {"models": ONE_CLASS, "X": X, "y": y, "labels": CLASSES, **changes}
    with pytest.raises(error, match=message) as caught:
        compare(**arguments)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.slow
def test_a_killed_process_fails_only_its_own_model(data):
    class Killing(GaussianNB):  # defined here, it goes to the other process by value
        def fit(self, X, y):
            import os
            import signal

            os.kill(os.getpid(), signal.SIGKILL)

    models = {"before": GaussianNB(), "killing": Killing(), "after": LogisticRegression()}
    settings = {"cv": 3, "random_state": 0}
    found = compare(models, *data, n_jobs=2, **settings)
    assert found.failures.keys() == {"killing"}
    assert "was killed, perhaps for want of memory" in found.failures["killing"]
    expected = compare({k: models[k] for k in ("before", "after")}, *data, **settings)
    pd.testing.assert_frame_equal(
        without_seconds(found).loc[["before", "after"]], without_seconds(expected)
    )
