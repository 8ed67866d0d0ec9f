from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler
from skordinal.classifiers import NNOP, NNPOM, REDSVM, SVOR, ORBoost

from moselect.datasets import load_boston
from moselect.metrics import expected_class, u_pairs_score
from moselect.models import SkordinalClassifier

SMALL_NETWORK = {"n_hidden": 4, "max_iter": 3000}
EVERY = {
    "svor_explicit": SVOR(constraints="explicit"),
    "svor_implicit": SVOR(constraints="implicit"),
    "redsvm": REDSVM(),
    "nnop": NNOP(random_state=3, **SMALL_NETWORK),
    "nnpom": NNPOM(random_state=3, **SMALL_NETWORK),
    "orboost": ORBoost(),
}
NAMED = sorted(set(EVERY) - {"nnop", "nnpom"})  # networks by name take long


@pytest.fixture(scope="module")
def data(draw_samples):
    X, codes = draw_samples(150, 3, 4)
    return X * [1.0, 1e4, 1e-4] + 7.0, codes


def fitted_by_itself(estimator, X, y):
    Z = StandardScaler().fit_transform(X)
    return estimator.fit(Z, y + 1), Z


@pytest.mark.parametrize("name", EVERY)
def test_it_is_skordinal_on_scaled_features(data, name):
    X, y = data
    given = name if name in NAMED else EVERY[name]
    model = SkordinalClassifier(given, random_state=3).fit(X, y)
    oracle, Z = fitted_by_itself(EVERY[name], X, y)
    assert type(model.estimator_) is type(oracle)
    assert model.estimator_.get_params() == oracle.get_params()
    np.testing.assert_array_equal(model.predict(X), oracle.predict(Z) - 1)
    if hasattr(oracle, "predict_proba"):
        np.testing.assert_array_equal(model.predict_proba(X), oracle.predict_proba(Z))
    else:
        assert not hasattr(model, "predict_proba")


@pytest.mark.parametrize("name", EVERY)
def test_a_higher_score_means_a_higher_class(data, name):
    X, y = data
    model = SkordinalClassifier(EVERY[name]).fit(X, y)
    scores = model.decision_function(X)
    assert scores.shape == (150,)
    assert u_pairs_score(y, scores) > 0.8
    if name != "nnop":  # classes are intervals of the score
        order = np.argsort(scores, kind="stable")
        assert (np.diff(model.predict(X)[order]) >= 0).all()
    if name in ("nnop", "nnpom"):
        expected = expected_class(model.predict_proba(X))
        assert u_pairs_score(y, expected) == pytest.approx(u_pairs_score(y, scores), abs=0.01)
        if name == "nnop":
            np.testing.assert_allclose(scores, expected)


def test_the_seed_reaches_the_network(data):
    X, y = data
    network = NNOP(n_hidden=2, max_iter=1000)

    def proba(seed):
        return SkordinalClassifier(network, random_state=seed).fit(X, y).predict_proba(X)

    np.testing.assert_array_equal(proba(1), proba(1))
    assert np.abs(proba(1) - proba(2)).max() > 1e-6


def hopeless(n=3000):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 4)), rng.integers(1, 6, size=n)


@pytest.mark.slow
@pytest.mark.parametrize("constraints", ["explicit", "implicit"])
def test_it_stops_instead_of_running_for_minutes(constraints):
    """Noise, and hardly a penalty: compiled loops that no signal interrupts."""
    X, y = hopeless()
    model = SkordinalClassifier(SVOR(C=1e4, constraints=constraints), max_seconds=1.5)
    start = time.perf_counter()
    with pytest.raises(TimeoutError, match=r"SVOR was not fitted after 1.5 seconds: raise max_"):
        model.fit(X, y)
    assert time.perf_counter() - start < 60.0  # not a timing: without the limit it takes minutes
    model.set_params(max_seconds=60.0).fit(X[:100], y[:100])  # the next fit has a new process


@pytest.mark.slow
def test_a_failed_fit_does_not_sink_a_search(data):
    X, y = data
    grid = {"estimator": [SVOR(), Ends(), REDSVM()], "max_seconds": [60.0]}
    search = GridSearchCV(SkordinalClassifier(), grid, cv=2, error_score=0.0)
    with pytest.warns(match="the process that fitted Ends ended"):
        search.fit(X, y)
    scores = search.cv_results_["mean_test_score"]
    assert scores[1] == 0.0
    assert min(scores[0], scores[2]) > 0.35


class Ends(ClassifierMixin, BaseEstimator):
    """Ends its process when it arrives there."""

    def fit(self, X, y):
        return self

    def __reduce__(self):
        return os._exit, (5,)


@pytest.mark.parametrize("seconds", [None, 60.0])
def test_warnings_and_errors_arrive(data, seconds):
    X, y = data
    with pytest.warns(ConvergenceWarning, match="NNOP did not converge"):
        SkordinalClassifier(NNOP(n_hidden=2, max_iter=1), max_seconds=seconds).fit(X, y)
    with pytest.raises(ValueError, match="'C' parameter of SVOR must be a float"):
        SkordinalClassifier(SVOR(C=-1.0), max_seconds=seconds).fit(X, y)


def test_threads_do_not_mix_their_fits(data):
    X, y = data
    seeds = range(4)
    network = NNPOM(n_hidden=2, max_iter=1000)

    def fit(seed, seconds):
        model = SkordinalClassifier(network, random_state=seed, max_seconds=seconds)
        return model.fit(X, y).decision_function(X)

    alone = [fit(seed, None) for seed in seeds]
    together = Parallel(n_jobs=2, backend="threading")(delayed(fit)(seed, 60.0) for seed in seeds)
    np.testing.assert_array_equal(together, alone)


SCRIPT = """
from moselect.datasets import load_boston
from moselect.models import SkordinalClassifier
print("once")
X, y = load_boston()
print(SkordinalClassifier("redsvm").fit(X, y).predict(X).sum())
"""


@pytest.mark.slow
def test_a_script_without_a_main_guard_ends_quietly(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, str(tmp_path / "script.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    X, y = load_boston()
    predicted = SkordinalClassifier("redsvm").fit(X, y).predict(X)
    assert done.stdout.split() == ["once", str(predicted.sum())]
    assert done.stderr == ""


def test_without_skordinal_one_line_says_what_to_install(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "skordinal.classifiers", None)
    with pytest.raises(
        ImportError, match=r"redsvm needs skordinal: pip install 'moselect\[models\]'"
    ):
        SkordinalClassifier("redsvm").fit(*data)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"estimator": "svor"}, "estimator must be one of 'svor_explicit', .* not 'svor'"),
        ({"max_seconds": 0.0}, "max_seconds is 0.0"),
        ({"labels": [0, 1]}, "unknown label"),
    ],
)
def test_wrong_settings(data, settings, message):
    with pytest.raises(ValueError, match=message):
        SkordinalClassifier(**settings).fit(*data)
