"""Metrics as objectives of a search, with thresholds solved for them."""

import numpy as np
import pytest

from moselect import ParetoSearch
from moselect.costs.thresholds import metric_thresholds
from moselect.metrics import metric_named
from moselect.metrics.decision_metrics import count_cells
from tests.any_tables import ordinal_table


def _draw(weighted):
    X, codes = ordinal_table(150, r=4)
    weights = np.random.default_rng(3).uniform(0.5, 2.0, size=150)
    return X.round(1), codes, weights if weighted else None


@pytest.mark.parametrize(
    ("name", "weighted"), [("quadratic_kappa", True), ("f1:2", False)]
)
def test_no_member_has_more_than_is_solved_on_its_direction(name, weighted):
    X, codes, weights = _draw(weighted)
    search = ParetoSearch((name, "u_pairs"), n_iterations=4, cv=None, random_state=1)
    front = search.fit(X, codes, sample_weight=weights).front_
    metric = metric_named(name, range(4))
    each = np.ones(150) if weights is None else weights / weights.mean()
    reached = []
    for member, shown in zip(front, front.objectives[name], strict=True):
        scores = member.decision_function(X)
        masses = np.eye(4)[codes] * each[:, None]
        best = 1.0 - metric.loss(metric_thresholds(metric, scores, masses)[1].confusions)
        loss = metric.loss(count_cells(codes, member.predict(X), each, 4))
        assert shown == pytest.approx(1.0 - float(loss))
        assert shown <= best + 1e-9
        reached.append(shown >= best - 1e-9)
    assert reached[int(front.objectives[name].argmax())]


def test_the_worst_class_and_scorers_are_objectives():
    X, codes, _ = _draw(False)
    objectives = ("minimum_sensitivity", "maximum_mae", "weighted_kappa")
    search = ParetoSearch(objectives, n_iterations=1, n_particles=5, cv=None)
    front = search.fit(X, codes).front_
    assert list(front.objectives) == list(objectives)
    assert front.chance["maximum_mae"] == pytest.approx(-1.0)
    assert (front.objectives["minimum_sensitivity"] > 0.3).any()
