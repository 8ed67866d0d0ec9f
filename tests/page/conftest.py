import shutil

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.io import read_model
from moselect.page import make_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
CLASSES = ("low", "mid", "high")


def press(tab, name):
    tab.get_by_role("button", name=name, exact=True).click()


def settle(tab):
    """Wait until the slower results are shown, too."""
    tab.wait_for_selector("#results[aria-busy=false]", state="attached")


def fill_fields(tab, place, values):
    for field, value in zip(tab.locator(place).all(), values, strict=True):
        field.fill(str(value))


def set_costs(tab, costs, loss="1, 2, 3"):
    fill_fields(tab, ".slider input[type=number]", costs)
    tab.get_by_role("radio", name=loss).check()


def add_limit(tab, percent, among, predicted):
    tab.fill("#limit-value", str(percent))
    tab.select_option("#limit-among", label=among)
    tab.select_option("#limit-predicted", label=predicted)
    press(tab, "Add")


def select_candidate(tab, candidate):
    tab.locator("#candidates").get_by_role("button", name=candidate, exact=True).click()
    settle(tab)


def downloaded(tab, folder):
    """Press the button for the model, and read its file."""
    with tab.expect_download() as got:
        press(tab, "Download model.json")
    got.value.save_as(folder / "model.json")
    return read_model(folder / "model.json")


def counts_shown(tab):
    """Return the confusion matrix of three classes, and of a referral if there is one."""
    cells = tab.locator("#confusion td").all_inner_texts()
    return np.reshape([float(cell.replace(",", "")) for cell in cells], (3, -1))


@pytest.fixture(scope="module")
def chromium():
    """Return one real browser without a window, or skip.

    It ends with its module: while it runs, so does an event loop, in which no other can run.
    """
    if CHROMIUM is None:
        pytest.skip("no browser: install chromium to test the page")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def window(chromium):
    """Return a tab of a module, and its messages, errors and requests."""
    complaints = []
    tab = chromium.new_page()
    tab.set_default_timeout(60_000)
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("dialog", lambda dialog: complaints.append(dialog.message))
    tab.on("request", lambda request: complaints.append(request.url))
    return tab, complaints


@pytest.fixture
def show(window, tmp_path):
    """Open the page of a front; at the end there must be no errors and no requests."""
    tab, complaints = window
    complaints.clear()

    def open_page(page, address=""):
        path = tmp_path / f"page-{len(list(tmp_path.iterdir()))}.html"
        page.write(path)
        tab.set_viewport_size({"width": 1280, "height": 900})
        tab.emulate_media(color_scheme="light", media="null")
        tab.goto(path.as_uri() + address)
        tab.wait_for_selector("html[data-ready]", state="attached")
        return tab

    yield open_page
    tab.goto("about:blank")
    own = ("file:", "blob:", "data:", "about:")
    # Chromium's own remark on tests that read the canvases is none of ours.
    assert [
        text
        for text in complaints
        if not text.startswith(own) and "willReadFrequently" not in text
    ] == []


@pytest.fixture(scope="session")
def searched():
    """Return a small search: 120 rows of three features, one with a nonlinear effect."""
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(120, 3)), columns=["age", "kg", "cm"])
    score = X["age"] - X["kg"] + 1.5 * np.abs(X["cm"]) + rng.normal(size=120)
    y = np.array(CLASSES)[np.digitize(score, [0.4, 2.4])]
    settings = {"n_iterations": 3, "n_particles": 20, "cv": 2}
    return ParetoSearch(**settings, labels=CLASSES, random_state=1).fit(X, y)


@pytest.fixture(scope="session")
def page(searched):
    return make_page(
        searched.selector_, about={"name": "made up", "target": "grade"}, run="runs/a"
    )
