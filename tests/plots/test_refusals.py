"""What cannot be drawn is refused in one line."""

from __future__ import annotations

import pytest

from moselect.plots import pairwise_fronts
from tests.plots.conftest import make_objectives

FRONT = make_objectives(m=3)
HOLE = FRONT.mask(FRONT["vus"] > 0.75)


@pytest.mark.parametrize(
    ("objectives", "holdout", "message"),
    [
        (FRONT[["vus", "vus"]], None, "at least two different ones"),
        (HOLE, None, "objectives has a value of accuracy that is not finite"),
        (FRONT, FRONT[:3], "holdout has 3 rows, but must have"),
    ],
)
def test_unfit_tables_are_refused(objectives, holdout, message):
    with pytest.raises(ValueError, match=message) as caught:
        pairwise_fronts(objectives, holdout=holdout)
    assert "\n" not in str(caught.value)
