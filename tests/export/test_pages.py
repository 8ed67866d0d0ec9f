import html
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix

from moselect import ParetoSearch
from moselect.datasets import load_boston
from moselect.export import export_model, summarise
from moselect.export.exporting import card_page
from moselect.predictor import ModelCard, OrdinalLinearClassifier
from moselect.predictor.card import Section
from moselect.report.sections import report

SCRIPT = '<script>alert("x")</script>'


@pytest.fixture(scope="module")
def selected():
    """Return a linear model of a table whose lowest class costs most, and the table."""
    X, y = load_boston()
    X = X.assign(town=np.where(np.arange(len(X)) % 2, "Bonn", "Cork"))
    search = ParetoSearch(n_iterations=2, cv=2, random_state=1).fit(X, y)
    return search.select(class_costs=[9, 1, 1, 1, 1], model="linear"), y


def table_of(card, title):
    sections = card.sections + card.details
    (section,) = (section for section in sections if section.title == title)
    heading, *rows = section.table
    return pd.DataFrame(rows, columns=heading).set_index(heading[0])


@pytest.mark.slow
def test_the_summary_has_the_counts_of_the_out_of_fold_predictions(selected):
    model, y = selected
    evidence = model.evidence
    groups = {"town": evidence.group_estimates("town")}
    card = summarise(model, predicts="value", reported=report(evidence, groups))
    predicted = evidence.predicted["linear"].to_numpy()
    truth = y.to_numpy()
    counts = confusion_matrix(truth, predicted)
    found, *missed = counts[0]
    expected = (
        f"Finds {found} of {counts[0].sum()} cases of class 1, misses {sum(missed)}; "
    )
    assert card.headline[-1].startswith(f"{expected}{counts[1:, 0].sum()} ")
    # The saving is the difference of the two costs beside it, in costs of 1,000 cases.
    cost, constant, saved = re.search(
        r"\((.+) per case, (.+) without a model\): it saves ([\d,]+) ", card.headline[0]
    ).groups()
    saving = 1000 * (float(constant) - float(cost))
    assert float(saved.replace(",", "")) == pytest.approx(saving, abs=15)
    shown = table_of(card, "Confusion matrix").drop(columns="recall").astype(int)
    np.testing.assert_array_equal(shown, counts)
    by_town = table_of(card, "By town")
    for name, rows in (("Bonn", slice(1, None, 2)), ("Cork", slice(0, None, 2))):
        is_low = truth[rows] == 1
        share = float(by_town["missed 1, % (95 %)"][name].split()[0])
        expected = 100 * (predicted[rows][is_low] != 1).mean()
        assert share == pytest.approx(expected, abs=0.6)
    influences = table_of(card, "What the model looks at")
    # Poor quarters (LSTAT) lower the class, rooms (RM) raise it.
    assert influences["direction"]["LSTAT"] == "higher values: lower class"
    assert influences["direction"]["RM"] == "higher values: higher class"


def test_names_of_users_stay_text():
    names = [SCRIPT, "a\nLIMITS\n- none", "{{ 7 * 7 }}", "&lt;", "\u202eb\x1b[31m"]
    table = [["column", "read as"], *([name, name] for name in names)]
    section = Section("How columns were read", names, table)
    card = ModelCard(predicts=SCRIPT, n_rows=2, headline=names, sections=[section])
    page = card_page(card, ".html")
    assert "<script" not in page
    shown = html.unescape(re.sub("<[^>]*>", " ", page))
    assert SCRIPT in shown
    assert "&lt;" in shown
    for text in (shown, card_page(card, ".txt"), card_page(card, ".md")):
        assert "{{ 7 * 7 }}" in text
        assert "a LIMITS - none" in text
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_a_workbook_has_the_sections_of_the_card_with_numbers_as_numbers(tmp_path):
    table = [["row", "was", "cost"], ["=1+1", "a", "1,250"], ["007", "b", "3.5"]]
    section = Section("Costs: a/b", ["Five rows."], table)
    card = ModelCard(predicts="risk", n_rows=2, headline=["Use it."], details=[section])
    model = OrdinalLinearClassifier([2.0], [3.0], ["a", "b"], ["speed"])
    export_model(model, tmp_path / "card.xlsx", card=card)
    sheets = pd.read_excel(tmp_path / "card.xlsx", sheet_name=None, engine="openpyxl")
    assert sheets["Summary"]["risk"].tolist() == ["Use it.", "Five rows."]
    costs = sheets["Costs  a b"]
    assert costs["cost"].tolist() == [1250, 3.5]
    assert costs["row"].tolist() == ["=1+1", "007"]  # no formula, no number
    export_model(model, tmp_path / "card.md", card=card)
    assert "| =1+1 | a | 1,250 |" in (tmp_path / "card.md").read_text()
