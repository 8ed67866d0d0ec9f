"""The laws of the coverage experiment, and how its figures are summarised."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from experiments.coverage.designs import shown, summarise
from experiments.coverage.laws import LAWS


@pytest.mark.parametrize("name", LAWS)
def test_a_law_draws_every_class_in_tables_and_in_use(name):
    law, rng = LAWS[name], np.random.default_rng(0)
    drawn, new = law.draw(rng), law.draw_new(4_000, rng)
    for rows in (drawn, new):
        assert len(rows.X) == len(rows.y)
        assert np.unique(rows.y).tolist() == list(range(len(law.class_costs)))
    assert drawn.X.columns.equals(new.X.columns)
    if law.priors is not None:
        found = np.bincount(new.y) / len(new.y)
        assert found == pytest.approx(law.priors, abs=0.03)


def test_what_is_shown_is_summarised_by_law_and_figure():
    found = [shown("cost", 1.0, 0.1, true) for true in (0.9, 1.1, 0.7)]
    table = pd.DataFrame([{"law": "some", **row._asdict()} for row in found])
    row = summarise(table).loc["some", "cost"]
    assert row["n"] == 3
    assert row["shown - true"] == pytest.approx(0.1)
    assert row["sd of z"] == pytest.approx(2.0)
    assert row["covered"] == pytest.approx(2 / 3)
