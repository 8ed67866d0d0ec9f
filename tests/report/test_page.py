"""The page in a real browser: it does what Python does, and nothing that its data tell it to."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from moselect.decision import Costs
from moselect.front import Front
from moselect.report import make_page
from moselect.storage import read_model

HOSTILE = "<img src=x onerror=\"document.title='hacked'\"><b>bold</b></script><script>alert(1)//"
CLASSES = ("low", "mid", "high")


@pytest.fixture
def show(chromium, tmp_path):
    """Open the page of a front; at the end there must be no errors and no requests."""
    contexts, complaints = [], []

    def open_page(page, width=1280, height=900):
        path = tmp_path / f"page-{len(contexts)}.html"
        page.write(path)
        context = chromium.new_context(viewport={"width": width, "height": height})
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("dialog", lambda dialog: complaints.append(dialog.message))
        tab.on(
            "request",
            lambda request: (
                request.url.startswith(("file:", "blob:", "data:"))
                or complaints.append(request.url)
            ),
        )
        tab.goto(path.as_uri())
        tab.wait_for_selector("html[data-ready]", state="attached")
        return tab

    yield open_page
    for context in contexts:
        context.close()
    # Chromium's own remarks on drawing without a graphics card are none of ours.
    assert [text for text in complaints if "GL Driver Message" not in text] == []


# Which pixels of the picture of lines are bluer than red, down one of several axes.
BLUE_ON_AXIS = """async ([axis, count]) => {
    const picture = new Image();
    picture.src = document.getElementById("lines").layout.images[0].source;
    await picture.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0);
    const inside = axis === 0 ? 1 : axis === count - 1 ? -2 : 0; // lines begin and end on axes
    const x = Math.round((axis + 0.22) / (count - 1 + 0.44) * picture.width) + inside;
    const pixels = pen.getImageData(x, 0, 1, picture.height).data;
    return Array.from({ length: picture.height }, (_, y) => (
        pixels[4 * y + 3] > 40 && pixels[4 * y + 2] - pixels[4 * y] > 60
    ));
}"""


def set_costs(tab, costs, loss):
    for slider, cost in zip(tab.get_by_role("slider").all(), costs, strict=True):
        slider.fill(str(cost))
    tab.get_by_role("radio", name=loss).check()


def chosen(tab):
    return int(tab.inner_text("#chosen-kind").split()[-1])


def settle(tab):
    """Wait until the charts and the table have followed what was done, by the clock of the page."""
    tab.evaluate(
        "() => new Promise(done => setTimeout(() => "
        "requestAnimationFrame(() => requestAnimationFrame(done)), 200))"
    )


def rings(tab):
    """Where the rings stand in the panels of the matrix."""
    shapes = tab.evaluate("document.getElementById('matrix').layout.shapes")
    return [(shape["xanchor"], shape["yanchor"]) for shape in shapes]


def rows(tab):
    return [int(row.get_attribute("data-model")) for row in tab.locator("#rows tr").all()]


def confusion(tab):
    lines = tab.locator("#confusion tbody tr").all()
    return [
        [int(cell.replace(",", "")) for cell in line.locator("td").all_inner_texts()]
        for line in lines
    ]


COSTS = [
    ([1, 1, 1], "absolute", "absolute"),
    ([0.1, 0.1, 10], "squared", "squared"),
    ([9.7, 0, 0.1], "zero_one", "0 or 1"),
    ([0.1, 8.3, 0], "absolute", "absolute"),
]


def test_sliders_choose_the_model_that_python_chooses(make_front, show):
    front = make_front(150, CLASSES, holdout=True)
    tab = show(make_page(front))
    found = set()
    for costs, loss, name in COSTS:
        set_costs(tab, costs, name)
        place = front.cheapest(costs, loss)
        found.add(place)
        assert chosen(tab) == place
        cost = front.training_costs(Costs(costs, loss))
        assert float(tab.inner_text("#chosen-cost")) == pytest.approx(cost[place], rel=1e-3)
        np.testing.assert_array_equal(confusion(tab), front.confusions[place])
        assert tab.evaluate("Array.from(state.costs)") == cost.tolist()  # to the last bit
        settle(tab)  # fifteen rings and a line follow
        values = front.objectives.iloc[place].tolist()
        assert rings(tab) == [(values[x], values[y]) for y in range(6) for x in range(y)]
        line = tab.evaluate("document.getElementById('lines').data[0].y")
        limits = front.objectives.agg(["min", "max"])
        heights = (front.objectives.iloc[place] - limits.loc["min"]) / limits.diff().loc["max"]
        assert line == pytest.approx(heights.tolist())
    assert len(found) == len(COSTS)


def test_shares_in_use_and_costs_that_are_refused(make_front, show):
    front = make_front(150, CLASSES)
    tab = show(make_page(front))
    set_costs(tab, [1, 2, 5], "absolute")
    tab.get_by_text("Other shares").click()
    for field, percent in zip(tab.locator("#priors input").all(), (90, 8, 2), strict=True):
        field.fill(str(percent))
    priors = [0.9, 0.08, 0.02]
    assert front.cheapest([1, 2, 5], priors=priors) != front.cheapest([1, 2, 5])
    assert chosen(tab) == front.cheapest([1, 2, 5], priors=priors)
    weighed = front.training_costs(Costs([1, 2, 5], priors=priors))
    assert tab.evaluate("Array.from(state.costs)") == weighed.tolist()
    assert "priors=[0.9, 0.08, 0.02]" in tab.inner_text("#command")
    tab.get_by_role("checkbox", name="weigh classes").uncheck()
    assert chosen(tab) == front.cheapest([1, 2, 5])

    set_costs(tab, [0, 0, 0], "squared")  # which Python refuses as well
    assert tab.get_by_role("alert").inner_text() == "Costs must not all be 0."
    assert chosen(tab) == front.cheapest([0, 0, 5])  # the last that was not refused
    set_costs(tab, [0, 0, 3], "squared")
    assert tab.get_by_role("alert").count() == 0
    assert chosen(tab) == front.cheapest([0, 0, 3], "squared")


@pytest.mark.parametrize("classes", [CLASSES, (1.0, 2.0, 3.5)])
def test_a_downloaded_model_predicts_as_the_front_does(make_front, show, tmp_path, classes):
    front = make_front(40, classes)
    tab = show(make_page(front, {"name": "somewhere", "target": "grade"}))
    tab.get_by_role("button", name="Model", exact=True).click()
    tab.get_by_role("button", name="Next").click()
    tab.get_by_role("button", name="Look at model 17", exact=True).click()
    with tab.expect_download() as got:
        tab.get_by_role("button", name="Download model.json").click()
    got.value.save_as(tmp_path / "model.json")
    model = read_model(tmp_path / "model.json")
    assert model.coef_.tolist() == front.weights[17].tolist()
    assert model.thresholds_.tolist() == front.thresholds[17].tolist()
    assert model.classes_.tolist() == list(classes)
    assert [type(label) for label in model.classes_.tolist()] == [type(c) for c in classes]
    about = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))["about"]
    assert about["data"] == {"name": "somewhere", "target": "grade"}
    assert about["training_cost"] == front.training_costs()[17]

    X = pd.DataFrame(np.random.default_rng(1).normal(size=(30, 3)), columns=["age", "kg", "cm"])
    X.to_csv(tmp_path / "t.csv", index=False)
    subprocess.run(
        [
            Path(sys.executable).with_name("moselect"),
            "predict",
            "model.json",
            "t.csv",
            "-o",
            "p.csv",
        ],
        cwd=tmp_path,
        check=True,
    )
    predicted = pd.read_csv(tmp_path / "p.csv")["class"].tolist()
    assert predicted == front[17].predict(X).tolist()


def test_names_stay_text(show, make_front):
    classes = [f"{HOSTILE}{c}" for c in CLASSES]
    front = make_front(30, classes, features=(HOSTILE, "<i>kg</i>", "&lt;cm&gt;"), holdout=True)
    page = make_page(front, {"name": HOSTILE, "target": HOSTILE}, run=f"'{HOSTILE}'")
    tab = show(page)
    settle(tab)
    assert tab.inner_text("h1") == HOSTILE
    assert tab.title() == HOSTILE
    assert tab.locator("#weights th").all_inner_texts()[2:] == [HOSTILE, "<i>kg</i>", "&lt;cm&gt;"]
    assert tab.locator("#thresholds tr th:first-child").all_inner_texts()[1:] == classes
    assert HOSTILE in tab.inner_text("#command")
    assert tab.locator("img, b, i").count() == 0
    assert tab.locator("script").count() == 3


def test_names_of_objectives_stay_text_in_the_charts(show, make_front):
    front = make_front(30, CLASSES)
    hostile = ["<b>bold</b>", '<a href="https://example.org">link</a>', "&lt;c", "d", "e", "f"]
    renamed = front.objectives.set_axis(hostile, axis=1)
    tab = show(make_page(replace(front, objectives=renamed, chance=front.chance.set_axis(hostile))))
    for chart in ("#matrix", "#lines"):
        shown = tab.locator(chart).evaluate("chart => chart.textContent")
        assert all(name in shown for name in hostile)
        assert tab.locator(f"{chart} a").count() == 0


def drag(tab, chart, *points):
    tab.locator(chart).scroll_into_view_if_needed()
    box = tab.locator(chart).bounding_box()
    tab.mouse.move(box["x"] + points[0][0], box["y"] + points[0][1])
    tab.mouse.down()
    for x, y in points[1:]:
        tab.mouse.move(box["x"] + x, box["y"] + y, steps=3)
    tab.mouse.up()


def pixel(tab, chart, axis, value):
    """Where a value of an axis lies on a chart."""
    return tab.evaluate(
        "([chart, axis, value]) => { const a = document.getElementById(chart)._fullLayout[axis];"
        "return a._offset + a.d2p(value); }",
        [chart, axis, value],
    )


def selected_everywhere(tab, front):
    """Give the models that table and charts agree are selected."""
    settle(tab)
    found = in_table(tab)
    assert tab.inner_text("#selection") == f"{len(found)} of {len(front)} models selected"
    assert set(tab.evaluate("document.getElementById('matrix').data[0].selectedpoints")) == found
    assert_painted(tab, front, found)
    return found


def within(points, low, high):
    return set(np.flatnonzero(((points > low) & (points < high)).all(axis=1)))


def test_a_brush_selects_the_same_models_everywhere(show, make_front):
    front = make_front(150, CLASSES)
    tab = show(make_page(front))
    # in the matrix: VUS, third, against accuracy, first; a pixel is less than 0.01 of either
    low, high = np.array([0.45, 0.6]), np.array([0.65, 0.9])
    corners = [
        (pixel(tab, "matrix", "xaxis", x), pixel(tab, "matrix", "yaxis3", y))
        for x, y in (low, high)
    ]
    drag(tab, "#matrix", *corners)
    points = front.objectives[["accuracy", "vus"]].to_numpy()
    brushed = selected_everywhere(tab, front)
    assert (
        within(points, low + 0.01, high - 0.01)
        <= brushed
        <= within(points, low - 0.01, high + 0.01)
    )
    assert 10 < len(brushed) < 140

    # on an axis of the lines: of those, the ones that are good in U cons, fourth
    least, u_cons = 0.8, front.objectives[["u_cons"]].to_numpy()
    bottom = pixel(tab, "lines", "yaxis", (least - u_cons.min()) / np.ptp(u_cons))
    across, top = pixel(tab, "lines", "xaxis", 3), pixel(tab, "lines", "yaxis", 1.01)
    drag(tab, "#lines", (across - 12, bottom), (across + 12, top))
    both = selected_everywhere(tab, front)
    assert (
        brushed & within(u_cons, least + 0.01, 2)
        <= both
        <= brushed & within(u_cons, least - 0.01, 2)
    )
    assert 0 < len(both) < len(brushed)
    assert float(tab.get_by_label("U cons at least").input_value()) == pytest.approx(
        least, abs=0.01
    )

    tab.get_by_role("button", name="Clear selection").click()
    settle(tab)
    assert tab.inner_text("#selection") == "all 150 models"
    assert in_table(tab) == set(range(150))


def in_table(tab):
    """Turn all pages of the table."""
    found = set()
    following = tab.get_by_role("button", name="Next")
    while tab.get_by_role("button", name="Previous").is_enabled():
        tab.get_by_role("button", name="Previous").click()
    found.update(rows(tab))
    while following.is_enabled():
        following.click()
        found.update(rows(tab))
    return found


def assert_painted(tab, front, selected):
    """Look for the colour of the selected lines where they cross the axes, and nowhere else."""
    values = front.objectives.to_numpy()
    shares = (values - values.min(axis=0)) / np.ptp(values, axis=0)
    for axis in range(6):
        blue = np.array(tab.evaluate(BLUE_ON_AXIS, [axis, 6]))
        rows = (1.02 - shares[sorted(selected), axis]) / 1.04 * len(blue)
        painted = np.flatnonzero(blue) + 0.5
        apart = np.abs(painted[:, None] - rows)
        assert apart.min(axis=0).max() < 4.0  # lines may be steep where they cross
        assert apart.min(axis=1).max() < 4.0


def test_the_table_sorts_and_filters(show, make_front):
    front = make_front(60, CLASSES)
    tab = show(make_page(front))
    tab.get_by_role("button", name="VUS").click()
    vus = front.objectives["vus"]
    assert rows(tab) == vus.argsort()[::-1].tolist()[:15]
    assert tab.locator("[aria-sort=descending]").inner_text().startswith("VUS")
    tab.get_by_role("button", name="VUS").click()
    assert rows(tab) == vus.argsort().tolist()[:15]
    tab.get_by_label("U ovo at least").fill("0.9")
    good = np.flatnonzero(front.objectives["u_ovo"] >= 0.9)
    settle(tab)
    assert in_table(tab) == set(good)


def test_the_keyboard_is_enough(show, make_front):
    front = make_front(60, CLASSES)
    tab = show(make_page(front))
    reached, outlined = [], []
    for _ in range(60):
        tab.keyboard.press("Tab")
        name, outline = tab.evaluate(
            "() => { const e = document.activeElement; const s = getComputedStyle("
            "e.matches('.segments input, .chips input') ? e.nextElementSibling : e);"
            "return [e.getAttribute('aria-label') ?? e.textContent, s.outlineStyle]; }"
        )
        reached.append(name)
        outlined.append(outline)
        if name == "Cost of class mid" and reached.count(name) == 1:
            for _ in range(30):
                tab.keyboard.press("ArrowRight")
    assert {"Cost of class low, exactly", "Download model.json", "Copy", "VUS at least"} <= set(
        reached
    )
    assert set(outlined) - {"none"}
    at = reached.index("Download model.json")
    assert outlined[: at + 1] == ["solid"] * (at + 1)
    assert tab.get_by_role("slider", name="Cost of class mid").input_value() == "4"
    assert chosen(tab) == front.cheapest([1, 4, 1])
    tab.get_by_role("radio", name="absolute").focus()
    tab.keyboard.press("ArrowRight")
    assert chosen(tab) == front.cheapest([1, 4, 1], "squared")
    other = next(i for i in rows(tab) if i != chosen(tab))
    tab.get_by_role("button", name=f"Look at model {other}", exact=True).focus()
    tab.keyboard.press("Enter")
    assert tab.inner_text("#chosen-kind") == f"Model {other}"
    np.testing.assert_array_equal(confusion(tab), front.confusions[other])


def test_nothing_is_wider_than_the_window(show, make_front):
    names = ["a class with a long name that goes on and on" + c for c in "abc"]
    front = make_front(60, names, features=("x" * 200, "y", "z"), holdout=True)
    tab = show(make_page(front, {"name": "w" * 200}), width=400)
    for width in (400, 1280, 700):
        tab.set_viewport_size({"width": width, "height": 800})
        settle(tab)
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        charts = [tab.locator(f"#{name} .main-svg").first for name in ("matrix", "lines")]
        assert all(0.5 * width < chart.bounding_box()["width"] < width for chart in charts)
    too_small = tab.evaluate(
        "Array.from(document.querySelectorAll('p, td, th, label, button'))"
        ".filter(e => parseFloat(getComputedStyle(e).fontSize) < 12).length"
    )
    assert too_small == 0


def luminance(colour):
    rgb = np.array([int(part) for part in colour.strip("rgba()").split(",")[:3]]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def test_dark_and_light_are_both_readable(show, make_front):
    tab = show(make_page(make_front(60, CLASSES)))
    grounds = {}
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        settle(tab)
        style = "e => { const s = getComputedStyle(e); return [s.color, s.backgroundColor]; }"
        ground = luminance(tab.locator(".card").first.evaluate(style)[1])
        grounds[scheme] = ground
        texts = [tab.locator(s).first.evaluate(style)[0] for s in ("h1", ".muted", "legend", "td")]
        texts += [tab.locator("#matrix .xtitle").first.evaluate("e => getComputedStyle(e).fill")]
        for text in texts:
            low, high = sorted([ground, luminance(text)])
            assert (high + 0.05) / (low + 0.05) >= 4.5  # WCAG 2.2, 1.4.3
    assert grounds["dark"] < 0.05 < 0.9 < grounds["light"]


def test_a_large_front_is_shown_in_part(show):
    # all points of a spiral: none dominates another
    k = 3_200
    angle = np.linspace(0.01, np.pi / 2 - 0.01, k)
    counts = np.stack([np.arange(k), k - np.arange(k), k - np.arange(k), np.arange(k)], 1)
    front = Front(
        objectives=pd.DataFrame({"accuracy": np.sin(angle), "vus": np.cos(angle)}),
        weights=np.arange(k, dtype=float)[:, None],
        thresholds=np.zeros((k, 1)),
        classes=np.array([1, 2]),
        feature_names=None,
        chance=pd.Series({"accuracy": 0.0, "vus": 0.0}),
        confusions=counts.reshape(k, 2, 2),
    )
    tab = show(make_page(front))
    assert "Shown are 3,000 of the 3,200 models" in tab.inner_text("#shown")
    # models are still called by their places on the whole front
    tab.get_by_role("button", name="accuracy").click()
    best = front.objectives["accuracy"].argmax()
    tab.locator("#rows button").first.click()
    assert chosen(tab) == best
    np.testing.assert_array_equal(confusion(tab), front.confusions[best])


def test_a_notebook_shows_the_page_in_a_frame(chromium, make_front):
    front = make_front(30, CLASSES)
    tab = chromium.new_page()
    tab.set_content(f"<h1>notebook</h1>{make_page(front)._repr_html_()}")
    frame = tab.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for(state="attached")
    assert frame.locator("#chosen-kind").inner_text().endswith(f"model {front.cheapest()}")
    assert tab.locator("h1").all_inner_texts() == ["notebook"]
    # unpacked, the page is still under its own policy
    forbidden = frame.locator("html").evaluate(
        """() => new Promise((tell) => {
            addEventListener("securitypolicyviolation", (event) => tell(event.effectiveDirective));
            fetch("http://127.0.0.1:9").catch(() => setTimeout(() => tell("nothing"), 2000));
        })"""
    )
    assert forbidden == "connect-src"
    tab.close()
