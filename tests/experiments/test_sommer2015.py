"""Table 3.2 of Sommer (2015)."""


def test_every_figure_of_table_3_2_is_found(quick):
    judged, _ = quick("sommer2015")
    table = judged[judged.index.str.startswith("3.2: ")]
    assert len(table) == 24
    assert set(table["verdict"]) == {"agrees"}
    assert table.at["3.2: 1523454 BSC", "paper"] == "73.68"
