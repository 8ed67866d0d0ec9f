"""`moselect plot`."""

from __future__ import annotations

from moselect.cli.options import RunArgument
from moselect.cli.terminal import Terminal
from moselect.storage.run_record import read_record


def plot(run: RunArgument) -> None:
    """Draw the pictures of a run folder: objectives in pairs, and side by side."""
    read_record(run)

    from moselect.cli.pictures import PICTURES, draw_pictures
    from moselect.storage import read_run

    paths = draw_pictures(read_run(run), tuple(PICTURES))
    Terminal().results.print(*map(str, paths), sep="\n", soft_wrap=True)
