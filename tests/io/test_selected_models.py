"""Selected models of every candidate, written to a file and read again."""

import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from moselect import ParetoSearch
from moselect.io import read_model, write_model
from moselect.io.model_file import suffix_of
from moselect.predictor import Model, predict_table
from moselect.predictor.decisions import LeastCost
from moselect.predictor.scorers import ProbabilityScorer
from tests.places import CLAIMS

CLASSES = ["none", "slight", "serious", "severe"]
CANDIDATES = ("scorecard", "linear", "additive", "proportional odds", "best member")


@pytest.fixture(scope="module")
def tables():
    """Return claims with text, dates and gaps, their classes, and other claims."""
    X = pd.read_csv(CLAIMS).drop(columns="claim")
    y = X.pop("severity")
    return X[:150], y[:150], X[150:210]


@pytest.fixture(scope="module")
def search(tables):
    X, y, _ = tables
    settings = {"n_particles": 10, "n_iterations": 2, "cv": 2, "random_state": 0}
    return ParetoSearch(**settings, labels=CLASSES).fit(X, y)


@pytest.mark.checks("Files, exports and pages", "predictions before and after the file")
@pytest.mark.parametrize(
    "candidate", [*CANDIDATES, pytest.param("ensemble", marks=pytest.mark.slow)]
)
def test_every_candidate_is_restored_to_the_last_bit(search, tables, tmp_path, candidate):
    """Compare predictions before and after a round trip, also through ``predict_table``."""
    model = search.select([1, 1, 2, 5], model=candidate, limits={"serious<slight": 0.3})
    assert len(model.terms) == model.n_features_in_
    assert model.evidence.selected == candidate
    path = tmp_path / f"model{suffix_of(model)}"
    write_model(path, model)
    again = read_model(path)
    new = tables[2]
    for method in ("decision_function", "predict_proba"):
        if not hasattr(model, method):
            continue
        # models as columns have a graph of other sums
        found = getattr(again, method)(new)
        expected = getattr(model, method)(new)
        assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
    expected = model.predict(new)
    found = again.predict(new)
    assert found.dtype == expected.dtype
    assert_array_equal(found, expected)
    predictions = predict_table(again, new)
    scored = predictions.scored
    assert_array_equal(predictions.classes[scored], expected[scored])
    assert scored.any()


def test_a_model_for_preferences_has_no_cost_to_check(search, tmp_path):
    model = search.select(
        preferences={"vus": 1}, candidates={"bayes": GaussianNB()}, model="bayes"
    )
    write_model(tmp_path / "model.npz", model)
    assert read_model(tmp_path / "model.npz").reference.costs is None


class CustomClassifier(LogisticRegression):
    """A classifier that neither moselect nor scikit-learn knows."""


def test_a_classifier_of_an_unknown_package_is_refused(tmp_path):
    fitted = CustomClassifier().fit([[0.0], [1.0]], [0, 1])
    model = Model(ProbabilityScorer.of(fitted), CLASSES[:2], LeastCost())
    with pytest.raises(
        TypeError, match=r"it holds .*CustomClassifier, and files are read with"
    ):
        write_model(tmp_path / "model.npz", model)
    assert not any(tmp_path.iterdir())
