"""What the page says of new data is what the command line and Python select."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.report import make_page, select_for_settings
from moselect.storage import read_model

LABELS = ("low", "mid", "high")


@pytest.fixture(scope="module")
def prepared():
    """Return a search that held samples out, its rows, and the page with figures for new data."""
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(90, 3)), columns=["age", "kg", "cm"])
    score = X["age"] - X["kg"] + rng.normal(size=90)
    y = np.array(LABELS)[np.digitize(score, [-0.7, 0.8])]
    settings = {"n_iterations": 3, "n_particles": 20, "cv": 3, "holdout": 0.2}
    search = ParetoSearch(**settings, labels=LABELS, random_state=1).fit(X, y)
    selector = search.selector(search.front_, X, y)
    known = select_for_settings(selector, {"name": "made up"})
    inside, labels = selector.data.X, selector.data.classes[selector.data.codes]
    page = make_page(search.front_, inside, labels, run="runs/one", new_data=known)
    return search, X, y, known, page


def number(text):
    return float(text.replace("\N{MINUS SIGN}", "-"))


def shown(tab, place):
    return [float(text) for text in re.findall(r"-?\d+\.?\d*", tab.inner_text(place))]


def downloaded(tab, path):
    with tab.expect_download() as got:
        tab.get_by_role("button", name="Download model.json").click()
    got.value.save_as(path)
    return json.loads(path.read_text(encoding="utf-8"))


def test_figures_of_settings_are_those_of_the_selected_models(prepared):
    search, X, y, known, _ = prepared
    outside = search.holdout_rows_
    assert len(outside) > 0
    models = known.models
    for i, each in enumerate(known.selections):
        by_preference = each.preferences is not None
        model = (
            search.select(preferences=each.preferences or None)
            if by_preference
            else search.select(each.class_costs, loss=each.loss)
        )
        rules = model.evidence.rules
        expected, error, _, training = rules.loc["selected"]
        assert (each.value, each.training) == (expected, training)
        np.testing.assert_allclose(np.diff(each.interval), 2 * 1.959964 * error)
        assert {name: rival.value for name, rival in each.rivals.items()} == (
            rules["cross-validated"].drop("selected").dropna().to_dict()
        )
        np.testing.assert_array_equal(each.confusion, model.evidence.confusion)
        found = [
            table.iloc[i]
            for table in (models.expected, models.expected_se, models.holdout, models.objectives)
        ]
        np.testing.assert_allclose(found, model.evidence.objectives[models.objectives.columns])
        np.testing.assert_array_equal(models[i].coef_, model.coef_)
        if by_preference:
            assert each.held_out is None
            continue
        paid = model.evidence.costs.matrix[
            [LABELS.index(label) for label in y[outside]],
            [LABELS.index(label) for label in model.predict(X.iloc[outside])],
        ]
        assert each.held_out == pytest.approx(paid.mean())
    assert sum(each.preferences is not None for each in known.selections) == 3
    costs = [(each.class_costs, each.loss) for each in known.selections if each.class_costs]
    assert costs[:3] == [([1, 1, 1], loss) for loss in ("absolute", "squared", "zero_one")]
    one_dearer = [
        np.where(np.arange(3) == c, factor, 1).tolist() for c in range(3) for factor in (3, 10)
    ]
    assert costs[3:] == [(each, "absolute") for each in one_dearer]


@pytest.mark.slow
def test_any_number_of_processes_selects_the_same_models(prepared):
    search, X, y, known, _ = prepared
    selector = search.selector(search.front_, X, y)
    again = select_for_settings(selector, {"name": "made up"}, n_jobs=2)
    for one, other in zip(known.selections, again.selections, strict=True):
        assert one.document == other.document
        assert (one.value, one.interval, one.rivals) == (other.value, other.interval, other.rivals)
    pd.testing.assert_frame_equal(known.models.expected, again.models.expected)


def test_the_page_opens_with_the_figure_for_new_data(prepared, show, tmp_path):
    search, X, _, _, page = prepared
    tab = show(page)
    model = search.select([1, 1, 1])
    expected = model.evidence.rules.loc["selected", "cross-validated"]
    assert shown(tab, "#chosen-cost") == [pytest.approx(expected, rel=1e-3)]
    assert "expected cost on new data, 95 % interval" in tab.inner_text("#cost-where")
    rivals = tab.locator("#scale").inner_text()
    for name in ("proportional odds", "always one class", "best member"):
        assert f"{name}, cross-validated" in rivals
    assert "On held-out samples it costs" in tab.inner_text("#chosen-note")
    assert tab.inner_text("#confusion-title").startswith("What it predicts on new data")
    counts = [int(cell) for cell in tab.locator("#confusion td").all_inner_texts()]
    assert counts == model.evidence.confusion.to_numpy().ravel().tolist()
    # the measures and weights shown are those of the very model that is downloaded
    vus, error, _, training = model.evidence.objectives["vus"]
    line = tab.locator("#objective-values tr", has_text="VUS")
    assert [float(text) for text in re.findall(r"\d\.\d+", line.inner_text())[:3]] == (
        pytest.approx([vus, 1.96 * error, training], abs=1e-4)
    )
    good = tab.locator("#goodness li", has_text="VUS").inner_text()
    times = f"{vus / search.front_.chance['vus']:.2g} times as many as by chance"
    assert f"{100 * vus:.2g} come in the right order, {times}" in good
    weights = tab.locator("#weights tbody tr")
    shown_weights = {
        line.locator("th").inner_text(): number(line.locator("td").last.inner_text())
        for line in weights.all()
    }
    given = dict(zip(["age", "kg", "cm"], model.coef_, strict=True))
    assert shown_weights == pytest.approx(given, rel=1e-4)
    about = downloaded(tab, tmp_path / "model.json")["about"]
    assert about["expected_cost"] == expected
    np.testing.assert_array_equal(read_model(tmp_path / "model.json").predict(X), model.predict(X))


def test_a_preference_is_chosen_with_its_command_and_survives_in_the_address(
    prepared, show, tmp_path
):
    search, X, _, _, page = prepared
    tab = show(page)
    tab.select_option("#setting", label="VUS alone")
    model = search.select(preferences={"vus": 1.0})
    value = model.evidence.rules.loc["selected", "cross-validated"]
    assert shown(tab, "#chosen-cost") == [pytest.approx(value, rel=1e-3)]
    assert "utility on new data" in tab.inner_text("#cost-where")
    assert tab.inner_text("#command") == "moselect select runs/one --prefer vus=1"
    downloaded(tab, tmp_path / "model.json")
    given = read_model(tmp_path / "model.json")
    np.testing.assert_array_equal(given.predict(X), model.predict(X))
    tab.wait_for_timeout(800)  # the address follows after a pause
    assert "setting" in tab.evaluate("location.hash")
    tab.reload()
    tab.wait_for_selector("html[data-ready]", state="attached")
    assert "utility" in tab.inner_text("#cost-where")
    tab.select_option("#setting", label="All objectives weigh the same")
    assert tab.inner_text("#command") == "moselect select runs/one"
    tab.get_by_role("slider").first.fill("2")  # costs take the place of preferences
    assert "--class-costs 2,1,1" in tab.inner_text("#command")


def test_off_the_grid_the_nearest_setting_is_named_and_the_member_is_said_to_be_one(
    prepared, show, tmp_path
):
    search, _, _, _, page = prepared
    tab = show(page)
    tab.get_by_role("slider").nth(2).fill("4")
    assert tab.inner_text("#chosen-kind").startswith("Cheapest in training")
    assert "mean cost in training" in tab.inner_text("#cost-where")
    nearest = tab.inner_text("#nearest-text")
    assert "not yours: Class high costs 3 times as much" in nearest
    assert "of the front as shown" in tab.inner_text("#download-note")
    assert "front_index" in downloaded(tab, tmp_path / "model.json")["about"]
    command = "moselect select runs/one --class-costs 1,1,4 --loss absolute"
    assert tab.inner_text("#command") == command
    tab.get_by_role("button", name="Take that setting").click()
    value = search.select([1, 1, 3]).evidence.rules.loc["selected", "cross-validated"]
    assert shown(tab, "#chosen-cost") == [pytest.approx(value, rel=1e-3)]
    assert "is the model selected for this setting" in tab.inner_text("#download-note")


def test_the_selected_model_stays_within_limits_that_it_meets_on_new_data(prepared, show, tmp_path):
    search, X, _, _, page = prepared
    evidence = search.select([1, 1, 1]).evidence
    vus, _, _, training = evidence.objectives["vus"]
    confusion = evidence.confusion.to_numpy()
    called_lower = confusion[2, :2].sum() / confusion[2].sum()
    tab = show(page)
    verdicts = [f"{verdict[0].upper()}{verdict[1:]}." for verdict in evidence.verdicts]
    told = tab.locator("#verdicts li").all_inner_texts()
    assert [text.replace("\N{MINUS SIGN}", "-") for text in told] == verdicts

    add_limit(tab, "VUS", np.floor(1000 * vus) / 1000)
    add_limit(tab, "share of a class …", np.ceil(1000 * called_lower) / 10)
    assert tab.inner_text("#chosen-kind") == "Best for new data, within the limits"
    assert [chip.count("met on new data") for chip in chips(tab)] == [1, 1]
    downloaded(tab, tmp_path / "model.json")
    given = read_model(tmp_path / "model.json")
    np.testing.assert_array_equal(given.predict(X), search.select([1, 1, 1]).predict(X))

    between = (vus + training) / 2  # met in training, but not on new data
    assert vus < between < training
    add_limit(tab, "VUS", between)
    assert tab.inner_text("#chosen-kind").startswith("Cheapest in training, within the limits")
    note = tab.inner_text("#chosen-note")
    assert f"is not within the limits: VUS {vus:.4g} there" in note
    outside = tab.locator("#scale li", has_text="outside the limits")
    value = evidence.rules.loc["selected", "cross-validated"]
    assert number(outside.locator(".value").inner_text()) == pytest.approx(value, rel=1e-2)
    tab.get_by_role("button", name="Clear all").click()
    assert tab.inner_text("#chosen-kind") == "Best for new data"


def add_limit(tab, what, value):
    tab.select_option("#limit-what", label=what)
    tab.fill("#limit-value", str(value))
    tab.get_by_role("button", name="Add", exact=True).click()


def chips(tab):
    return tab.locator("#chips li").all_inner_texts()


def test_the_selected_model_is_pinned_and_restored_by_the_address(prepared, show):
    search, _, _, _, page = prepared
    tab = show(page)
    selected = search.select([1, 1, 1]).evidence.objectives["vus"]
    tab.get_by_role("button", name="Pin to compare").click()
    tab.select_option("#setting", label="Class mid costs 10 times as much")
    named = (
        "The model selected for “All classes cost the same” (pinned) and the model selected for "
        "“Class mid costs 10 times as much” (chosen)"
    )
    assert tab.inner_text("#compared") == named
    line = tab.locator("#compared-measures tr", has_text="VUS").locator("td").first.inner_text()
    assert float(line.split()[0]) == pytest.approx(selected["cross-validated"], abs=1e-4)
    tab.wait_for_timeout(800)  # the address follows after a pause
    again = show(page, address=tab.evaluate("location.hash"))
    assert again.inner_text("#compared") == named


def test_models_not_told_apart_are_counted(make_front, show):
    front = make_front(60, LABELS)
    for error, words in ((0.05, "Of 59 other models, {} cannot be"), (1.0, "None of the 59 other")):
        spread = front.objectives * 0 + error
        tab = show(make_page(replace(front, expected=front.objectives, expected_se=spread)))
        index = int(tab.inner_text("#chosen-kind").split()[-1])
        values = front.objectives.to_numpy()
        reach = 1.96 * error * np.sqrt(2)
        count = (np.abs(values - values[index]) <= reach).all(axis=1).sum() - 1
        assert (count == 59) == (error == 1.0)
        assert tab.inner_text("#alike").startswith(words.format(count))


def test_axes_show_the_noise(prepared, show):
    _, _, _, _, page = prepared
    tab = show(page)
    tab.locator("#rows tr:visible button").first.click()
    before = tab.evaluate(PIXELS)
    tab.get_by_label("axes at the scale of noise").check()
    tab.wait_for_timeout(800)  # the address follows after a pause
    assert "axes=noise" in tab.evaluate("location.hash")
    assert tab.evaluate(PIXELS) != before
    tab.get_by_role("button", name="Undo").click()
    tab.wait_for_timeout(300)
    assert tab.evaluate(PIXELS) == before


PIXELS = "document.querySelector('#matrix canvas').toDataURL()"
