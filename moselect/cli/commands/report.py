"""The options of `moselect report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli import completion
from moselect.cli.options import ForceOption, JsonOption, RunArgument
from moselect.cli.terminal import Terminal


def report(
    run: RunArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the page.")] = Path(
        "page.html"
    ),
    data: Annotated[
        str | None,
        typer.Option(
            help="Where the data of the run are now, if they have moved.",
            autocompletion=completion.data_sets,
        ),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes to fit models with.")] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Write one HTML page to pick a model by costs and limits, on new data."""
    from moselect.cli.report import run_report

    run_report(run, data, out, jobs, force, Terminal(json=json))
