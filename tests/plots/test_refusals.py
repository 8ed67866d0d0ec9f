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
HISTORY = pd.DataFrame(
    {"run": [0, 0], "n_evaluations": [1, 2], "hypervolume": [0.1, 0.2]}
)
Y = pd.Categorical.from_codes(np.arange(9) % 3, CLASSES, ordered=True)


def copies(one, n):
    return {str(i): one for i in range(n)}


CASES = [
    (plots.pairwise_fronts, (FRONT[["vus", "vus"]],), {}, "at least two different ones"),
    (plots.pairwise_fronts, (FRONT[:0],), {}, "objectives has no rows"),
    (
        plots.pairwise_fronts,
        (HOLE,),
        {},
        "objectives has a value of accuracy that is not finite",
    ),
    (
        plots.pairwise_fronts,
        (FRONT,),
        {"holdout": FRONT[:3]},
        "holdout has 3 rows, but must have",
    ),
    (
        plots.pairwise_fronts,
        (FRONT,),
        {"chance": CHANCE},
        "chance must have the objectives",
    ),
    (
        plots.pairwise_fronts,
        (copies(FRONT, 7),),
        {},
        "has 7 fronts: from 1 to 6 can be drawn",
    ),
    (
        plots.pairwise_fronts,
        ({"a": FRONT, "b": SMALL},),
        {},
        "objectives must have the objectives",
    ),
    (
        plots.pairwise_fronts,
        (copies(FRONT, 2),),
        {"holdout": FRONT},
        "those of the models of one",
    ),
    (
        plots.convergence,
        (HISTORY[["run", "hypervolume"]],),
        {},
        "has no column 'n_evaluations'",
    ),
    (plots.convergence, (HISTORY[:0],), {}, "history has no rows"),
    (plots.convergence, (copies(HISTORY, 7),), {}, "there are 7 histories: from 1 to 6"),
    (
        plots.confusion_matrix,
        (Y, Y[:5]),
        {},
        r"y_true has shape \(9,\) but y_pred has shape",
    ),
    (plots.shapes, ((),), {}, "no terms to draw"),
]


@pytest.mark.parametrize(("draw", "given", "settings", "message"), CASES)
def test_unfit_tables_are_refused(draw, given, settings, message):
    with pytest.raises(ValueError, match=message) as caught:
        draw(*given, **settings)
    assert "\n" not in str(caught.value)
