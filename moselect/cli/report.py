"""`moselect report`: the page of a run folder."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pandas as pd

from moselect.cli.select import data_of
from moselect.cli.terminal import Terminal
from moselect.front import Selector
from moselect.report import make_page, select_for_settings
from moselect.storage import Run, check_file_path, read_run, replacing, search_of


def run_report(
    path: Path,
    data: str | None,
    out: Path,
    with_samples: bool,
    jobs: int | None,
    force: bool,
    terminal: Terminal,
) -> None:
    """Write the page of a run, complete or not at all."""
    check_file_path(out, replace=force)
    run = read_run(path)
    about = {name: run.record["data"][name] for name in ("name", "target", "fingerprint")}
    found = _find_data(run, data, with_samples, terminal)
    X = y = known = None
    if found is not None:
        selector, rows = found
        X = pd.DataFrame(selector.data.X, columns=selector.data.feature_names, index=rows)
        y = selector.data.classes[selector.data.codes]
        known = select_for_settings(selector, about, n_jobs=jobs)
    page = make_page(
        run.front,
        X,
        y,
        about=about,
        run=shlex.quote(str(path)),
        new_data=known,
        with_samples=with_samples,
    )
    with replacing(out) as file:
        file.write(page.html.encode())
    if with_samples:
        terminal.warn(
            f"'{out}' holds the rows of the data: pass it on only if you may pass them on"
        )
    if terminal.json:
        terminal.print_json({"page": str(out)})
    else:
        terminal.results.print(str(out), soft_wrap=True)


def _find_data(
    run: Run, data: str | None, needed: bool, terminal: Terminal
) -> tuple[Selector, pd.Index[Any]] | None:
    """Return what selects models of a run, and the labels of its rows in the table.

    None if the data cannot be had and are not needed. They are not fetched over the network unless
    ``data`` names them.
    """
    without = "without the data the page shows figures of training alone"
    source = str(run.record["data"]["loaded_by"].get("source"))
    if data is None and source.startswith("openml:"):
        advice = f"nothing is fetched from the network: give --data {source}"
        if needed:
            raise ValueError(f"--with-samples needs the data, and {advice}")
        terminal.warn(f"{advice}; {without}")
        return None
    try:
        dataset = data_of(run, data)
    except ValueError as error:
        if data is not None or needed:
            raise
        terminal.warn(f"{error}; {without}")
        return None
    search = search_of(run.record, labels=dataset.labels)
    selector = search.selector(run.front, dataset.X, dataset.y)
    return selector, dataset.X.index.delete(search.holdout_rows_)
