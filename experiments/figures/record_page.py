"""Record the page while a cost moves: page.gif and page.png, of Boston housing.

    python experiments/figures/record_page.py

Needs the extra ``test`` and a Chromium.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import moselect
from moselect.page import make_page

HERE = Path(__file__).parent
SIZE = {"width": 1120, "height": 760}
COLOURS, SHORT, LONG = 64, 350, 2200  # of a picture; milliseconds


def boston_page() -> str:
    """Return the page of a search of Boston housing, as HTML."""
    X, y = moselect.datasets.load_boston(binning="normalised")
    search = moselect.ParetoSearch(random_state=1).fit(X, y)
    costs = moselect.Costs([1, 1, 1, 5, 5])
    return make_page(
        search.selector_, about={"name": "boston", "target": "value"}, costs=costs
    ).html


def play(tab: Page) -> list[tuple[bytes, int]]:
    """Return screenshots, each with its time: a limit, a cost, a kind, and a row."""
    frames = []

    def show(milliseconds: int) -> None:
        tab.wait_for_selector("#results[aria-busy=false]", state="attached")
        frames.append((tab.screenshot(), milliseconds))

    show(LONG)
    for percent in (30, 26, 22, 18, 14, 10):
        tab.locator("#boundary-most").fill(str(percent))
        show(SHORT)
    show(LONG)
    for cost in (6, 7, 8, 10):
        tab.get_by_label("Cost of class 5, exactly").fill(str(cost))
        show(SHORT)
    tab.locator("#candidates").get_by_role("button", name="ensemble", exact=True).click()
    show(LONG)
    tab.locator("#case-title").evaluate("title => title.scrollIntoView()")
    show(LONG)
    for rooms in (6.5, 7.0, 7.5, 8.0):
        tab.get_by_label("RM", exact=True).fill(str(rooms))
        show(2 * SHORT)
    show(LONG)
    return frames


def main() -> None:
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"]
        )
        tab = browser.new_context(viewport=SIZE, color_scheme="light").new_page()
        tab.set_content(boston_page())
        tab.wait_for_selector("html[data-ready]", state="attached")
        frames = play(tab)
        browser.close()
    (HERE / "page.png").write_bytes(frames[7][0])
    pictures = [Image.open(io.BytesIO(content)).convert("RGB") for content, _ in frames]
    palette = pictures[7].quantize(COLOURS)
    first, *others = [
        one.quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures
    ]
    first.save(
        HERE / "page.gif",
        save_all=True,
        append_images=others,
        duration=[milliseconds for _, milliseconds in frames],
        loop=0,
        optimize=True,
    )


if __name__ == "__main__":
    main()
