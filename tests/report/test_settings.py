"""What the page says of new data is what the command line and Python select."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from moselect.report import make_page, select_for_settings
from moselect.storage import read_model
from tests.report.conftest import add_limit, chosen, downloaded, press


@pytest.fixture(scope="module")
def page(selected):
    search, X, y, known = selected
    data = search.selector(search.front_, X, y).data
    labels = data.classes[data.codes]
    return make_page(search.front_, data.X, labels, run="runs/one", selected=known)


@pytest.fixture(scope="module")
def model(selected):
    """Return the model that the page opens with, as Python selects it."""
    return selected[0].select([1, 1, 1], kind="linear")


def plain(text):
    return text.replace("\N{MINUS SIGN}", "-")


def shown(tab, place):
    return [float(text) for text in re.findall(r"-?\d+\.?\d*", tab.inner_text(place))]


def test_figures_of_settings_are_those_of_the_selected_models(selected):
    search, _, _, known = selected
    models = known.models
    assert len(search.holdout_rows_) > 0
    for i, each in enumerate(known.settings):
        model = search.select(each["class_costs"], loss=each["loss"], kind="linear")
        rules = model.evidence.rules
        of_selected = rules.loc["linear"]
        assert each["value"] == of_selected["new data"]
        assert each["training"] == of_selected["training"]
        reach = 2 * 1.959964 * of_selected["standard error"]
        np.testing.assert_allclose(np.diff(each["interval"]), reach)
        assert {rival["name"]: rival["value"] for rival in each["rivals"]} == (
            rules["new data"].drop("linear").dropna().to_dict()
        )
        np.testing.assert_array_equal(each["confusion"], np.ravel(model.evidence.confusion))
        tables = (models.expected, models.expected_se, models.holdout, models.objectives)
        found = [table.iloc[i] for table in tables]
        np.testing.assert_allclose(found, model.evidence.objectives[models.objectives.columns])
        np.testing.assert_array_equal(models[i].coef_, model.coef_)
    costs = [(each["class_costs"], each["loss"]) for each in known.settings]
    assert costs[:3] == [([1, 1, 1], loss) for loss in ("absolute", "squared", "zero_one")]
    dearer = [np.where(np.arange(3) == c, factor, 1) for c in range(3) for factor in (3, 10)]
    assert costs[3:] == [(each.tolist(), "absolute") for each in dearer]


@pytest.mark.slow
def test_any_number_of_processes_selects_the_same_models(selected):
    search, X, y, known = selected
    selector = search.selector(search.front_, X, y)
    again = select_for_settings(selector, {"name": "made up"}, n_jobs=2)
    assert again.settings == known.settings
    pd.testing.assert_frame_equal(known.models.expected, again.models.expected)


def test_the_page_opens_with_the_figure_for_new_data(selected, model, page, show, tmp_path):
    search, X, _, _ = selected
    evidence = model.evidence
    tab = show(page)
    expected = evidence.rules.loc["linear", "new data"]
    assert shown(tab, "#chosen-cost") == [pytest.approx(expected, rel=1e-3)]
    assert "expected cost on new data, 95 % interval" in tab.inner_text("#cost-where")
    rivals = tab.inner_text("#scale")
    for name in ("proportional odds", "always one class", "best member"):
        assert f"{name}, cross-validated" in rivals
    told = tab.locator("#verdicts li").all_inner_texts()
    verdicts = [f"{verdict[0].upper()}{verdict[1:]}." for verdict in evidence.verdicts]
    assert list(map(plain, told)) == verdicts
    assert tab.inner_text("#confusion-title").startswith("What it predicts on new data")
    counts = [int(cell) for cell in tab.locator("#confusion td").all_inner_texts()]
    assert counts == evidence.confusion.to_numpy().ravel().tolist()
    # the measures and weights shown are those of the very model that is downloaded
    vus, error, _, training = evidence.objectives["vus"]
    line = tab.locator("#objective-values tr:has(th)", has_text="VUS")
    assert [float(text) for text in re.findall(r"\d\.\d+", line.inner_text())[:3]] == (
        pytest.approx([vus, 1.96 * error, training], abs=1e-4)
    )
    times = f"{vus / search.front_.chance['vus']:.2g} times as many draws"
    assert times in tab.inner_text("#objective-values")
    weights = {
        line.locator("th").inner_text(): float(plain(line.locator("td").last.inner_text()))
        for line in tab.locator("#weights tbody tr").all()
    }
    assert weights == pytest.approx(dict(zip(X, model.coef_, strict=True)), rel=1e-4)
    assert downloaded(tab, tmp_path)["about"]["expected_cost"] == expected
    np.testing.assert_array_equal(read_model(tmp_path / "model.json").predict(X), model.predict(X))


def test_off_the_grid_the_member_is_said_to_be_one(selected, page, show, tmp_path):
    tab = show(page)
    tab.get_by_role("slider").nth(2).fill("4")
    assert tab.inner_text("#chosen-kind").startswith("Cheapest in training")
    assert "mean cost in training" in tab.inner_text("#cost-where")
    assert "front_index" in downloaded(tab, tmp_path)["about"]
    command = "moselect select runs/one --class-costs 1,1,4 --loss absolute"
    assert tab.inner_text("#command") == command
    tab.select_option("#setting", label="Class high costs 3 times as much")
    rules = selected[0].select([1, 1, 3], kind="linear").evidence.rules
    expected = pytest.approx(rules.loc["linear", "new data"], rel=1e-3)
    assert shown(tab, "#chosen-cost") == [expected]
    assert "expected_cost" in downloaded(tab, tmp_path)["about"]


def test_the_selected_model_stays_within_limits_met_on_new_data(selected, model, page, show):
    vus = model.evidence.objectives.loc["new data", "vus"]
    most = selected[0].front_.objectives["vus"].max()
    confusion = model.evidence.confusion.to_numpy()
    called_lower = confusion[2, :2].sum() / confusion[2].sum()
    tab = show(page)
    add_limit(tab, "VUS", "at least", np.floor(1000 * vus) / 1000)
    add_limit(tab, "share of a class …", "at most", np.ceil(1000 * called_lower) / 10)
    assert tab.inner_text("#chosen-kind") == "Best for new data, within the limits"
    chips = tab.locator("#chips li").all_inner_texts()
    assert [chip.count("met on new data") for chip in chips] == [1, 1]

    between = (vus + most) / 2  # met in training by others, but not on new data
    assert vus < between < most
    add_limit(tab, "VUS", "at least", between)
    assert tab.inner_text("#chosen-kind").startswith("Cheapest in training, within the limits")
    assert f"is not within the limits: VUS {vus:.4g} there" in tab.inner_text("#chosen-note")
    press(tab, "Clear all")
    assert tab.inner_text("#chosen-kind") == "Best for new data"


def test_the_selected_model_is_pinned_and_restored_by_the_address(model, page, show):
    tab = show(page)
    press(tab, "Pin to compare")
    tab.select_option("#setting", label="Class mid costs 10 times as much")
    named = (
        "The model selected for “All classes cost the same” (pinned) and the model selected for "
        "“Class mid costs 10 times as much” (chosen)"
    )
    assert tab.inner_text("#compared") == named
    line = tab.locator("#compared-measures tr", has_text="VUS").locator("td").first.inner_text()
    expected = model.evidence.objectives.loc["new data", "vus"]
    assert float(line.split()[0]) == pytest.approx(expected, abs=1e-4)
    tab.wait_for_timeout(800)  # the address follows after a pause
    again = show(page, address=tab.evaluate("location.hash"))
    assert again.inner_text("#compared") == named


@pytest.mark.parametrize("error", [0.05, 1.0])
def test_models_not_told_apart_are_counted(make_front, show, error):
    front = make_front(60)
    spread = front.objectives * 0 + error
    tab = show(make_page(replace(front, expected=front.objectives, expected_se=spread)))
    index, values = chosen(tab), front.objectives.to_numpy()
    near = np.abs(values - values[index]) <= 1.96 * error * np.sqrt(2)
    count = near.all(axis=1).sum() - 1
    assert (count == 59) == (error == 1.0)
    words = f"Of 59 other models, {count} cannot be told apart from model {index}"
    assert tab.inner_text("#alike").startswith(words)
