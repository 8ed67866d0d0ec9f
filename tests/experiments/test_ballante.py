"""The index of Ballante, Uberti and Figini: examples and simulation."""

import numpy as np
import pytest
from scipy.stats import norm

from experiments.ballante.simulation import MEANS, SPREADS, best_possible, draw_data

pytestmark = pytest.mark.slow


def test_examples_match_the_print_except_table_6(quick):
    table, folder = quick("ballante")
    examples = table[table.index.str.contains("worked|table")]
    assert len(examples) == 31
    differing = examples.index[examples["verdict"] == "differs"]
    assert differing.tolist() == [f"table 6 as printed, model {m}: I" for m in (1, 2)]
    assert {path.name for path in folder.iterdir()} == {
        "classification-functions.png",
        "simulation.png",
    }


@pytest.mark.parametrize("model", ["Ord Log", "Tree"])
def test_simulated_models_match_the_printed_figures(quick, model):
    table, _ = quick("ballante")
    for measure in ("I", "I_n", "AUC", "accuracy", "MSE"):
        row = table.loc[f"9: {model} {measure}"]
        assert float(row["here"]) == pytest.approx(float(row["paper"]), rel=0.05)


def test_the_best_possible_accuracy_is_that_of_the_bayes_rule():
    X, y = draw_data(200_000, seed=5)
    densities = norm.pdf(X[:, [0]], MEANS[0], SPREADS[0]) * norm.pdf(
        X[:, [1]], MEANS[1], SPREADS[1]
    )
    accuracy = (1 + densities.argmax(axis=1) == y).mean()
    assert best_possible(SPREADS) == pytest.approx(
        accuracy, abs=4 * np.sqrt(0.25 / len(y))
    )
