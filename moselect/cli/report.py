"""`moselect report`: the page of a run folder."""

from __future__ import annotations

import shlex
from pathlib import Path

from moselect.cli.terminal import Terminal
from moselect.datasets import Dataset, load_dataset
from moselect.report import make_page
from moselect.storage import Run, check_data, check_file_path, read_run, replacing


def run_report(path: Path, out: Path, force: bool, terminal: Terminal) -> None:
    """Write the page of a run, complete or not at all."""
    check_file_path(out, replace=force)
    run = read_run(path)
    about = {name: run.record["data"][name] for name in ("name", "target", "fingerprint")}
    data = _rows_of_search(run, terminal)
    X, y = (None, None) if data is None else (data.X, data.y)
    page = make_page(run.front, X, y, about=about, run=shlex.quote(str(path)))
    with replacing(out) as file:
        file.write(page.html.encode())
    if terminal.json:
        terminal.print_json({"page": str(out)})
    else:
        terminal.results.print(str(out), soft_wrap=True)


def _rows_of_search(run: Run, terminal: Terminal) -> Dataset | None:
    """Return the data of a run, or None if they cannot be had without a network or have changed."""
    loaded_by = run.record["data"]["loaded_by"]
    if run.front.holdout is not None or str(loaded_by["source"]).startswith("openml:"):
        return None
    try:
        data = load_dataset(**loaded_by)
        check_data(run.record, data)
    except ValueError as error:
        terminal.warn(f"{error}; without the data the page cannot solve thresholds for costs")
        return None
    return data
