from __future__ import annotations

import json
import shutil

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.front import Front
from moselect.report import make_page, select_for_settings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
QUIETER = ("--disable-component-update", "--disable-sync")
CLASSES = ("low", "mid", "high")


def press(tab, name):
    tab.get_by_role("button", name=name, exact=True).click()


def set_costs(tab, costs, loss):
    for slider, cost in zip(tab.get_by_role("slider").all(), costs, strict=True):
        slider.fill(str(cost))
    tab.get_by_role("radio", name=loss).check()


def add_limit(tab, what, kind, value):
    tab.select_option("#limit-what", label=what)
    tab.select_option("#limit-end", label=kind)
    tab.fill("#limit-value", str(value))
    press(tab, "Add")


def chosen(tab):
    """Return the index of the chosen model."""
    return int(tab.inner_text("#chosen-kind").split()[-1])


def downloaded(tab, folder):
    """Press the button for the model, and read its file."""
    with tab.expect_download() as got:
        press(tab, "Download model.json")
    got.value.save_as(folder / "model.json")
    return json.loads((folder / "model.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def chromium():
    """Return one real browser without a window, or skip.

    It ends with its module: while it runs, so does an event loop, in which no other can run.
    """
    if CHROMIUM is None:
        pytest.skip("no browser: install chromium to test the page")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, *QUIETER])
        yield browser
        browser.close()


def window(browser, complaints, **settings):
    """Return a tab whose errors and requests to elsewhere are collected."""
    tab = browser.new_context(**settings).new_page()
    tab.set_default_timeout(60_000)
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("dialog", lambda dialog: complaints.append(dialog.message))
    tab.on("request", lambda request: complaints.append(request.url))
    return tab


@pytest.fixture(scope="module")
def windows(chromium):
    """Return the two windows of a module, by whether they are touched, and their complaints."""
    complaints, both = [], (False, True)
    tabs = {touch: window(chromium, complaints, has_touch=touch, is_mobile=touch) for touch in both}
    return tabs, complaints


@pytest.fixture
def show(windows, tmp_path):
    """Open the page of a front; at the end there must be no errors and no requests."""
    tabs, complaints = windows
    complaints.clear()

    def open_page(page, width=1280, height=900, address="", touch=False):
        tab = tabs[touch]
        path = tmp_path / f"page-{len(list(tmp_path.iterdir()))}.html"
        page.write(path)
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme="light", media="null")
        tab.goto(path.as_uri() + address)
        tab.wait_for_selector("html[data-ready]", state="attached")
        return tab

    yield open_page
    for tab in tabs.values():
        tab.goto("about:blank")
    own = ("file:", "blob:", "data:", "about:")
    # Chromium's own remark on tests that read the canvases is none of ours.
    assert [
        text for text in complaints if not text.startswith(own) and "willReadFrequently" not in text
    ] == []


@pytest.fixture(scope="session")
def make_front():
    """Return a function that makes up a front of ``k`` models of three features."""

    def make(k, classes=CLASSES, features=("age", "kg", "cm"), holdout=False):
        rng = np.random.default_rng(0)
        r = len(classes)
        names = ["accuracy", "one_minus_mae", "vus", "u_cons", "u_ovo", "u_pairs"]
        masses = rng.integers(20, 60, size=r)
        care = rng.dirichlet(np.ones(r), k)  # for one class at the cost of the others
        right = np.eye(r)[None] * care[:, :, None]
        shares = right + (1.0 - care[:, :, None]) * rng.dirichlet(np.ones(r), (k, r))
        counts = np.stack([rng.multinomial(n, shares[:, y]) for y, n in enumerate(masses)], 1)
        points = rng.uniform(0.5, 1.0, size=(k, 6))
        points[:, 0] = counts.trace(axis1=1, axis2=2) / masses.sum()
        return Front(
            objectives=pd.DataFrame(points, columns=names),
            weights=rng.normal(size=(k, len(features))) * 10.0 ** rng.integers(-9, 9, (k, 1)),
            thresholds=np.sort(rng.normal(size=(k, r - 1)), axis=1),
            classes=np.array(classes),
            feature_names=features,
            chance=pd.Series([0.4, 0.4, 1 / 6, 0.5, 0.5, 0.5], index=names),
            holdout=pd.DataFrame(points * 0.9, columns=names) if holdout else None,
            confusions=counts,
            holdout_confusions=counts[::-1] if holdout else None,
        )

    return make


@pytest.fixture(scope="session")
def searched():
    """Return the front of a small search, and its rows: few, so that every score gets a cut."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 4))
    bent = X @ [1.0, -0.5, 0.2, 0.0] + 2 * np.sin(2 * X[:, 1]) + 2 * rng.standard_t(3, size=60)
    y = np.digitize(bent, np.quantile(bent, [0.3, 0.8]))
    return ParetoSearch(n_iterations=15, cv=None, random_state=1).fit(X, y).front_, X, y


@pytest.fixture(scope="session")
def searched_page(searched):
    return make_page(*searched)


@pytest.fixture(scope="session")
def selected():
    """Return a search that held samples out, its rows, and models for settings of costs."""
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(90, 3)), columns=["age", "kg", "cm"])
    score = X["age"] - X["kg"] + rng.normal(size=90)
    y = np.array(CLASSES)[np.digitize(score, [-0.7, 0.8])]
    settings = {"n_iterations": 3, "n_particles": 20, "cv": 3, "holdout": 0.2}
    search = ParetoSearch(**settings, labels=CLASSES, random_state=1).fit(X, y)
    known = select_for_settings(search.selector(search.front_, X, y), {"name": "made up"})
    return search, X, y, known
