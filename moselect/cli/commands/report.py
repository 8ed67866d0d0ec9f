"""The options of `moselect report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from moselect.cli.options import RunArgument


def report(
    run: RunArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the page.")] = Path(
        "page.html"
    ),
) -> None:
    """Write one HTML page to explore a front and pick a model by cost."""
    from moselect.cli.report import run_report

    typer.echo(run_report(run, out))
