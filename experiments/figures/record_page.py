"""Record the page while a cost moves: page.gif and page.png, from the guide's claims.

    python experiments/figures/record_page.py

Needs the extra ``test`` and a Chromium.
"""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pandas as pd
from PIL import Image
from playwright.sync_api import Page, sync_playwright

import moselect
from moselect.report import make_page

HERE = Path(__file__).parent
CLASSES = ["none", "slight", "serious", "severe"]
SIZE = {"width": 1120, "height": 700}
COLOURS, SHORT, LONG = 64, 350, 2200  # of a picture; milliseconds


def claims_page() -> str:
    """Return the page of a search of the claims, as HTML."""
    table = pd.read_csv(HERE.parents[1] / "docs" / "data" / "claims.csv")
    X, y = table.drop(columns=["severity", "claim"]), table["severity"]
    search = moselect.ParetoSearch(labels=CLASSES, random_state=1).fit(X, y)
    about = {"name": "claims.csv", "target": "severity"}
    return make_page(search.selector_, about=about).html


def play(tab: Page) -> list[tuple[bytes, int]]:
    """Return screenshots, each with its time: a cost, a kind, and a row that is typed in."""
    frames = []

    def show(milliseconds: int) -> None:
        frames.append((tab.screenshot(), milliseconds))

    show(LONG)
    for name, costs in (("serious", (2, 3, 4, 5)), ("severe", (2, 4, 6, 8, 10))):
        for cost in costs:
            tab.get_by_label(f"Cost of class {name}", exact=True).fill(str(cost))
            show(SHORT)
    show(LONG)
    tab.locator("#kinds").get_by_role("button", name="points", exact=True).click()
    show(LONG)
    tab.locator("#case-title").evaluate("title => title.scrollIntoView()")
    show(LONG)
    for speed in (60, 80, 100, 120):
        tab.get_by_label("speed_kmh").fill(str(speed))
        show(2 * SHORT)
    show(LONG)
    return frames


def main() -> None:
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        tab = browser.new_context(viewport=SIZE, color_scheme="light").new_page()
        tab.set_content(claims_page())
        tab.wait_for_selector("html[data-ready]", state="attached")
        frames = play(tab)
        browser.close()
    (HERE / "page.png").write_bytes(frames[10][0])
    pictures = [Image.open(io.BytesIO(content)).convert("RGB") for content, _ in frames]
    palette = pictures[11].quantize(COLOURS)
    first, *others = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in pictures]
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
