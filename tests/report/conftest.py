from __future__ import annotations

import shutil

import numpy as np
import pandas as pd
import pytest

from moselect import ParetoSearch
from moselect.front import Front

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
QUIETER = ("--disable-component-update", "--disable-sync")


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


@pytest.fixture
def show(chromium, tmp_path):
    """Open the page of a front; at the end there must be no errors and no requests."""
    contexts, complaints = [], []

    def open_page(page, width=1280, height=900, address="", touch=False):
        path = tmp_path / f"page-{len(contexts)}.html"
        page.write(path)
        window = {"width": width, "height": height}
        context = chromium.new_context(viewport=window, has_touch=touch, is_mobile=touch)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(60_000)
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
        tab.goto(path.as_uri() + address)
        tab.wait_for_selector("html[data-ready]", state="attached")
        return tab

    yield open_page
    for context in contexts:
        context.close()
    # Chromium's own remark on tests that read the canvases is none of ours.
    assert [text for text in complaints if "willReadFrequently" not in text] == []


@pytest.fixture(scope="session")
def make_front():
    """Return a function that makes up a front of ``k`` models of three features."""

    def make(k, classes, features=("age", "kg", "cm"), seed=0, holdout=False):
        rng = np.random.default_rng(seed)
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
