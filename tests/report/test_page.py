"""The page in a real browser: it does what Python does, and nothing that its data tell it to."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.decision import Costs, cost_matrix
from moselect.models import contributions
from moselect.report import make_page
from moselect.storage import read_model
from tests.report.conftest import CLASSES, add_limit, chosen, downloaded, press, set_costs

HOSTILE = "<img src=x onerror=\"document.title='hacked'\"><b>bold</b></script><script>alert(1)//"
PARTS = ("#chosen-kind", "#chosen-cost", "#chips", "#compared", "#objective-values")
MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"


def cost(tab):
    return float(tab.inner_text("#chosen-cost"))


def confusion(tab, table="#confusion"):
    lines = tab.locator(f"{table} tbody tr").all()
    return [
        [int(cell.replace(",", "")) for cell in line.locator("td").all_inner_texts()]
        for line in lines
    ]


def all_cuts(scores):
    ascending = np.unique(scores)
    ends = [ascending[0] - 1, *(0.5 * (ascending[1:] + ascending[:-1])), ascending[-1] + 1]
    return ((low, high) for a, low in enumerate(ends) for high in ends[a:])


def least_cost(matrix, codes, scores):
    """Try every partition of the rows along every score, the slow, obvious way."""
    return min(
        matrix[codes, np.searchsorted(cuts, each, side="left")].mean()
        for each in scores.T
        for cuts in all_cuts(each)
    )


COSTS = [
    ([1, 1, 1], "absolute", "1, 2, 3"),
    ([0.1, 0.1, 10], "squared", "1, 4, 9"),
    ([9.7, 0, 0.1], "zero_one", "always 1"),
    ([0.1, 8.3, 0], "absolute", "1, 2, 3"),
]


def test_without_data_sliders_choose_the_model_that_python_chooses(make_front, show, tmp_path):
    front = make_front(150, holdout=True)
    tab = show(make_page(front))
    found = set()
    for costs, loss, name in COSTS:
        set_costs(tab, costs, name)
        index = front.cheapest(Costs(costs, loss))
        found.add(index)
        assert chosen(tab) == index
        expected = front.training_costs(Costs(costs, loss))
        assert cost(tab) == pytest.approx(expected[index], rel=1e-3)
        np.testing.assert_array_equal(confusion(tab), front.confusions[index])
        about = downloaded(tab, tmp_path)["about"]
        assert about["training_cost"] == expected[index]  # to the last bit
        assert about["front_index"] == index
    assert len(found) == len(COSTS)


@pytest.mark.slow
def test_thresholds_are_solved_for_the_costs(searched, searched_page, show, tmp_path):
    front, X, y = searched
    codes = np.searchsorted(front.classes, y)
    tab = show(searched_page)
    for costs, loss, name in COSTS[:3]:
        set_costs(tab, costs, name)
        matrix = cost_matrix(costs, loss)
        document = downloaded(tab, tmp_path)
        model = read_model(tmp_path / "model.json")
        predicted = np.searchsorted(front.classes, model.predict(X))
        achieved = matrix[codes, predicted].mean()
        least = least_cost(matrix, codes, X @ front.weights.T)
        assert achieved == pytest.approx(least, abs=1e-12)
        assert document["about"]["training_cost"] == pytest.approx(least, abs=1e-12)
        assert cost(tab) == pytest.approx(least, rel=1e-3)
        np.testing.assert_array_equal(
            confusion(tab), np.bincount(codes * 3 + predicted, minlength=9).reshape(3, 3)
        )


def test_no_choice_is_dearer_than_with_the_thresholds_of_the_search(show):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(400, 3))  # more rows than the page has cuts
    y = np.digitize(X[:, 0] + rng.normal(size=400), [-1.0, 0.0, 1.5])
    front = ParetoSearch(n_iterations=5, cv=None, random_state=1).fit(X, y).front_
    tab = show(make_page(front, X, y))
    least = front.training_costs().min()
    assert cost(tab) <= least * (1 + 1e-3)
    tab.get_by_label("Cost of class 3, exactly").fill("4")
    assert cost(tab) <= front.training_costs(Costs([1, 1, 1, 4])).min() * (1 + 1e-3)


@pytest.mark.slow
def test_priors_are_exact_and_change_nothing_if_those_of_the_data(make_front, show, tmp_path):
    front = make_front(150)
    tab = show(make_page(front))
    set_costs(tab, [1, 2, 5], "1, 2, 3")
    before = downloaded(tab, tmp_path)["about"]
    tab.get_by_text("Class shares in use differ").click()
    tab.get_by_label("weigh the classes").check()
    after = downloaded(tab, tmp_path)["about"]
    assert after["training_cost"] == before["training_cost"]
    assert after["front_index"] == before["front_index"]
    masses = front.confusions[0].sum(axis=1)
    assert after["priors"] == (masses / masses.sum()).tolist()
    for field, percent in zip(tab.locator("#priors input").all(), (90, 8, 2), strict=True):
        field.fill(str(percent))
    priors = [0.9, 0.08, 0.02]
    assert front.cheapest(Costs([1, 2, 5], priors=priors)) != front.cheapest([1, 2, 5])
    assert chosen(tab) == front.cheapest(Costs([1, 2, 5], priors=priors))
    assert "priors=[0.9, 0.08, 0.02]" in tab.inner_text("#command")
    tab.get_by_label("weigh the classes").uncheck()
    assert chosen(tab) == front.cheapest([1, 2, 5])


def test_costs_that_are_refused_leave_no_figure(make_front, show):
    front = make_front(150)
    tab = show(make_page(front))
    button = tab.get_by_role("button", name="Download model.json")
    field = tab.get_by_label("Cost of class mid, exactly")
    field.fill("-1")
    assert tab.get_by_role("alert").inner_text() == "Costs are numbers from 0 upwards."
    assert field.get_attribute("aria-invalid") == "true"
    assert tab.locator("#chosen-cost").is_hidden()
    assert button.is_hidden()
    field.fill("3")
    assert tab.get_by_role("alert").count() == 0
    assert chosen(tab) == front.cheapest([1, 3, 1])
    assert button.is_enabled()
    set_costs(tab, [0, 0, 0], "1, 2, 3")  # which Python refuses as well
    assert tab.get_by_role("alert").inner_text() == "Costs must not all be 0."
    assert button.is_hidden()


def test_every_cost_by_itself(make_front, show):
    front = make_front(150)
    tab = show(make_page(front))
    tab.get_by_text("Set every cost by itself").click()
    tab.get_by_label("Cost of calling high low").fill("25")
    matrix = cost_matrix([1, 1, 1])
    matrix[2, 0] = 25
    assert chosen(tab) == front.cheapest(Costs(cost_matrix=matrix))
    assert chosen(tab) != front.cheapest()
    assert "cost_matrix=[[0, 1, 2], [1, 0, 1], [25, 1, 0]]" in tab.inner_text("#command")
    press(tab, "Back to the sliders")
    assert chosen(tab) == front.cheapest()
    set_costs(tab, [1, 9, 1], "1, 4, 9")
    press(tab, "Reset")
    assert chosen(tab) == front.cheapest()
    assert tab.get_by_label("Cost of class mid", exact=True).input_value() == "1"


@pytest.mark.slow
def test_the_choice_is_best_within_the_limits(searched, searched_page, show):
    front, X, y = searched
    tab = show(searched_page)
    free = cost(tab)
    vus = front.objectives["vus"]
    least = round(float(vus.quantile(0.9)), 4)
    add_limit(tab, "VUS", "at least", least)
    assert vus[chosen(tab)] >= least
    within = np.flatnonzero(vus >= least)
    assert tab.inner_text("#selection") == f"{len(within)} of {len(front)} models within the limits"
    codes = np.searchsorted(front.classes, y)
    matrix = cost_matrix([1, 1, 1])
    best = least_cost(matrix, codes, X @ front.weights[within].T)
    assert cost(tab) == pytest.approx(best, rel=1e-3)
    chip = tab.locator("#chips li")
    dearer = float(chip.inner_text().split("costs +")[1].split()[0]) if best > free + 1e-9 else 0.0
    assert dearer == pytest.approx(best - free, rel=0.06, abs=2e-4)

    # by the share of a class that is called another one
    add_limit(tab, "share of a class …", "at most", 10)
    table = np.array(confusion(tab))
    assert table[2, :2].sum() / table[2].sum() <= 0.10
    assert tab.locator("#chips li").count() == 2
    assert "at most 10 % of 2 called a lower class" in tab.inner_text("#chips")
    assert chosen(tab) in rows(tab)
    tab.get_by_role("button", name="Clear: at most 10 %").click()
    assert cost(tab) == pytest.approx(best, rel=1e-3)

    add_limit(tab, "VUS", "at least", 1.5)
    assert tab.inner_text("#chosen-kind") == "No model meets all limits"
    assert tab.get_by_role("button", name="Download model.json").is_disabled()
    press(tab, "Clear all")
    assert cost(tab) == free


@pytest.mark.slow
@pytest.mark.parametrize("classes", [CLASSES, (1.0, 2.0, 3.5)])
def test_a_downloaded_model_predicts_as_the_front_does(make_front, show, tmp_path, classes):
    front = make_front(40, classes)
    tab = show(make_page(front, about={"name": "somewhere", "target": "grade"}))
    press(tab, "Model")
    press(tab, "Next")
    press(tab, "Look at model 17")
    about = downloaded(tab, tmp_path)["about"]
    model = read_model(tmp_path / "model.json")
    assert model.coef_.tolist() == front.weights[17].tolist()
    assert model.thresholds_.tolist() == front.thresholds[17].tolist()
    assert model.classes_.tolist() == list(classes)
    assert [type(label) for label in model.classes_.tolist()] == [type(c) for c in classes]
    assert about["data"] == {"name": "somewhere", "target": "grade"}
    assert about["training_cost"] == front.training_costs()[17]
    X = pd.DataFrame(np.random.default_rng(1).normal(size=(30, 3)), columns=["age", "kg", "cm"])
    X.to_csv(tmp_path / "t.csv", index=False)
    command = [Path(sys.executable).with_name("moselect"), "predict"]
    subprocess.run([*command, "model.json", "t.csv", "-o", "p.csv"], cwd=tmp_path, check=True)
    predicted = pd.read_csv(tmp_path / "p.csv")["class"]
    assert predicted.tolist() == front[17].predict(X).tolist()


def test_names_stay_text(show, make_front):
    classes = [f"{HOSTILE}{c}" for c in CLASSES]
    front = make_front(30, classes, features=(HOSTILE, "<i>kg</i>", "&lt;cm&gt;"), holdout=True)
    hostile = ["<b>bold</b>", '<a href="https://example.org">link</a>', "&lt;c", "d", "e", "f"]
    front = replace(
        front,
        objectives=front.objectives.set_axis(hostile, axis=1),
        chance=front.chance.set_axis(hostile),
    )
    about = {"name": HOSTILE, "target": HOSTILE}
    tab = show(make_page(front, about=about, run=f"'{HOSTILE}'"))
    press(tab, "Pin to compare")
    assert tab.inner_text("h1") == HOSTILE
    assert tab.title() == HOSTILE
    names = tab.locator("#weights .name").evaluate_all("all => all.map(e => e.title)")
    assert sorted(names) == sorted([HOSTILE, "<i>kg</i>", "&lt;cm&gt;"])
    titles = tab.locator("#thresholds .name").evaluate_all("all => all.map(e => e.title)")
    assert titles == classes
    assert HOSTILE in tab.inner_text("#command")
    assert tab.locator("#objectives span").all_inner_texts() == hostile
    assert tab.locator("img, b, i, [href^=https]").count() == 0


def test_a_model_is_pinned_and_compared(searched_page, show):
    tab = show(searched_page)
    press(tab, "Pin to compare")
    first, before = chosen(tab), confusion(tab)
    set_costs(tab, [1, 1, 9], "1, 4, 9")
    after = confusion(tab)
    assert before != after
    tables = [confusion(tab, f"#compared-confusions > :nth-child({k})") for k in (1, 2)]
    assert tables == [before, after]  # the pin outlives a change of costs
    words = tab.inner_text("#compared")
    assert words == f"Model {first} (pinned) and model {chosen(tab)} (chosen)"
    change = tab.locator("#compared-confusions > :nth-child(3) td").all_inner_texts()
    signs = [int(text.replace(MINUS, "-")) for text in change]
    assert signs == (np.array(after) - np.array(before)).ravel().tolist()
    assert "not known here" in tab.inner_text("#compared-note")
    press(tab, "Remove the pin")
    assert tab.locator("#comparison").is_hidden()


@pytest.mark.slow
def test_curves_are_drawn_where_models_have_them(show):
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"wave": rng.normal(size=90), "line": rng.normal(size=90)})
    y = np.digitize(np.sin(2 * X["wave"]) + 0.5 * X["line"] + 0.3 * rng.normal(size=90), [-0.5, 1])
    search = ParetoSearch(columns="splines", n_iterations=2, cv=None, random_state=1).fit(X, y)
    front = search.front_
    tab = show(make_page(front, front.columns.transform(X), y))
    press(tab, "Pin to compare")
    set_costs(tab, [1, 1, 9], "1, 4, 9")
    model = front[chosen(tab)]
    spread = contributions(model, X).std()
    lines = tab.locator("#weights tbody tr").all()
    names = [line.locator("th").inner_text() for line in lines]
    assert names == [name.replace("*", TIMES) for name in spread.sort_values(ascending=False).index]
    shares = [float(line.locator(".value").inner_text().strip(f"{MINUS} %")) for line in lines]
    given = 100 * spread.sort_values(ascending=False) / spread.sum()
    np.testing.assert_allclose(shares, given, atol=0.06)
    # what the curve shows is what the model adds, but for the scale
    drawn = tab.locator("#weights tr", has_text="wave").first.locator("polyline")
    points = np.array(
        [list(map(float, each.split(","))) for each in drawn.get_attribute("points").split()]
    )
    at = pd.DataFrame({"wave": np.linspace(*np.quantile(X["wave"], [0, 1]), 25), "line": 0.0})
    added = contributions(model, at)["wave"]
    assert np.corrcoef(-points[:, 1], added)[0, 1] > 0.999
    both = tab.locator("#compared-weights tr", has_text="wave").first
    assert both.locator("polyline").count() == 2


@pytest.mark.slow
def test_the_address_restores_everything_and_undo_goes_back(searched, searched_page, show):
    front, tab = searched[0], show(searched_page)
    press(tab, "Pin to compare")
    set_costs(tab, [1, 2, 7], "1, 4, 9")
    add_limit(tab, "VUS", "at least", round(float(front.objectives["vus"].median()), 3))
    add_limit(tab, "share of a class …", "at most", 95)
    press(tab, "Show all objectives")
    tab.locator("#rows tr:visible button").last.click()
    kept = [tab.inner_text(part) for part in PARTS]
    tab.wait_for_timeout(500)  # the address follows after a pause
    address = tab.evaluate("location.hash")
    press(tab, "Undo")
    assert tab.inner_text("#chosen-kind").startswith("Cheapest")
    for _ in range(10):
        tab.keyboard.press("Control+z")
    assert tab.evaluate("location.hash") == ""
    assert tab.get_by_role("button", name="Undo").is_disabled()
    assert tab.locator("#comparison").is_hidden()
    again = show(searched_page, address=address)
    assert kept == [again.inner_text(part) for part in PARTS]
    assert again.get_by_label("Cost of class 2", exact=True).input_value() == "7"
    assert again.locator("#objectives input:checked").count() == 6
    for address in ("#of something else", '#{"look":-4}', '#{"limits":[{"key":"none"}]}'):
        nonsense = show(searched_page, address=address)
        assert nonsense.inner_text("#chips") == ""
        assert nonsense.inner_text("#chosen-kind").startswith("Cheapest")


def test_the_table_sorts_within_the_limits(show, make_front):
    front = make_front(60)
    tab = show(make_page(front))
    tab.locator("#headings").get_by_role("button", name="VUS").click()
    vus = front.objectives["vus"]
    assert rows(tab) == vus.argsort()[::-1].tolist()[:15]
    assert tab.locator("[aria-sort=descending]").inner_text().startswith("VUS")
    tab.locator("#headings").get_by_role("button", name="VUS").click()
    assert rows(tab) == vus.argsort().tolist()[:15]
    add_limit(tab, "U ovo", "at least", 0.9)
    assert in_table(tab) == set(np.flatnonzero(front.objectives["u_ovo"] >= 0.9))


def rows(tab):
    return [int(row.get_attribute("data-model")) for row in tab.locator("#rows tr:visible").all()]


def in_table(tab):
    """Turn all pages of the table."""
    found = set(rows(tab))
    following = tab.get_by_role("button", name="Next")
    while following.is_enabled():
        following.click()
        found.update(rows(tab))
    return found


def test_words_are_explained_on_hover_focus_and_touch(show, make_front):
    tab = show(make_page(make_front(20)))
    word = tab.locator("#objective-values .term", has_text="VUS")
    tip = tab.locator("#tip")
    word.hover()
    assert "one sample drawn from each class" in tip.inner_text()
    tab.keyboard.press("Escape")
    assert tip.is_hidden()
    word.focus()
    assert tip.is_visible()
    tab.get_by_text("What the words mean").click()
    assert "no other model is at least as good" in tab.inner_text("#glossary")
    touch = show(make_page(make_front(20)), width=390, touch=True)
    touch.locator("#objective-values .term", has_text="VUS").tap()
    assert touch.locator("#tip").is_visible()


def test_the_keyboard_moves_costs_and_keeps_its_place(show, make_front):
    front = make_front(60)
    tab = show(make_page(front))
    tab.get_by_role("slider", name="Cost of class mid").focus()
    for _ in range(30):
        tab.keyboard.press("ArrowRight")
    assert tab.get_by_role("slider", name="Cost of class mid").input_value() == "4"
    assert chosen(tab) == front.cheapest([1, 4, 1])
    tab.get_by_role("radio", name="1, 2, 3").focus()
    tab.keyboard.press("ArrowRight")
    assert chosen(tab) == front.cheapest(Costs([1, 4, 1], "squared"))
    name = f"Look at model {next(i for i in rows(tab) if i != chosen(tab))}"
    tab.get_by_role("button", name=name, exact=True).focus()
    tab.keyboard.press("Enter")
    assert tab.inner_text("#chosen-kind") == name.removeprefix("Look at ").capitalize()
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == name


@pytest.mark.slow
def test_large_fronts_are_thinned_and_keep_their_indices(show, make_front):
    k = 3200
    front = make_front(k, ("no", "yes"))
    tab = show(make_page(front))
    assert "Shown are 3,000 of the 3,200 models" in tab.inner_text("#notes")
    tab.locator("#headings").get_by_role("button", name="accuracy").click()
    best = front.objectives["accuracy"].argmax()
    tab.locator("#rows button").first.click()
    assert chosen(tab) == best
    np.testing.assert_array_equal(confusion(tab), front.confusions[best])


@pytest.mark.slow
def test_a_notebook_shows_the_page_in_a_frame(chromium, make_front):
    front = make_front(30)
    tab = chromium.new_page()
    tab.set_content(f"<h1>notebook</h1>{make_page(front)._repr_html_()}")
    frame = tab.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for(state="attached")
    assert frame.locator("#chosen-kind").inner_text().endswith(f"model {front.cheapest()}")
    frame.get_by_role("slider").first.fill("7")
    assert frame.locator("#chosen-kind").inner_text().endswith(f"{front.cheapest([7, 1, 1])}")
    assert tab.locator("h1").all_inner_texts() == ["notebook"]
    # in the frame the page is still under its own policy
    forbidden = frame.locator("html").evaluate(
        """() => new Promise((tell) => {
            addEventListener("securitypolicyviolation", (event) => tell(event.effectiveDirective));
            fetch("http://127.0.0.1:9").catch(() => setTimeout(() => tell("nothing"), 2000));
        })"""
    )
    assert forbidden == "connect-src"
    tab.close()
