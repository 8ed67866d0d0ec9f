"""The page in a browser: accessible, by keyboard alone, at every width and scheme."""

import json
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest

from moselect import Costs, ParetoSearch
from moselect.page import make_page
from moselect.report.sections import report, result_of
from tests.page.conftest import press, settle

pytestmark = pytest.mark.slow

WIDTHS = (1440, 1024, 390)
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
# All of the page in use: a limit, a pinned model, every part open.
IN_USE = """(() => {
    for (const part of document.querySelectorAll("details")) part.open = true;
    document.getElementById("pin").click();
    document.getElementById("limit-value").value = 20;
    document.getElementById("limit-form").requestSubmit();
    [...document.querySelectorAll("#candidates button")]
        .find((b) => b.textContent === "additive").click();
})()"""
# Texts and fields that cover each other, and elements outside of the window. What is in a closed
# part, or below the choice, which stays in sight, covers nothing.
LAYOUT = """(() => {
    const isShown = (e) => e.checkVisibility()
        && (!e.closest("details:not([open])") || e.closest("summary"));
    const boxes = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const [text, parent] = [walker.currentNode, walker.currentNode.parentElement];
        const isLeft = parent.closest("#choice, option, script, title");
        if (!text.data.trim() || isLeft || !isShown(parent)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) boxes.push([text.data.trim(), box, parent]);
    }
    const fields = document.querySelectorAll("select, [type=number], [type=text]");
    for (const field of [...fields].filter(isShown)) {
        boxes.push([field.id, field.getBoundingClientRect(), field]);
    }
    const covers = ([, a, e], [, b, f]) => e !== f
        && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    const covered = boxes.flatMap((one, i) => boxes.slice(i + 1)
        .filter((other) => covers(one, other)).map(([text]) => `${one[0]} | ${text}`));
    // A chart clips what is in its frame, an inner svg, whatever the boxes of lines are.
    const unclipped = document.body.querySelectorAll(":not(svg svg, svg svg *)");
    const elements = [...unclipped].filter(isShown);
    const outside = elements.filter((e) => {
        const { left, right, width } = e.getBoundingClientRect();
        return width > 0 && (left < -0.5 || right > document.documentElement.clientWidth + 0.5);
    }).map((e) => `outside: ${e.tagName} ${e.textContent.slice(0, 30)}`);
    return [...covered, ...outside];
})()"""
AUDIT = """axe.run(document).then(({ violations }) => violations
    .map(({ id, nodes }) => `${id}: ${nodes[0].html}`))"""
COSTS = ".slider [type=number], #cost-matrix input, #refer"
CLIPPED = f"""[...document.querySelectorAll("{COSTS}")]
    .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth).map((e) => e.value)"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FOCUSED = """(() => {
    const at = document.activeElement;
    const marked = at.matches(".segments input") ? at.nextElementSibling : at;
    const name = at.getAttribute("aria-label") ?? at.textContent;
    return [name, getComputedStyle(marked).outlineStyle];
})()"""


TABLES = {  # number of classes, and settings of the page
    "weights": (4, {"costs": Costs([1, 1, 2, 4])}),
    "cost matrix": (
        3,
        {"costs": Costs(cost_matrix=[[0, 0.5, 1.5], [2, 0, 0.5], [8, 3, 0]], refer=0.6)},
    ),
    "nine classes": (9, {"costs": Costs([1, 1, 1, 1, 1, 2, 3, 5, 10])}),
}


@pytest.mark.parametrize("table", TABLES)
def test_nothing_is_covered_or_clipped_at_any_width(table, show):
    r, settings = TABLES[table]
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(240, 3)), columns=["age", "income", "debt ratio"])
    X["town"] = rng.choice(["Bonn", "Cork", "a town of a long name"], 240)
    score = X["age"] + X["debt ratio"] + 0.7 * rng.normal(size=240)
    labels = ["class 0", "restructured", *(f"class {c}" for c in range(2, r))]
    y = pd.qcut(score, r, labels=labels)
    weights = rng.uniform(0.5, 2.0, 240) if table == "weights" else None
    search = ParetoSearch(n_iterations=2, n_particles=10, cv=2, random_state=1)
    selector = search.fit(X, y, sample_weight=weights).selector_
    selector.own_candidates = ["scorecard", "additive"]
    settings |= {"about": {"name": table, "sample_weight": "design weight"}}
    evidence = selector.select(settings["costs"], "additive").evidence
    reported = report(evidence, {"town": evidence.group_estimates("town")})
    result = result_of(reported, evidence, "model.json")
    tab = show(make_page(selector, result=result, **settings))
    groups = tab.locator("#groups tr").all()
    cells = [line.locator("th, td").all_inner_texts() for line in groups]
    assert cells == reported.groups[0].table
    assert "weighted by design weight" in tab.inner_text("header")
    if table == "cost matrix":
        cell = tab.get_by_label("Cost of predicting class 0 for true class class 2")
        assert cell.input_value() == "8"
        assert cell.is_visible()
        assert not tab.locator("#costs-line").is_visible()
    press(tab, "additive")
    settle(tab)
    assert "wrote this model to model.json" in tab.inner_text("#take-note")
    tab.evaluate(f"{AXE}; 0")
    tab.emulate_media(reduced_motion="reduce")
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        settle(tab)
        assert tab.evaluate(AUDIT) == []
        assert tab.evaluate(LAYOUT) == []
        assert tab.locator("#choice").bounding_box()["height"] <= 900 / 5
        if width == WIDTHS[0]:
            for field in tab.locator(COSTS).all():
                if field.is_visible():
                    field.fill("2000000")
            settle(tab)
        assert tab.evaluate(CLIPPED) == []
    tab.emulate_media(color_scheme="dark", reduced_motion="reduce")
    tab.evaluate(IN_USE)
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate(AUDIT) == []
        assert tab.evaluate(WIDER) == 0


def focus_by_keyboard(tab, name):
    for _ in range(80):
        tab.keyboard.press("Tab")
        reached, outline = tab.evaluate(FOCUSED)
        assert outline == "solid", reached
        if reached == name:
            return
    raise AssertionError(f"the keyboard does not reach {name!r}")


def test_a_model_is_taken_by_keyboard_alone(page, show):
    """From opening the page to a model that meets a limit for given costs: five actions."""
    tab = show(page)
    focus_by_keyboard(tab, "Cost of class high, exactly")
    tab.keyboard.type("5")  # 1: in place of what is there
    focus_by_keyboard(tab, "Maximum share, percent")
    tab.keyboard.type("60")  # 2
    tab.keyboard.press("Enter")  # 3
    focus_by_keyboard(tab, "additive")
    tab.keyboard.press("Enter")  # 4
    settle(tab)
    tab.evaluate("document.getElementById('link').focus()")  # at the top of the page
    focus_by_keyboard(tab, "Download model.json")
    with tab.expect_download() as got:
        tab.keyboard.press("Enter")  # 5
    about = json.loads(got.value.path().read_text(encoding="utf-8"))["about"]
    assert about["cost_matrix"][2] == [10, 5, 0]
    (limit,) = about["limits"]
    assert (limit["limit"], limit["most"], limit["met"]) == ("high<high", 0.6, True)
