"""The page of a front of 3,000 models in a browser: its size, and how long users wait.

    python experiments/benchmarks/report.py [--browser /usr/bin/chromium]

The browser has no window and no graphics card, so that what others draw by hardware is computed
here. Least of some repetitions, waited and as processor time of the page.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from moselect import ParetoSearch
from moselect.page import make_page

REPETITIONS = 5
READY = "html[data-ready]"
CLOCK = """async () => {
    const started = performance.now();
    await (%s)();
    return performance.now() - started;
}"""
# What follows at once when the user moves something, charts of the next frame included.
FRAME = "await new Reference((done) => requestAnimationFrame(() => setTimeout(done)))"
SLIDER = """const slider = document.querySelector('#class-costs input[type=range]');
    slider.value = 1 + 8 * Math.random(); slider.dispatchEvent(new Event('input'));"""
LIMIT = """document.getElementById('limit-value').value = %s;
    document.getElementById('limit-form').requestSubmit();"""
TASKS = {
    "a slider moves: decisions, costs, words": f"async () => {{ {SLIDER} }}",
    "the same, drawn": f"async () => {{ {SLIDER} {FRAME} }}",
    "a limit": f"async () => {{ {LIMIT % 30} {FRAME} }}",
    "a slider moves under a limit": f"async () => {{ {SLIDER} {FRAME} }}",
}


def make() -> Any:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2_000, 20))
    bent = X @ rng.normal(size=20) + 4 * np.sin(2 * X[:, 0])
    noisy = bent + 4 * rng.standard_t(3, size=len(X)) * (1 + np.abs(X[:, 1]) / 2)
    y = np.digitize(noisy, np.quantile(noisy, [0.3, 0.6, 0.8, 0.95]))
    search = ParetoSearch(n_iterations=100, max_models=None, random_state=1).fit(X, y)
    print(
        f"front of {len(search.front_):,} models, of which the page shows the best spread"
    )
    started = time.perf_counter()
    page = make_page(search.selector_)
    print(
        f"page made in {time.perf_counter() - started:.2f} s, {len(page.html) / 1e6:.2f} MB"
    )
    return page


def measure(browser: Browser, address: str) -> dict[str, tuple[float, float]]:
    """Return seconds waited and of the processor, by task."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    inspector = tab.context.new_cdp_session(tab)
    inspector.send("Performance.enable", {"timeDomain": "threadTicks"})

    def processor_time() -> float:
        metrics = inspector.send("Performance.getMetrics")["metrics"]
        return float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))

    started = time.perf_counter()
    tab.goto(address, wait_until="commit")
    tab.wait_for_selector(READY, state="attached")
    seconds = {"ready": (time.perf_counter() - started, processor_time())}
    for name, task in TASKS.items():
        before = processor_time()
        waited = tab.evaluate(CLOCK % task) / 1000
        seconds[name] = waited, processor_time() - before
    tab.close()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--browser", default="/usr/bin/chromium")
    page = make()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "page.html"
        page.write(path)
        browser = playwright.chromium.launch(
            executable_path=parser.parse_args().browser,
            args=["--no-sandbox", "--disable-gpu"],
        )
        rounds = [measure(browser, path.as_uri()) for _ in range(REPETITIONS)]
        browser.close()
    for name in rounds[0]:
        waited, used = map(min, zip(*(seconds[name] for seconds in rounds), strict=True))
        print(f"{name:40} {waited:7.3f} s waited {used:7.3f} s of the processor")


if __name__ == "__main__":
    main()
