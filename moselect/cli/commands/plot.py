"""The options of `moselect plot`."""

from __future__ import annotations

import typer

from moselect.cli.options import RunArgument


def plot(
    run: RunArgument,
) -> None:
    """Draw the pictures of a run folder again."""
    from moselect.cli.pictures import draw_pictures
    from moselect.storage import read_run

    for picture in draw_pictures(read_run(run)):
        typer.echo(picture)
