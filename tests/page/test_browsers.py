"""The page in Chromium and in Firefox: accessible, by keyboard alone, at every width and scheme."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from tests.page.firefox import PROGRAM, open_firefox

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
def test_axe_finds_nothing_serious_in_chromium(page, show, scheme):
    tab = show(page)
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    tab.evaluate(f"{AXE}; 0")
    assert tab.evaluate(AUDIT) == []
    tab.evaluate(IN_USE)
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate(AUDIT) == []
        assert tab.evaluate(WIDER) == 0


@pytest.fixture
def firefox(tmp_path):
    """Return one real Firefox in dark colours, or skip."""
    if PROGRAM is None:
        pytest.skip("no Firefox: install firefox-esr to test the page in it")
    with open_firefox(tmp_path, dark=True) as browser:
        yield browser
        assert browser.complaints == []


def tab_to(firefox, name):
    for _ in range(80):
        firefox.press("Tab")
        reached, outline = firefox.evaluate(FOCUSED)
        assert outline == "solid", reached
        if reached == name:
            return
    raise AssertionError(f"the keyboard does not reach {name!r}")


def test_firefox_by_keyboard_alone(page, firefox, tmp_path):
    path = tmp_path / "page.html"
    page.write(path)
    for width in WIDTHS:
        firefox.open(path, width)
        assert firefox.evaluate(WIDER) == 0
    assert firefox.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    ground = firefox.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(json.loads(ground.replace("rgb(", "[").replace(")", "]"))) < 60

    # from opening the page to a model that meets a limit for given costs: five actions
    tab_to(firefox, "Cost of class high, exactly")
    firefox.press("5")  # 1: in place of what is there
    tab_to(firefox, "Maximum share, percent")
    firefox.press("6", "0")  # 2
    firefox.press("Enter")  # 3
    tab_to(firefox, "additive")
    firefox.press("Enter")  # 4
    firefox.evaluate("document.getElementById('link').focus()")  # at the top of the page
    tab_to(firefox, "Download model.json")
    firefox.press("Enter")  # 5
    about = wait_for(tmp_path / "model.json", firefox)["about"]
    assert about["cost_matrix"][2] == [10, 5, 0]
    (limit,) = about["limits"]
    assert (limit["limit"], limit["most"], limit["met"]) == ("high<high", 0.6, True)

    firefox.evaluate(IN_USE)
    firefox.evaluate(f"(() => {{ {AXE} }})()")
    assert firefox.evaluate(AUDIT) == []


def wait_for(path, firefox):
    """Wait until a file has been downloaded, and read it."""
    for _ in range(600):
        if path.exists() and path.read_text(encoding="utf-8").endswith("}\n"):
            return json.loads(path.read_text(encoding="utf-8"))
        firefox.evaluate("new Reference(done => setTimeout(done, 100))")
    raise AssertionError(f"{path.name} was not downloaded")
