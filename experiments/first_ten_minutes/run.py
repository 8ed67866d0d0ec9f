"""From awkward tables to a model file: on the command line, and on the page in a browser.

    python -m experiments.first_ten_minutes.run [--tables clinic claims] [--keep FOLDER]

Each table is searched, at most one correction is typed if the message names it, and every
candidate is selected within a limit and predicts new rows. Then the page is opened in three
windows, costs and a limit are set by keyboard alone, an additive model, a linear model or an
ensemble is selected, and predict the same rows. Printed are, for each table, whether it was
corrected, the lines of the screens at 80 columns, how many candidates predict, what the page says
of the limit on new data, and the most actions on the page from its opening to the file.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
from playwright.sync_api import Browser, Page, sync_playwright

from experiments.first_ten_minutes.tables import Table, make_tables

CLI = [sys.executable, "-c", "from moselect.cli import main; main()"]
CANDIDATES = ("scorecard", "linear", "additive", "ensemble")
WINDOWS = (  # width, height, colours, the candidate that is taken
    (1440, 900, "light", "additive"),
    (1024, 768, "light", "ensemble"),
    (390, 844, "dark", "linear"),
)
FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
SHARE = 30  # percent of the highest class that may be called lower


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as in a terminal of 80 columns."""
    settings = {**os.environ, "COLUMNS": "80"}
    line = [*CLI, *arguments]
    return subprocess.run(line, cwd=folder, env=settings, capture_output=True, text=True)


def screen(done: subprocess.CompletedProcess[str]) -> int:
    """Return the lines that a command printed, broken at 80 columns."""
    lines = (done.stdout + done.stderr).splitlines()
    return sum(max(1, -(-len(line) // 80)) for line in lines)


def search(table: Table, folder: Path) -> dict[str, object]:
    """Search a table; with the one correction that the first message must name."""
    typed = ("search", str(table.labelled), "--seed", "1", "--force", "--out", table.name)
    done = run(folder, *typed)
    corrected = "no"
    if table.correction:
        told = " ".join((done.stdout + done.stderr).split())
        assert table.correction[0] in told, told
        corrected = " ".join(table.correction)
        done = run(folder, *typed, *table.correction)
    assert done.returncode == 0, done.stderr
    return {"correction": corrected, "search": screen(done)}


def select(table: Table, limit: str, folder: Path) -> dict[str, object]:
    """Select every candidate within a limit, and predict the new rows by each."""
    most, predicted = 0, []
    for candidate in CANDIDATES:
        model = (
            f"{table.name}-{candidate}{'.npz' if candidate == 'ensemble' else '.json'}"
        )
        typed = (
            "--class-costs",
            table.costs,
            "--limit",
            limit,
            "--model",
            candidate,
            "-o",
            model,
        )
        done = run(folder, "select", table.name, *typed, "--force")
        # 3: the limit is not met, and said so
        assert done.returncode in (0, 3), done.stderr
        most = max(most, screen(done))
        predicted += [candidate] * predicts(table, model, folder)
    return {"select": most, "candidates": len(predicted)}


def predicts(table: Table, model: str, folder: Path) -> bool:
    """Return whether a model gives every new row a class."""
    done = run(folder, "predict", model, str(table.new), "-o", "p.parquet", "--force")
    assert done.returncode == 0, done.stderr
    return bool(pd.read_parquet(folder / "p.parquet")["class"].notna().all())


class Visitor:
    """Somebody on the page with a keyboard alone, whose actions are counted."""

    def __init__(self, tab: Page) -> None:
        self.tab, self.n_actions = tab, 0

    def reach(self, name: str) -> None:
        """Press the tabulator until a field or button has the focus, from the top of the page."""
        self.tab.evaluate("document.getElementById('link').focus()")
        for _ in range(300):
            self.tab.keyboard.press("Tab")
            if self.tab.evaluate(FOCUSED).strip() == name:
                return
        raise AssertionError(f"the keyboard does not reach {name!r}")

    def write(self, name: str, text: str) -> None:
        """Write a number in place of what is there."""
        self.reach(name)
        self.tab.keyboard.type(text)
        self.n_actions += 1

    def press(self, name: str, key: str = "Enter") -> None:
        """Press a button."""
        self.reach(name)
        self.tab.keyboard.press(key)
        self.n_actions += 1


def visit(
    table: Table, highest: str, browser: Browser, folder: Path
) -> dict[str, object]:
    """Take a model from the page, in each window, and predict with it."""
    done = run(folder, "report", table.name, "-o", f"{table.name}.html", "--force")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = {}
    actions = []
    for width, height, scheme, candidate in WINDOWS:
        tab = browser.new_page(
            color_scheme=scheme, viewport={"width": width, "height": height}
        )
        tab.goto((folder / f"{table.name}.html").as_uri())
        tab.wait_for_selector("html[data-ready]", state="attached")
        visitor = Visitor(tab)
        visitor.write(f"Cost of class {highest}, exactly", "6")
        visitor.write("Maximum share, percent", str(SHARE))
        tab.keyboard.press("Enter")
        visitor.n_actions += 1
        visitor.press(candidate)
        met = tab.locator("#chips li > :is(.muted, .error)").first.inner_text()
        if "not met" in met:
            tab.get_by_label("download anyway").check()
            visitor.n_actions += 1
        if candidate == "ensemble":  # the page gives the command that writes it
            visitor.press("Copy")
            typed = shlex.split(tab.inner_text("#command"))[1:]
            assert run(folder, *typed, "--force").returncode in (0, 3)
            model = typed[-1]
        else:
            with tab.expect_download() as got:
                visitor.press("Download model.json")
            got.value.save_as(folder / "page.json")
            model = "page.json"
        assert predicts(table, model, folder)
        tab.screenshot(path=folder / f"{table.name}-{width}.png", full_page=True)
        tab.close()
        found[f"limit, {candidate}"] = met
        actions.append(visitor.n_actions)
    return found | {"actions": max(actions)}


def walk(table: Table, browser: Browser, folder: Path) -> dict[str, object]:
    """Go from a table to predictions, on the command line and on the page."""
    found = search(table, folder)
    record = json.loads((folder / table.name / "run.json").read_text())
    highest = str(record["classes"][-1])
    found |= select(table, f"{highest}<{highest}:{SHARE / 100}", folder)
    return {"table": table.name} | found | visit(table, highest, browser, folder)


def main() -> None:
    """Walk all tables, or those that are named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", nargs="*")
    parser.add_argument("--keep", type=Path, help="folder for all files and pictures")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        folder = given.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        rows = []
        for table in make_tables(folder):
            if not given.tables or table.name in given.tables:
                rows.append(walk(table, browser, folder))
                print(rows[-1], flush=True)
        print(pd.DataFrame(rows).set_index("table").to_string())


if __name__ == "__main__":
    main()
