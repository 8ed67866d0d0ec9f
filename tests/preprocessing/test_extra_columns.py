import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.preprocessing import Preparation

WORDS = np.array(
    "broken late missing friendly quick dirty wrong lost kind slow".split()  # noqa: SIM905
)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    has_word = rng.random((400, len(WORDS))) < 0.3
    make = rng.integers(0, 7, 400)
    kind = rng.integers(0, 3, 400)
    texts = [f"row {k} " + " ".join(WORDS[row]) for k, row in enumerate(has_word)]
    X = pd.DataFrame({"text": texts, "age": rng.normal(size=400)})
    X["make"] = np.array(list("abcdefg"))[make]
    X["kind"] = np.array(["car", "van", "bus"])[kind]
    score = 2.0 * rng.normal(size=(7, 3))[make, kind] + 0.3 * rng.normal(size=400)
    score += 3.0 * has_word[:, 0] - 3.0 * has_word[:, 3]
    return X, np.digitize(score, np.quantile(score, [0.5, 0.8])) + 1


def test_pairs_are_encoded_out_of_fold(table):
    X, y = table
    groups = np.arange(len(X))
    prepared = Preparation(extra=True).fit_transform(X, y, groups)
    found = prepared["make and kind (mean class)"]
    joined = X[["age"]].assign(pair=X["make"] + X["kind"])
    expected = Preparation().fit_transform(joined, y, groups)["pair (mean class)"]
    np.testing.assert_array_equal(found, expected)
    in_training = Preparation().fit(joined, y).transform(joined)["pair (mean class)"]
    assert not np.array_equal(found, in_training)


def test_new_levels_of_a_column_whose_words_are_used_too_are_remarked_upon(rng):
    wines = [f"Chateau {number}" for number in rng.integers(0, 20, 400)]
    X = pd.DataFrame({"wine": wines, "x": rng.normal(size=400)})
    prepared = Preparation(extra=True).fit(X, rng.integers(0, 3, 400))
    assert "commonest words" in prepared.summary
    (found,) = prepared.read(X.head(1).assign(wine="Domaine 1")).unseen
    assert found == "'wine' is 'Domaine 1', a new level"


@pytest.mark.slow
def test_ensembles_use_words_and_pairs(table):
    X, y = table
    train = X.iloc[:300]
    new = X.iloc[300:]
    search = moselect.ParetoSearch(n_iterations=2, cv=2, random_state=0)
    search.fit(train, y[:300])
    ensemble, additive = (
        search.select(class_costs=[1, 1, 5], model=candidate)
        for candidate in ("ensemble", "additive")
    )
    costs = moselect.cost_matrix([1, 1, 5])[y[300:] - 1]
    mean_costs = [
        costs[np.arange(100), model.predict(new) - 1].mean()
        for model in (ensemble, additive)
    ]
    assert mean_costs[0] < 0.8 * mean_costs[1]
    assert ensemble.contributions(new.head(3))["text"].abs().max() > 0.0
