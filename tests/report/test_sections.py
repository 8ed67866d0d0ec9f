"""A result is reported once: every output has the same figures."""

import json
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from sklearn.dummy import DummyClassifier

from moselect import Costs, ParetoSearch, compare
from moselect.cli.results import print_selection, record_of_selection
from moselect.cli.terminal import Terminal
from moselect.export import summarise
from moselect.export.exporting import card_page
from moselect.listing import decimals_of
from moselect.page import make_page
from moselect.report.figures import columns_of
from moselect.report.sections import report, result_of
from tests.any_tables import ordinal_table
from tests.cli.conftest import words_of
from tests.page.conftest import counts_shown, select_candidate, settle

COSTS = {"costs": Costs([1, 1, 5])}
CRITERIA = {
    "costs": COSTS,
    "limits by group": COSTS | {"limits": {"3<2 by town": 0.4}},
    "preferences": {"costs": None, "preferences": {"vus": 2, "accuracy": 1}},
}
SLOW = {
    "costs of rows": {"costs": "rows"},
    "metric": {"costs": Costs(metric="quadratic_kappa")},
    "limits": COSTS | {"limits": {"3<2": 0.3}},
    "referral": {"costs": Costs([1, 1, 5], refer=0.6)},
    "shares": {"costs": Costs([1, 1, 5], priors=[0.5, 0.3, 0.2])},
    "linear": COSTS | {"model": "linear"},
    "text": COSTS | {"limits": {"high<mid": 0.3}},
}

DRAWN = [f"drawn {seed}" for seed in range(40)]


def drawn_criteria(seed):
    """Draw costs, some with priors, a referral, a limit and a named candidate."""
    rng = np.random.default_rng(seed)
    costs = rng.lognormal(sigma=1.5, size=(3, 3)) * 10.0 ** rng.integers(-2, 6)
    np.fill_diagonal(costs, 0.0)
    options = {}
    if rng.random() < 0.3:
        options["priors"] = rng.dirichlet([3.0, 3.0, 3.0])
    if rng.random() < 0.3:
        options["refer"] = costs.max() * rng.uniform(0.05, 0.5)
    criteria = {"costs": Costs(cost_matrix=costs, **options)}
    if rng.random() < 0.4:
        criteria["limits"] = {"3<3": rng.uniform(0.2, 0.6)}
    if rng.random() < 0.4:
        criteria["model"] = str(rng.choice(["scorecard", "linear", "additive"]))
    return criteria


