from __future__ import annotations

import pytest
from sklearn.base import clone

from moselect import compare
from moselect.comparison import DEFAULT_MODELS, KNOWN_MODELS, known_models
from moselect.comparison.candidates import describe
from moselect.comparison.known_models import make_model
from moselect.models import SkordinalClassifier

CLASSES = ["low", "mid", "high"]
SKORDINAL = {
    name for name in KNOWN_MODELS if isinstance(make_model(name), SkordinalClassifier)
}  # which needs an extra


@pytest.fixture(scope="module")
def found(data):
    """Fit once what can be fitted as it is, and what cannot with less effort."""
    X, y = data
    models = {name: make_model(name) for name in KNOWN_MODELS}
    for name in SKORDINAL:
        models[name].set_params(max_seconds=None)
    models["gradient_boosting"].set_params(max_iter=20, min_samples_leaf=5)
    models["cost_thresholds"].set_params(estimator=models["gradient_boosting"])
    models["pareto_search"].set_params(n_iterations=2, n_particles=10, cv=2)
    models["gaussian_process"].set_params(max_iter=5)
    folds = [(range(60), range(60, 90))]
    return compare(models, X, y, labels=CLASSES, cv=folds, random_state=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN_MODELS)
def test_a_known_model_beats_the_commonest_class(found, name):
    assert found.failures == {}
    if name == "trivial":
        return
    vus = found.table["vus", "mean"]
    assert vus[name] > 1 / 6  # that of random scores
    mae = found.table["mean_absolute_error", "mean"]
    assert mae[name] < mae["trivial"]


@pytest.mark.parametrize("name", KNOWN_MODELS)
def test_a_known_model_is_new_each_time(name):
    one, two = make_model(name), make_model(name)
    assert one is not two
    assert describe(one) == describe(two) == describe(clone(one))


def test_different_models_are_told_apart():
    assert len({describe(make_model(name)) for name in KNOWN_MODELS}) == len(KNOWN_MODELS)


def test_every_known_model_is_described_in_a_line():
    assert list(known_models()) == list(KNOWN_MODELS)
    assert all(0 < len(text.splitlines()[0]) < 70 for text in known_models().values())
    assert set(DEFAULT_MODELS) <= set(KNOWN_MODELS)
    assert not set(DEFAULT_MODELS) & SKORDINAL
