"""The article on ranking metrics: printed figures, weights and repetition."""


def test_every_printed_figure_except_the_mislabelled_ones_is_found(quick):
    table, folder = quick("ranking_metrics")
    printed = table[table["paper"] != ""]
    differing = printed.index[printed["verdict"] == "differs"]
    assert len(printed) == 31
    assert differing.tolist() == ["MAE: y_score_1", "MAE: y_score_2", "MAE: y_score_3"]
    assert {path.name for path in folder.iterdir()} == {"curves.png", "weighted.png"}


def test_weights_repeat_objects_and_undo_a_bias(quick):
    table, _ = quick("ranking_metrics")
    here = table["here"]
    assert float(here["weights and repetition"]) < 1e-12
    assert float(here["biased sample: weighted"]) < 0.4 * float(
        here["biased sample: plain"]
    )
