"""Verdicts of the papers' experiments in their small sizes."""

import re

import pytest

from experiments.catalogue import HERE

PRINTED = [  # experiment, its printed figures, their number, and those that differ
    ("baccianella2009", "", 30, ["TripAdvisor: trivial micro MAE"]),
    (
        "ballante",
        "worked|table",
        31,
        [f"table 6 as printed, model {m}: I" for m in (1, 2)],
    ),
    ("ranking_metrics", "", 31, [f"MAE: y_score_{k}" for k in (1, 2, 3)]),
    ("sommer2015", "^3.2: ", 24, []),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "keys", "n", "differing"), PRINTED)
def test_printed_figures_are_found_except_for_misprints(quick, name, keys, n, differing):
    table, _ = quick(name)
    printed = table[(table["paper"] != "") & table.index.str.contains(keys)]
    assert len(printed) == n
    assert printed.index[printed["verdict"] == "differs"].tolist() == differing


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ballante", "ranking_metrics", "waegeman2008"])
def test_a_small_run_draws_every_figure_of_the_page(quick, name):
    drawn = {path.name for path in quick(name)[1].glob("*.png")}
    page = (HERE / name / "README.md").read_text()
    assert drawn == set(re.findall(r"\]\(([\w-]+\.png)\)", page))


def test_weighted_ranking_metrics_equal_repetition_and_remove_a_bias(quick):
    table, _ = quick("ranking_metrics")
    here = table["here"]
    assert float(here["weights and repetition"]) < 1e-12
    assert float(here["biased sample: weighted"]) < 0.4 * float(
        here["biased sample: plain"]
    )
