"""The page in a browser: accessible, by keyboard alone, at every width and scheme."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from tests.page.conftest import settle

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
AUDIT = """axe.run(document).then(({ violations }) => violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0].html}`))"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FOCUSED = """(() => {
    const at = document.activeElement;
    const marked = at.matches(".segments input") ? at.nextElementSibling : at;
    const name = at.getAttribute("aria-label") ?? at.textContent;
    return [name, getComputedStyle(marked).outlineStyle];
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page, show, scheme):
    tab = show(page)
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    tab.evaluate(f"{AXE}; 0")
    assert tab.evaluate(AUDIT) == []
    tab.evaluate(IN_USE)
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate(AUDIT) == []
        assert tab.evaluate(WIDER) == 0


def tab_to(tab, name):
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
    tab_to(tab, "Cost of class high, exactly")
    tab.keyboard.type("5")  # 1: in place of what is there
    tab_to(tab, "Maximum share, percent")
    tab.keyboard.type("60")  # 2
    tab.keyboard.press("Enter")  # 3
    tab_to(tab, "additive")
    tab.keyboard.press("Enter")  # 4
    settle(tab)
    tab.evaluate("document.getElementById('link').focus()")  # at the top of the page
    tab_to(tab, "Download model.json")
    with tab.expect_download() as got:
        tab.keyboard.press("Enter")  # 5
    about = json.loads(got.value.path().read_text(encoding="utf-8"))["about"]
    assert about["cost_matrix"][2] == [10, 5, 0]
    (limit,) = about["limits"]
    assert (limit["limit"], limit["most"], limit["met"]) == ("high<high", 0.6, True)
