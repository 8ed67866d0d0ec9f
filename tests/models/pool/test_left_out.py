"""Models that cannot be used."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.neighbors import KNeighborsClassifier

from moselect.models import OrdinalPool, ProportionalOdds

rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, size=(60, 2))
X[-1, 0] = 2.0
Y = np.digitize(X @ [2.0, 1.0] + 0.3 * rng.normal(size=60), [-0.5, 0.5])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Raising", "RuntimeError: no licence"),
        ("RaisingOnce", "ValueError: where is it"),
        ("Missing", "ValueError: it gives scores that are not finite"),
        ("Constant", "it gives all samples the same score"),
    ],
)
@pytest.mark.parametrize("max_seconds", [None, 60.0])
def test_a_model_that_fails_is_left_out_and_named(odd_models, name, reason, max_seconds):
    models = [("odd", getattr(odd_models, name)()), ("odds", ProportionalOdds())]
    pool = OrdinalPool(models, max_seconds=max_seconds, random_state=0)
    with pytest.warns(FitFailedWarning, match=f"model 'odd' is left out: .*{reason}") as caught:
        pool.fit(X, Y)
    assert len(caught) == 1
    assert "\n" not in str(caught[0].message)
    assert pool.model_names_ == ["odds"]
    assert list(pool.left_out_) == ["odd"]
    alone = OrdinalPool([("odds", ProportionalOdds())], max_seconds=None, random_state=0)
    np.testing.assert_array_equal(pool.predict_proba(X), alone.fit(X, Y).predict_proba(X))


@pytest.mark.slow
def test_a_model_that_hangs_costs_the_limit_once(odd_models):
    OrdinalPool([ProportionalOdds()]).fit(X, Y)  # the process is there
    pool = OrdinalPool([odd_models.Hanging(), ProportionalOdds()], max_seconds=3.0, random_state=0)
    started = time.perf_counter()
    with pytest.warns(FitFailedWarning, match="'hanging' is left out: .* not fitted after 3 sec"):
        pool.fit(X, Y)
    assert time.perf_counter() - started < 40.0  # seven fits of 60 seconds
    assert pool.model_names_ == ["proportionalodds"]


def test_without_any_model_there_is_an_error(odd_models):
    pool = OrdinalPool([odd_models.Raising(), odd_models.Constant()], max_seconds=None)
    with (
        pytest.warns(FitFailedWarning),
        pytest.raises(ValueError, match=r"every model was left out \(raising: .*; constant: .*\)"),
    ):
        pool.fit(X, Y)


def test_decisions_of_any_scale_are_used(odd_models):
    pool = OrdinalPool([("s", odd_models.Spreading())], max_seconds=None, random_state=0).fit(X, Y)
    assert (pool.predict(X) == Y).mean() > 0.75
    assert (pool.oof_proba_.argmax(axis=1) == Y).mean() > 0.7


def test_weights_need_models_that_take_them():
    pool = OrdinalPool([KNeighborsClassifier()], max_seconds=None)
    with pytest.raises(ValueError, match="'kneighborsclassifier' takes no sample_weight"):
        pool.fit(X, Y, sample_weight=np.ones(60))


@pytest.mark.slow
def test_models_defined_in_a_script_are_sent_to_the_other_process(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from sklearn.linear_model import Ridge\n"
        "from moselect.datasets import load_boston\n"
        "from moselect.models import OrdinalPool\n"
        "class Mine(Ridge):\n"
        "    pass\n"
        "X, y = load_boston()\n"
        "pool = OrdinalPool([Mine()], random_state=0).fit(X, y)\n"
        "print(type(pool.models_[0].estimator) is Mine)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
