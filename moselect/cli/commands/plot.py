"""The options of `moselect plot`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from moselect.cli.options import JsonOption, RunArgument
from moselect.cli.terminal import Terminal


def plot(
    run: RunArgument,
    kind: Annotated[
        Literal["fronts", "parallel", "costs", "all"],
        typer.Option(
            help="fronts: objectives in pairs; parallel: one axis an objective; "
            "costs: the cost of each model beside an objective, all mistakes weighed alike."
        ),
    ] = "fronts",
    json: JsonOption = False,
) -> None:
    """Draw the pictures of a run folder again."""
    from moselect.cli.pictures import KINDS, draw_pictures
    from moselect.storage import read_run

    terminal = Terminal(json=json)
    kinds = KINDS if kind == "all" else (kind,)
    pictures = [str(path) for path in draw_pictures(read_run(run), kinds)]
    if json:
        terminal.print_json({"pictures": pictures})
    else:
        terminal.results.print(*pictures, sep="\n", soft_wrap=True)
