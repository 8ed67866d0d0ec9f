"""`moselect take`: a model of the front as the search found it."""

import moselect
from moselect.candidates.names import MEMBER
from moselect.cli.model_files import (
    check_early,
    print_files,
    write_files,
    write_summary,
)
from moselect.cli.run_requests import TakeRequest
from moselect.report.members import card_of_member, figure_rows


def take(request: TakeRequest) -> None:
    """Write a model of the front as it is."""
    terminal = request.terminal()
    with terminal.progress(f"reading {request.run}"):
        run = moselect.io.read_run(request.run)
        front = run.front
        check_early(request, MEMBER, front[0])
        index = request.index_in(front)
        data = run.record["data"]
        card = card_of_member(
            front, index, data["target"] or "class", data["name"], data["n_samples"]
        )
        model = front[index].replace(card=card)
        files = write_files(request, run, model, {"member": index})
        write_summary(run, model, files, terminal)
    if terminal.json:
        terminal.print_json(files | {"member": index, "figures": front.figures_of(index)})
        return
    terminal.print_table(figure_rows(front, index, f"model {index} of the front"))
    terminal.print(model.summary)
    print_files(files, terminal)
