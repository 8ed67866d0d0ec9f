from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest

from moselect import compare
from moselect.candidates.known_models import OTHER_BOOSTING, named_models
from moselect.selection import KNOWN_MODELS
from tests.any_tables import ordinal_table

INSTALLED = [
    name
    for name in KNOWN_MODELS
    if find_spec(name.split("_")[0]) or name.split("_")[0] not in OTHER_BOOSTING
]


@pytest.fixture(scope="module")
def measured():
    """Fit every known model once, the slow ones with cheaper settings."""
    models = {name: KNOWN_MODELS[name].make() for name in INSTALLED}
    models["gradient_boosting"].set_params(
        max_iter=20, learning_rate=0.1, min_samples_leaf=5
    )
    models["random_forest"].set_params(n_estimators=20)
    models["cost_thresholds"].set_params(estimator=models["gradient_boosting"])
    models["pareto_search"].set_params(n_iterations=2, n_particles=10, cv=2)
    X, y = ordinal_table(90)
    folds = [(range(60), range(60, 90))]
    found = compare(models, X, y, cv=folds, random_state=0)
    assert found.excluded == {}
    return found.fold_measures().summary


@pytest.mark.slow
@pytest.mark.parametrize("name", INSTALLED)
def test_a_known_model_beats_the_commonest_class(measured, name):
    if name == "always_one_class":
        return
    vus = measured["vus", "mean"]
    assert vus[name] > 1 / 6  # VUS of random scores
    mae = measured["mean_absolute_error", "mean"]
    assert mae[name] < mae["always_one_class"]


def test_boosted_trees_of_other_packages_take_names_with_brackets():
    pytest.importorskip("lightgbm", reason="lightgbm refuses such names itself")
    X = pd.DataFrame({"age [years]": np.arange(60.0)})
    assert compare(["lightgbm"], X, np.arange(60) // 20, cv=2).excluded == {}


def test_names_of_models_have_blanks_or_underscores():
    for name in ("proportional odds", "proportional_odds"):
        (model,) = named_models(name, np.arange(3), KNOWN_MODELS).values()
        assert type(model).__name__ == "ProportionalOdds"
