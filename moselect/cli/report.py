"""`moselect report`: the page of a run folder."""

from __future__ import annotations

import shlex
from pathlib import Path

from moselect.cli.terminal import Terminal
from moselect.report import make_page
from moselect.storage import read_run, search_of
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
    dataset = load_recorded(run.record, data, "--data DATA")
    search = search_of(run.record, labels=dataset.labels, n_jobs=jobs)
    selector = search.selector(run.front, dataset.X, dataset.y)
    page = make_page(selector, about=about, run=shlex.quote(str(path)))
    with replacing(out, overwrite=force) as file:
        file.write(page.html.encode())
    if terminal.json:
        terminal.print_json({"page": str(out)})
    else:
        terminal.results.print(str(out), soft_wrap=True)
