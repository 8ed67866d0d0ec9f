from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from moselect import compare
from moselect.plots import cost_over_complexity


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(size=(80, 3)), columns=list("abc"))
    y = np.digitize(X["a"] + rng.normal(scale=0.4, size=80), [-0.5, 0.5])
    models = ["trivial", "proportional_odds", "gradient_boosting"]
    return compare(models, X, y, cv=4, random_state=0)


def test_points_are_costs_over_terms_and_the_rest_stands_apart(found):
    costs = [1, 1, 5]
    kinds = found.costs(costs)
    ax = cost_over_complexity(found, costs)
    points = {}
    for container in ax.containers:
        points |= {round(y, 12): x for x, y in container.lines[0].get_xydata()}
    assert points[round(kinds.loc["trivial", "cost"], 12)] == 1.0  # terms + 1
    assert points[round(kinds.loc["proportional_odds", "cost"], 12)] == 4.0
    assert points[round(kinds.loc["gradient_boosting", "cost"], 12)] > 4.0
    ticks = dict(
        zip(ax.get_xticks(), [label.get_text() for label in ax.get_xticklabels()], strict=True)
    )
    assert ticks[1.0] == "0"
    assert ticks[points[round(kinds.loc["gradient_boosting", "cost"], 12)]] == "no sum\nof terms"
    assert {text.get_text() for text in ax.texts} == set(found.results)
    plt.close("all")


def test_colours_are_those_of_significance(found):
    kinds = found.costs()
    labels = {
        container.get_label(): container for container in cost_over_complexity(found).containers
    }
    for name, significant in (("may cost least", False), ("costs significantly more", True)):
        expected = kinds.loc[kinds["significant"] == significant, "cost"]
        drawn = labels[name].lines[0].get_ydata() if name in labels else []
        assert sorted(drawn) == sorted(expected)
    assert kinds["significant"].any()
    plt.close("all")
