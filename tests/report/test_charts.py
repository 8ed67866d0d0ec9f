"""The charts of the page under mouse, finger, window and scheme, and what used to break them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from moselect.report import make_page
from tests.report.conftest import chosen, press

pytestmark = pytest.mark.slow  # each waits for a browser several times

# Where the ring stands: the middle of what has its colour on the upper canvas.
RING = """() => {
    const canvas = document.querySelector("#matrix .upper");
    const style = getComputedStyle(document.documentElement).getPropertyValue("--chosen").trim();
    const wanted = [1, 3, 5].map((at) => parseInt(style.slice(at, at + 2), 16));
    const { data, width, height } = canvas.getContext("2d")
        .getImageData(0, 0, canvas.width, canvas.height);
    let [sumX, sumY, n] = [0, 0, 0];
    for (let p = 0; p < width * height; p++) {
        const like = wanted.every((value, c) => Math.abs(data[4 * p + c] - value) < 8);
        if (like && data[4 * p + 3] > 250) {
            sumX += p % width; sumY += Math.floor(p / width); n++;
        }
    }
    return [sumX / n / devicePixelRatio, sumY / n / devicePixelRatio];
}"""
# How many pixels of the lower canvas have the colour of models.
BLUE = """() => {
    const canvas = document.querySelector("#matrix .ground");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let n = 0;
    for (let p = 0; p < data.length; p += 4) {
        if (data[p + 3] > 60 && data[p + 2] - data[p] > 60) n++;
    }
    return n;
}"""


GO = "state => { location.hash = encodeURIComponent(JSON.stringify(state)); }"


def settle(tab):
    tab.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(done), 60))")


def box_of(tab):
    """Bring the matrix into sight, and tell where it stands."""
    tab.locator("#matrix").evaluate("chart => chart.scrollIntoView({ block: 'center' })")
    return tab.locator("#matrix").bounding_box()


def drag(tab, *points):
    box = box_of(tab)
    tab.mouse.move(box["x"] + points[0][0], box["y"] + points[0][1])
    tab.mouse.down()
    for x, y in points[1:]:
        tab.mouse.move(box["x"] + x, box["y"] + y, steps=4)
    tab.mouse.up()


def chips(tab):
    return tab.locator("#chips li > span:first-child").all_inner_texts()


def only_two(tab):
    """Show accuracy and VUS alone, which makes one panel."""
    tab.locator("#objectives").get_by_label("1 - MAE").uncheck()
    settle(tab)


def pixels_of(tab, front):
    """Find where values of accuracy and VUS stand, from the ring around two models."""
    seen = []
    points = front.objectives[["accuracy", "vus"]].to_numpy()
    order = points[:, 0].argsort()
    for i in (order[5], order[-5]):
        tab.evaluate(GO, {"shown": [0, 2], "look": int(i)})
        tab.locator("#chosen-kind", has_text=re.compile(f"^Model {i}$")).wait_for()
        settle(tab)
        seen.append((points[i], np.array(tab.evaluate(RING))))
    (low, at_low), (high, at_high) = seen
    tab.evaluate(GO, {"shown": [0, 2]})
    tab.locator("#chosen-kind", has_text="Cheapest").wait_for()
    settle(tab)
    return lambda value: at_low + (np.array(value) - low) / (high - low) * (at_high - at_low)


def test_brushes_are_limits_that_can_be_seen_and_add_up(show, make_front):
    front = make_front(150)
    tab = show(make_page(front))
    only_two(tab)
    at = pixels_of(tab, front)
    low, high = np.array([0.45, 0.6]), np.array([0.65, 0.9])
    drag(tab, at(low), at(high))
    first = chips(tab)
    assert [chip.split(" at least")[0] for chip in first] == ["accuracy", "VUS"]
    ends = [[float(end) for end in re.findall(r"[\d.]+", chip)] for chip in first]
    np.testing.assert_allclose(ends, np.transpose([low, high]), atol=0.01)
    points = front.objectives[["accuracy", "vus"]].to_numpy()
    inside = ((points >= np.array(ends)[:, 0]) & (points <= np.array(ends)[:, 1])).all(axis=1)
    assert tab.inner_text("#selection") == f"{inside.sum()} of 150 models within the limits"
    assert 5 < inside.sum() < 145
    drag(tab, at([0.5, 0.55]), at([0.6, 0.8]))  # the same two objectives again
    assert len(chips(tab)) == 2
    assert chips(tab) != first
    press(tab, "Undo")
    assert chips(tab) == first


def test_charts_keep_their_shape_when_chips_scheme_and_window_change(show, make_front):
    tab = show(make_page(make_front(60)))
    press(tab, "Show all objectives")
    tab.locator("#objectives").get_by_label("U cons").uncheck()
    tab.emulate_media(color_scheme="dark")
    heights = []
    for width in (1280, 1000, 700, 390, 1280):
        tab.set_viewport_size({"width": width, "height": 800})
        settle(tab)
        box = tab.locator("#matrix").bounding_box()
        for canvas in tab.locator("#matrix canvas").all():
            assert canvas.bounding_box()["height"] == pytest.approx(box["height"], abs=2)
            assert canvas.bounding_box()["width"] == pytest.approx(box["width"], abs=2)
        assert tab.evaluate(BLUE) > 50
        heights.append(box["height"])
    assert heights[0] == heights[-1] > heights[3]  # a narrow matrix is a low one


def test_a_vertical_swipe_scrolls(show, make_front):
    tab = show(make_page(make_front(60)), width=390, height=800, touch=True)
    inspector = tab.context.new_cdp_session(tab)
    box = box_of(tab)
    before = tab.evaluate("scrollY")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    steps = [("touchStart", y), *(("touchMove", y - 15 * step) for step in range(1, 14))]
    for kind, height in steps:
        finger = [{"x": x, "y": height}]
        inspector.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": finger})
    inspector.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    settle(tab)
    assert tab.evaluate("scrollY") > before + 100
    assert chips(tab) == []


def test_models_on_one_point_are_announced(show, make_front):
    front = make_front(60)
    points = front.objectives.copy()
    points.iloc[10:15, :3] = [0.7, 0.6, 0.8]  # these differ in what is not shown
    front = replace(front, objectives=points)
    tab = show(make_page(front))
    only_two(tab)
    at = pixels_of(tab, front)
    place, box = at([0.7, 0.8]), box_of(tab)
    tab.mouse.move(box["x"] + place[0], box["y"] + place[1])
    assert tab.inner_text("#hint").startswith("5 models on this point")
    seen = []
    for _ in range(5):
        box = box_of(tab)
        tab.mouse.click(box["x"] + place[0], box["y"] + place[1])
        assert tab.inner_text("#picked").startswith("5 models lie on this point")
        seen.append(chosen(tab))
    costs = front.training_costs()
    assert seen == sorted(range(10, 15), key=lambda i: (costs[i], i))


@pytest.mark.parametrize("n_classes", [3, 12])
def test_nothing_is_wider_than_the_window(show, make_front, n_classes):
    names = [f"a class with a long name that goes on and on {c}" for c in range(n_classes)]
    front = make_front(30, names, features=("x" * 200, "y", "z"), holdout=True)
    tab = show(make_page(front, about={"name": "w" * 200}), width=390)
    press(tab, "Pin to compare")
    for width in (1280, 700, 390):
        tab.set_viewport_size({"width": width, "height": 800})
        settle(tab)
        assert tab.evaluate("document.documentElement.scrollWidth") == width
    region = tab.locator("#confusion")  # what does not fit can be scrolled to, by the keyboard too
    sizes = region.evaluate("e => [e.scrollWidth, e.clientWidth, getComputedStyle(e).overflowX]")
    assert sizes[0] > sizes[1] or n_classes == 3
    assert sizes[2] == "auto"
    assert region.get_attribute("tabindex") == "0"


def test_tiny_values_are_written_with_a_power_of_ten(show, make_front):
    front = make_front(1)
    tiny = front.objectives.assign(vus=front.objectives["vus"] * 2e-6)
    chance = pd.Series({**front.chance, "vus": 2.1e-9})
    tab = show(make_page(replace(front, objectives=tiny, chance=chance)))
    line = tab.locator("#objective-values tr", has_text="VUS").inner_text().split()
    assert line[:2] == ["VUS", "(10⁻⁶)"]
    assert float(line[2]) == pytest.approx(tiny["vus"][0] * 1e6, abs=1e-4)
    assert float(line[-1]) == pytest.approx(0.0021)
    settle(tab)
    assert tab.inner_text("#selection") == "1 model"  # a front of one is drawn, too
    assert np.array(tab.evaluate(RING)).min() > 5


def test_two_classes_show_the_objectives_that_differ(show, make_front):
    front = make_front(30, ("no", "yes"))
    points = front.objectives.assign(one_minus_mae=front.objectives["accuracy"])
    for name in ("u_cons", "u_ovo", "u_pairs"):
        points[name] = points["vus"]
    tab = show(make_page(replace(front, objectives=points)))
    assert tab.locator("#objectives label").all_inner_texts() == ["accuracy", "VUS"]
    assert "1 - MAE is the same as accuracy" in tab.inner_text("#notes")
    assert tab.locator("#objective-values tbody th").all_inner_texts() == ["accuracy", "VUS"]


def test_the_printed_page_is_the_decision_on_one_sheet_in_light_colours(show, make_front):
    tab = show(make_page(make_front(60, features=[f"feature {j}" for j in range(30)])))
    tab.get_by_label("Cost of class high, exactly").fill("5")
    assert tab.locator("#costs-words").is_hidden()
    assert len(re.findall(rb"/Type\s*/Page\b", tab.pdf())) == 1
    tab.emulate_media(color_scheme="dark", media="print")
    for part in ("#models", "#matrix", "#class-costs", "#download", "#limit-form"):
        assert tab.locator(part).is_hidden()
    for part in ("#chosen-cost", "#confusion", "#thresholds", "#weights", "#command"):
        assert tab.locator(part).is_visible()
    costs = "A mistake costs its distance in classes, times: low 1, mid 1, high 5."
    assert tab.inner_text("#costs-words") == costs
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
