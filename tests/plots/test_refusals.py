"""What cannot be drawn is refused in one line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from moselect import plots
from tests.plots.conftest import CLASSES, NAMES, make_objectives

FRONT = make_objectives(m=3)
SMALL = make_objectives(m=2)
HOLE = FRONT.mask(FRONT["vus"] > 0.75)
CHANCE = pd.Series(0.5, index=NAMES)
HISTORY = pd.DataFrame({"run": [0, 0], "n_evaluations": [1, 2], "hypervolume": 0.1})
Y = pd.Categorical.from_codes(np.arange(9) % 3, CLASSES, ordered=True)


def copies(one, n):
    return {str(i): one for i in range(n)}


fronts, growth = plots.pairwise_fronts, plots.convergence
REFUSED = {
    "at least two different ones": lambda: fronts(FRONT[["vus", "vus"]]),
    "objectives has no rows": lambda: fronts(FRONT[:0]),
    "objectives has a value of accuracy that is not finite": lambda: fronts(HOLE),
    "has 7 fronts: from 1 to 6 can be drawn": lambda: fronts(copies(FRONT, 7)),
    "objectives must have the objectives": lambda: fronts({"a": FRONT, "b": SMALL}),
    "chance must have the objectives": lambda: fronts(FRONT, chance=CHANCE),
    "holdout has 3 rows, but must have": lambda: fronts(FRONT, holdout=FRONT[:3]),
    "those of the models of one": lambda: fronts(copies(FRONT, 2), holdout=FRONT),
    "has no column 'n_evaluations'": lambda: growth(HISTORY[["run", "hypervolume"]]),
    "history has no rows": lambda: growth(HISTORY[:0]),
    "there are 7 histories: from 1 to 6": lambda: growth(copies(HISTORY, 7)),
    r"y_true has shape \(9,\) but y_pred": lambda: plots.confusion_matrix(Y, Y[:5]),
    "no terms to draw": lambda: plots.shapes(()),
}


@pytest.mark.parametrize("message", REFUSED)
def test_unfit_tables_are_refused(message):
    with pytest.raises(ValueError, match=message) as caught:
        REFUSED[message]()
    assert "\n" not in str(caught.value)
