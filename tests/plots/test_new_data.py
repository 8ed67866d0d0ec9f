import numpy as np
import pandas as pd
import pytest

import moselect
from moselect.candidates.names import CANDIDATES, PROPORTIONAL_ODDS
from moselect.plots import front_on_new_data, pairwise_fronts
from moselect.plots.style import candidate_styles
from tests.any_tables import ordinal_table


@pytest.fixture(scope="module", params=[2, 3], ids=["two classes", "three"])
def found(request):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = pd.qcut(X @ [1.0, 0.5, 0.0] + rng.logistic(size=200), request.param, labels=False)
    search = moselect.ParetoSearch(n_iterations=3, cv=2, random_state=0).fit(X, y)
    return search, search.select([1.0] * (request.param - 1) + [3.0], model="additive")


def test_measures_that_coincide_are_drawn_once(found):
    search, model = found
    figure = front_on_new_data(model.evidence, search.front_)
    two = len(model.classes_) == 2
    assert len(figure.axes) == (1 if two else 3)
    costs = model.evidence.candidates["cost"]
    assert figure.axes[0].xaxis_inverted()  # lower cost is better, so to the right
    drawn = {float(bar.lines[0].get_xdata()[0]) for bar in figure.axes[0].containers}
    assert drawn == {costs[name] for name in [*model.evidence.probabilities][:-1]}
    objectives = ["accuracy", "vus" if two else "one_minus_mae"]
    figure = front_on_new_data(model.evidence, search.front_, objectives)
    matrix = pairwise_fronts(search.front_.objectives)
    assert len(matrix.axes) == (1 if two else 36)
    offsets = figure.axes[0].collections[0].get_offsets()
    np.testing.assert_allclose(offsets, search.front_.expected[objectives])


def test_many_models_differ_in_colour_and_marker_and_in_colour_and_line():
    names = [*CANDIDATES, PROPORTIONAL_ODDS, *(f"model {k}" for k in range(12))]
    styles = candidate_styles(names, "model 3")
    for other in ("marker", "linestyle"):
        looks = {(styles[name]["color"], styles[name][other]) for name in names}
        assert len(looks) == len(names)


def test_constant_predictions_alone_are_not_drawn():
    evidence = moselect.compare("always_one_class", *ordinal_table(40), cv=2)
    with pytest.raises(ValueError, match="only constant predictions"):
        front_on_new_data(evidence)
