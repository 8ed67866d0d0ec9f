"""`moselect report`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from moselect.cli.options import ForceOption, MovedOption, RunArgument
from moselect.cli.terminal import Terminal
from moselect.storage.run_record import read_record


def report(
    run: RunArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the page.")] = Path(
        "page.html"
    ),
    data: MovedOption = None,
    jobs: Annotated[int | None, typer.Option(help="Processes to fit models with.")] = None,
    force: ForceOption = False,
) -> None:
    """Write one HTML page to pick a model by costs and limits, on new data."""
    read_record(run)

    from moselect.report import make_page
    from moselect.storage import read_run, search_of
    from moselect.storage.atomic import check_file_path, replacing
    from moselect.storage.kept_fits import keep_fits, restore_fits
    from moselect.storage.recorded_search import load_recorded

    check_file_path(out, replace=force)
    found = read_run(run)
    about = {name: found.record["data"][name] for name in ("name", "target", "fingerprint")}
    dataset = load_recorded(found.record, data, "--data DATA")
    search = search_of(found.record, labels=dataset.labels, n_jobs=jobs)
    selector = search.selector(found.front, dataset.X, dataset.y)
    restore_fits(run, found.record, selector)
    page = make_page(selector, about=about, run=shlex.quote(str(run)))
    keep_fits(run, found.record, selector)
    with replacing(out, overwrite=force) as file:
        file.write(page.html.encode())
    Terminal().results.print(str(out), soft_wrap=True)