@pytest.fixture(scope="module")
def searched():
    """Return searches for classes 1 to 3, and for classes of text with weights and groups."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 2)).round(3), columns=["size", "age"])
    noise = rng.logistic(scale=0.4, size=len(X))
    codes = np.digitize(X["size"] + noise, [-0.4, 0.9])
    table = X.assign(town=np.where(np.arange(len(X)) % 2, "Bonn", "Cork"))
    roles = {
        "sample_weight": rng.uniform(0.5, 2.0, len(X)),
        "groups": np.arange(len(X)) // 2,
    }
    fitted = []
    for labels, fit in (([1, 2, 3], {}), (["low", "mid", "high"], roles)):
        search = ParetoSearch(
            n_particles=10, n_iterations=2, cv=2, n_jobs=1, random_state=1
        )
        y = pd.Categorical.from_codes(codes, labels, ordered=True)
        selector = search.fit(X, y, **fit).selector_
        selector.own_candidates = ["scorecard", "linear", "additive"]
        fitted.append(selector)
    return fitted, table


@pytest.fixture(
    scope="module",
    params=[
        *CRITERIA,
        *(pytest.param(name, marks=pytest.mark.slow) for name in (*SLOW, *DRAWN)),
    ],
)
def result(request, searched):
    """Return a selected model, the report and criteria of its selection, and its selector."""
    selectors, table = searched
    selector = selectors[request.param == "text"]
    if request.param in DRAWN:
        criteria = drawn_criteria(DRAWN.index(request.param))
    else:
        criteria = dict((CRITERIA | SLOW)[request.param])
    if criteria["costs"] == "rows":
        distances = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
        sizes = 4.0 + table["age"].to_numpy()
        criteria["costs"] = Costs(cost_matrix=sizes[:, None, None] * distances)
    model = selector.select(**criteria, by=table[["town"]])
    groups = {"town": model.evidence.group_estimates(table["town"])}
    return model, report(model.evidence, groups), groups, criteria, selector


def test_intervals_of_a_mean_cost_end_at_the_greatest_cost(searched):
    (selector, _), _ = searched
    evidence = selector.select(**COSTS).evidence
    evidence = replace(evidence, losses=dict.fromkeys(evidence.losses, 9.9))
    assert evidence.expected_interval[2] == 10.0
    heads, *lines = report(evidence).candidates.table
    assert all(" to 10.0" in line[heads.index("mean cost (95 %)")] for line in lines)


def numbers_in(text):
    return [float(n) for n in re.findall(r"-?[\d.]+(?:e-?\d+)?", text.replace(",", ""))]


def words_of_html(page):
    """Return the words of a page, without its tags."""
    return words_of(unescape(re.sub("<[^>]*>", " ", page)))


@pytest.mark.checks("Files, exports and pages", "all outputs of one result")
def test_every_output_has_the_same_headline_figures_and_comparisons(result, capsysbinary):
    model, reported, groups, *_ = result
    evidence = model.evidence
    card = summarise(model, predicts="value", reported=reported)
    terminal = Terminal()
    terminal.results.width = 500
    print_selection(model, reported, terminal)
    printed = words_of(capsysbinary.readouterr().out.decode())
    terminal.print_json(record_of_selection(model, groups))
    record = json.loads(capsysbinary.readouterr().out)
    summaries = [
        words_of_html(card_page(card, ".html")),
        words_of(card_page(card, ".txt")),
        words_of(card_page(card, ".md").replace(" | ", " ")),
    ]
    outputs = [printed, *summaries]
    notebook = words_of_html(evidence._repr_html_())

    assert record["headline"] == card.headline == reported.headline
    for sentence in reported.headline:
        assert all(words_of(sentence) in output for output in [*outputs, notebook])
    # "It" would be the model that begins the sentence.
    assert not any(": it " in sentence for sentence in reported.headline[1:])
    # Values of candidates and their comparison with the selected one.
    decimals = decimals_of(evidence.candidates["std_error"])
    values = columns_of(reported.candidates.table, "model", evidence.loss.heading)[1:]
    assert len(values) == len(record["candidates"])
    assert {bar.shown for bar in card.picture} <= {value for _, value in values}
    for name, value in values:
        row = record["candidates"][name]
        # The value with the ends of its interval, of Student's t over clusters.
        half = row["std_error"] * t.ppf(0.975, len(evidence.chosen.cv_loss[1]) - 1)
        center = row[evidence.value]
        least = 0.0 if evidence.value == "cost" else -np.inf
        expected = [center, max(least, center - half), center + half]
        assert numbers_in(value) == pytest.approx(expected, abs=0.51 * 10.0**-decimals)
        assert all(words_of(value) in output for output in [*outputs, notebook])
    assert record["expected"] == pytest.approx(evidence.expected)
    shown = evidence.candidates[evidence.value]
    assert shown[evidence.selected] == pytest.approx(evidence.expected)
    savings = savings_of(reported)
    # in percent
    scale, margin = (100.0, 0.51) if evidence.value == "cost" else (1.0, 0.01)
    for name, paired in record["differences"].items():
        saving = savings[name]
        figures = [scale * paired[key] for key in ("estimate", "low", "high")]
        assert numbers_in(saving) == pytest.approx(figures, rel=0.06, abs=margin)
        assert all(words_of(saving) in output for output in [*outputs, notebook])
        # It is the difference of the two values shown.
        value, other = shown[evidence.selected], shown[name]
        gain = 1.0 - value / other if evidence.value == "cost" else value - other
        assert paired["estimate"] == pytest.approx(gain)
    # Groups, limits and findings.
    for section in reported.groups:
        for row in section.table[1:]:
            assert all(words_of(" ".join(row)) in output for output in outputs)
    for sentence in [*reported.criteria.sentences, *reported.findings.sentences]:
        assert all(words_of(sentence) in output for output in outputs)


def test_a_notebook_shows_the_value_before_the_correction_for_selection(rng):
    X, y = rng.normal(size=(90, 1)), rng.integers(0, 3, 90)
    guesses = {
        f"guess {seed}": DummyClassifier(strategy="stratified", random_state=seed)
        for seed in range(8)
    }
    evidence = compare(guesses, X, y, cv=3, random_state=0)
    words = words_of_html(evidence._repr_html_())
    pattern = r"Not corrected: ([\d.]+), optimistic for the best of 8"
    value = float(re.search(pattern, words)[1])
    costs = np.abs(evidence.predicted[evidence.selected].sort_index() - y)
    assert value == pytest.approx(costs.mean(), abs=0.01)
    assert value < evidence.expected - 0.01


@pytest.mark.slow
def test_the_page_shows_the_report_until_its_settings_change(result, show):
    model, reported, _, criteria, selector = result
    costs, limits = criteria["costs"], criteria.get("limits", {})
    if costs is None or model.evidence.value != "cost" or costs.by_row:
        pytest.skip("a page has costs of classes")
    if any(" by " in words for words in limits):
        pytest.skip("a page has no limits in groups")
    document = result_of(reported, model.evidence, "model.npz")
    tab = show(make_page(selector, costs=costs, limits=limits, result=document))

    def shows_report():
        settle(tab)
        shown = words_of(tab.inner_text("body"))
        _, *rows = columns_of(reported.candidates.table, *document["heads"])
        sentences = [
            *reported.headline,
            *reported.criteria.sentences,
            *reported.findings.sentences,
        ]
        lines = [*sentences, *map(" ".join, rows), "wrote this model to model.npz"]
        return [words_of(line) in shown for line in lines]

    assert all(shows_report())
    np.testing.assert_allclose(
        counts_shown(tab), model.evidence.confusion, rtol=0.01, atol=0.5
    )
    if costs.cost_matrix is not None:
        return  # a table of costs is in place of the sliders
    tab.locator(".slider input[type=number]").first.fill("3")
    settle(tab)
    assert reported.headline[0] not in tab.inner_text("body")
    assert "not corrected for model selection" in tab.inner_text("#verdicts")
    tab.locator(".slider input[type=number]").first.fill("1")
    assert all(shows_report())
    others = {*model.evidence.candidates.index} - {model.evidence.selected}
    select_candidate(tab, min(others & {"additive", "linear", "proportional odds"}))
    assert reported.headline[0] not in tab.inner_text("body")


def savings_of(reported):
    """Return the saving of each model that is compared with the selected one."""
    heading, *rows = reported.candidates.table
    (column,) = (j for j, name in enumerate(heading) if name.endswith("ed (95 %)"))
    return {row[0]: row[column] for row in rows}


def linear_evidence(X, y, **limits):
    search = ParetoSearch(n_iterations=2, cv=None, random_state=0).fit(X, y)
    return search.select([1, 1, 2], model="linear", **limits).evidence


def test_a_model_that_costs_as_much_as_a_constant_class_is_not_called_better():
    starts = set()
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 2))
        evidence = linear_evidence(X, rng.choice(3, 60, p=[0.5, 0.3, 0.2]))
        sentence, *_ = report(evidence).headline
        costs = evidence.candidates["cost"]
        is_worse = costs["linear"] >= costs["always one class"]
        assert (" is no better than no model (" in sentence) == is_worse
        starts.add(is_worse)
    assert True in starts


def test_a_constant_class_that_exceeds_limits_at_both_ends_is_named_so():
    X, y = ordinal_table(200)
    evidence = linear_evidence(X, y, limits={"0>0": 0.4, "2<2": 0.4})
    sentence, *_ = report(evidence).headline
    assert " without a model, which exceeds the limits): it saves" in sentence


def test_the_simplest_model_that_does_not_differ_beyond_chance_is_named(searched):
    (selector, _), _ = searched
    is_named = set()
    for seed in range(8):
        costs = drawn_criteria(seed)["costs"]
        evidence = selector.select(costs).evidence
        equal = []
        for name in ("scorecard", "linear", "additive"):
            gain = evidence.differences.get(name)  # None: not fitted, or the selected one
            if name == evidence.selected:
                break
            if gain is not None and gain.low <= 0.0 <= gain.high:
                equal.append(name)
        words = " ".join(report(evidence).headline)
        named = re.findall(r"The (\w+) model \([\d.,]+\) is simpler", words)
        assert named == equal[:1]
        is_named |= {bool(named)}
    assert is_named == {True, False}
