"""Trivial classifiers under micro- and macro-averaging."""

import pytest

pytestmark = pytest.mark.slow


def test_closed_forms_and_coincidence_hold(quick):
    table, _ = quick("baccianella2009")
    printed = table[table["paper"] != ""]
    assert printed.index[printed["verdict"] == "differs"].tolist() == [
        "TripAdvisor: trivial micro MAE"
    ]
    assert (printed.index.str.startswith("macro MAE, ")).sum() == 8
