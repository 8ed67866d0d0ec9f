"""`moselect plot`: the front of a run folder as a picture."""

import moselect
from moselect.cli.pictures import draw_front
from moselect.cli.requests import check_output
from moselect.cli.run_requests import PlotRequest
from moselect.cli.terminal import Terminal


def plot(request: PlotRequest) -> None:
    """Draw the front of a run folder."""
    check_output(request.out, request.force, request.run, suffixes=(".png",))
    terminal = Terminal()
    with terminal.progress(f"drawing the front of {request.run}"):
        front = moselect.io.read_run(request.run).front
        path = draw_front(request.run, front, request.out)
    terminal.print(str(path), soft_wrap=True)
