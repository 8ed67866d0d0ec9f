"""Verdicts of the papers' experiments in their small sizes."""

import numpy as np
import pytest
from scipy.stats import norm

from experiments.ballante.simulation import MEANS, SPREADS, best_possible, draw_data


@pytest.mark.slow
def test_closed_forms_of_baccianella_hold(quick):
    table, _ = quick("baccianella2009")
    printed = table[table["paper"] != ""]
    assert printed.index[printed["verdict"] == "differs"].tolist() == [
        "TripAdvisor: trivial micro MAE"
    ]
    assert (printed.index.str.startswith("macro MAE, ")).sum() == 8


@pytest.mark.slow
def test_examples_of_ballante_match_the_print_except_table_6(quick):
    table, folder = quick("ballante")
    examples = table[table.index.str.contains("worked|table")]
    assert len(examples) == 31
    differing = examples.index[examples["verdict"] == "differs"]
    assert differing.tolist() == [f"table 6 as printed, model {m}: I" for m in (1, 2)]
    assert {path.name for path in folder.iterdir()} == {
        "classification-functions.png",
        "simulation.png",
    }


@pytest.mark.slow
@pytest.mark.parametrize("model", ["Ord Log", "Tree"])
def test_simulated_models_of_ballante_match_the_printed_figures(quick, model):
    table, _ = quick("ballante")
    for measure in ("I", "I_n", "AUC", "accuracy", "MSE"):
        row = table.loc[f"9: {model} {measure}"]
        assert float(row["here"]) == pytest.approx(float(row["paper"]), rel=0.05)


@pytest.mark.slow
def test_the_best_possible_accuracy_is_that_of_the_bayes_rule():
    X, y = draw_data(200_000, seed=5)
    densities = norm.pdf(X[:, [0]], MEANS[0], SPREADS[0]) * norm.pdf(
        X[:, [1]], MEANS[1], SPREADS[1]
    )
    accuracy = (1 + densities.argmax(axis=1) == y).mean()
    assert best_possible(SPREADS) == pytest.approx(
        accuracy, abs=4 * np.sqrt(0.25 / len(y))
    )


def test_printed_ranking_metrics_match_except_the_mislabelled_ones(quick):
    table, folder = quick("ranking_metrics")
    printed = table[table["paper"] != ""]
    differing = printed.index[printed["verdict"] == "differs"]
    assert len(printed) == 31
    assert differing.tolist() == ["MAE: y_score_1", "MAE: y_score_2", "MAE: y_score_3"]
    assert {path.name for path in folder.iterdir()} == {"curves.png", "weighted.png"}


def test_weighted_ranking_metrics_equal_repetition_and_remove_a_bias(quick):
    table, _ = quick("ranking_metrics")
    here = table["here"]
    assert float(here["weights and repetition"]) < 1e-12
    assert float(here["biased sample: weighted"]) < 0.4 * float(
        here["biased sample: plain"]
    )


@pytest.mark.slow
def test_every_figure_of_table_3_2_of_sommer_is_found(quick):
    figures, _ = quick("sommer2015")
    figures = figures[figures.index.str.startswith("3.2: ")]
    assert len(figures) == 24
    assert set(figures["verdict"]) == {"agrees"}
    assert figures.at["3.2: 1523454 BSC", "paper"] == "73.68"


@pytest.mark.slow
def test_the_maximum_probability_of_sommer_does_not_rank(quick):
    figures, _ = quick("sommer2015")
    for family in ("GP", "PO", "network", "multinomial"):
        key = f"3.1: housing {family} BSC"
        assert float(figures.at[key, "low"]) > 80.0
        assert float(figures.at[f"{key}, maximum probability", "high"]) < 60.0
