"""Tables 3.1 and 3.2 of Sommer (2015)."""

import pytest


@pytest.mark.slow
def test_every_figure_of_table_3_2_is_found(quick):
    figures, _ = quick("sommer2015")
    figures = figures[figures.index.str.startswith("3.2: ")]
    assert len(figures) == 24
    assert set(figures["verdict"]) == {"agrees"}
    assert figures.at["3.2: 1523454 BSC", "paper"] == "73.68"


def test_the_maximum_probability_does_not_rank(quick):
    figures, _ = quick("sommer2015")
    for family in ("GP", "PO", "network", "multinomial"):
        key = f"3.1: housing {family} BSC"
        assert float(figures.at[key, "low"]) > 80.0
        assert float(figures.at[f"{key}, maximum probability", "high"]) < 60.0
