"""`moselect report`: the page of a run folder."""

from __future__ import annotations

import shlex
from pathlib import Path

import pandas as pd

from moselect.cli.terminal import Terminal
from moselect.front import Selector
from moselect.report import make_page, select_for_settings
from moselect.storage import Run, read_run, search_of
from moselect.storage.atomic import check_file_path, replacing
from moselect.storage.recorded_search import load_recorded


def run_report(
    path: Path,
    data: str | None,
    out: Path,
    jobs: int | None,
    force: bool,
    terminal: Terminal,
) -> None:
    """Write the page of a run, complete or not at all."""
    check_file_path(out, replace=force)
    run = read_run(path)
    about = {name: run.record["data"][name] for name in ("name", "target", "fingerprint")}
    selector = _find_selector(run, data, terminal)
    X = y = selected = None
    if selector is not None:
        X = pd.DataFrame(selector.data.X, columns=selector.data.feature_names)
        y = selector.data.classes[selector.data.codes]
        selected = select_for_settings(selector, about, n_jobs=jobs)
    command = shlex.quote(str(path))
    page = make_page(run.front, X, y, about=about, run=command, selected=selected)
    with replacing(out, overwrite=force) as file:
        file.write(page.html.encode())
    if terminal.json:
        terminal.print_json({"page": str(out)})
    else:
        terminal.results.print(str(out), soft_wrap=True)


def _find_selector(run: Run, data: str | None, terminal: Terminal) -> Selector | None:
    """Return what selects models of a run, or None if its data cannot be had.

    They are not fetched over the network unless ``data`` names them.
    """
    without = "without the data the page shows figures of training alone"
    try:
        dataset = load_recorded(run.record, data, "--data DATA")
    except ValueError as error:
        if data is not None:
            raise
        terminal.warn(f"{error}; {without}")
        return None
    search = search_of(run.record, labels=dataset.labels)
    return search.selector(run.front, dataset.X, dataset.y)
