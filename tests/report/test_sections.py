"""A result is told once: every output has the same figures."""

import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.cli.results import print_selection, record_of_selection
from moselect.cli.terminal import Terminal
from moselect.export import summarise
from moselect.export.pages import card_page
from moselect.listing import decimals_of, measured
from moselect.report.figures import columns_of, value_heading
from moselect.report.sections import report

COSTS = {"class_costs": [1, 1, 5]}
CRITERIA = {
    "costs": COSTS,
    "limits by group": COSTS | {"limits": {"3<2 by town": 0.4}},
    "preferences": {"preferences": {"vus": 2, "accuracy": 1}},
}
SLOW = {
    "costs of rows": {"cost_matrix": "rows"},
    "metric": {"metric": "quadratic_kappa"},
    "limits": COSTS | {"limits": {"3<2": 0.3}},
    "referral": COSTS | {"refer": 0.6},
    "shares": COSTS | {"priors": [0.5, 0.3, 0.2]},
}


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 2)).round(3), columns=["size", "age"])
    noise = rng.logistic(scale=0.4, size=len(X))
    y = 1 + np.digitize(X["size"] + noise, [-0.4, 0.9])
    table = X.assign(town=np.where(np.arange(len(X)) % 2, "Bonn", "Cork"))
    search = ParetoSearch(
        n_particles=10, n_iterations=2, cv=None, n_jobs=1, random_state=1
    )
    return search.fit(X, y), table


@pytest.fixture(
    params=[*CRITERIA, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def result(request, fitted):
    """Return a selected model, its estimates by group, and its card."""
    search, table = fitted
    criteria = dict((CRITERIA | SLOW)[request.param])
    if "cost_matrix" in criteria:
        distances = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
        sizes = 4.0 + table["age"].to_numpy()
        criteria["cost_matrix"] = sizes[:, None, None] * distances
    model = search.select(**criteria, model="linear", by=table[["town"]])
    groups = {"town": model.evidence.group_estimates(table["town"])}
    return model, groups, summarise(model, predicts="value", groups=groups)


def words_of(text):
    """Return a text in which any white space is one blank."""
    return " ".join(text.split())


def words_of_html(page):
    """Return the words of a page, without its tags."""
    return words_of(unescape(re.sub("<[^>]*>", " ", page)))


def test_every_output_has_the_same_headline_figures_and_comparisons(result, capsysbinary):
    model, groups, card = result
    evidence = model.evidence
    told = report(evidence, groups)
    terminal = Terminal()
    terminal.results.width = 500
    print_selection(model, groups, terminal)
    printed = words_of(capsysbinary.readouterr().out.decode())
    terminal.print_json(record_of_selection(model, groups))
    record = json.loads(capsysbinary.readouterr().out)
    summaries = [
        words_of_html(card_page(card, as_html=True)),
        words_of(card_page(card, as_html=False)),
    ]
    outputs = [printed, *summaries]

    assert record["headline"] == card.headline == told.headline
    for sentence in told.headline:
        assert all(words_of(sentence) in output for output in outputs)
    # Values of candidates and their comparison with the selected one.
    decimals = decimals_of(evidence.candidates["std_error"])
    values = columns_of(told.candidates.table, "model", value_heading(evidence))[1:]
    assert len(values) == len(record["candidates"])
    for name, value in values:
        row = record["candidates"][name]
        error = round(row["std_error"], 12)  # the last bits are no error
        figure = measured(row[evidence.value], error, decimals)
        assert value == figure
        assert all(words_of(value) in output for output in outputs)
    assert record["expected"] == pytest.approx(evidence.expected)
    savings = {row[0]: row[1:] for row in saved_rows(told)}
    for name, paired in record["differences"].items():
        numbers = [
            float(text) for text in re.findall(r"-?[\d.]+(?:e-?\d+)?", savings[name][0])
        ]
        scale = 100.0 if evidence.value == "cost" else 1.0
        figures = [scale * paired[key] for key in ("estimate", "low", "high")]
        assert numbers == pytest.approx(
            figures, rel=0.06, abs=0.51 if scale > 1.0 else 0.01
        )
        assert all(words_of(savings[name][0]) in output for output in summaries)
    # Groups, limits and findings.
    for section in told.groups:
        for row in section.table[1:]:
            assert all(" ".join(row) in output for output in outputs)
    for sentence in [*told.criteria.sentences, *told.findings.sentences]:
        assert all(words_of(sentence) in output for output in outputs)


def saved_rows(told):
    """Return name and saving of each model that is compared with the selected one."""
    heading = [*told.candidates.table[0]]
    (column,) = [j for j, name in enumerate(heading) if "95 % interval" in name]
    return [[row[0], row[column]] for row in told.candidates.table[1:]]
