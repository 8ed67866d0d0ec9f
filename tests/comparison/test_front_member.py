from __future__ import annotations

import numpy as np
import pytest

import moselect
from moselect import ParetoSearch, compare
from moselect.comparison import FrontMember

CLASSES = ["low", "mid", "high"]
SEARCH = ParetoSearch(n_particles=10, n_iterations=3, labels=CLASSES, random_state=4)


@pytest.mark.parametrize("member", ["balanced", "accuracy", "vus"])
def test_a_member_of_the_front_predicts(data, member):
    X, y = data
    model = FrontMember(SEARCH, member).fit(X, y)
    front = ParetoSearch(**SEARCH.get_params()).fit(X, y).front_
    expected = front[front.balanced() if member == "balanced" else front.best(member)]
    np.testing.assert_array_equal(model.decision_function(X), expected.decision_function(X))
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))
    assert model.classes_.tolist() == CLASSES
    assert not hasattr(SEARCH, "front_")


def test_an_unknown_member(data):
    with pytest.raises(ValueError, match="unknown objective 'best'"):
        FrontMember(SEARCH, "best").fit(*data)


def test_a_search_is_compared_by_its_balanced_member(data):
    X, y = data
    found = compare([SEARCH, FrontMember(SEARCH)], X, y, labels=CLASSES, cv=2, random_state=0)
    values = found.per_fold[list(found.measures)]
    np.testing.assert_array_equal(values.loc["ParetoSearch"], values.loc["FrontMember"])
    assert found.failures == {}
    assert moselect.comparison.FrontMember is FrontMember
