"""The options of `moselect plot`."""

from __future__ import annotations

from moselect.cli.options import JsonOption, QuietOption, RunArgument
from moselect.cli.terminal import Terminal


def plot(
    run: RunArgument,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Draw the pictures of a run folder again."""
    from moselect.cli.pictures import draw_pictures
    from moselect.storage import read_run

    terminal = Terminal(quiet=quiet, json=json)
    pictures = [str(path) for path in draw_pictures(read_run(run))]
    if json:
        terminal.print_json({"pictures": pictures})
    else:
        terminal.results.print(*pictures, sep="\n", soft_wrap=True)
