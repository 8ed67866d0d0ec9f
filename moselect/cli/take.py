"""`moselect take`: a model of the front as the search found it."""

from __future__ import annotations

from typing import Annotated

import moselect
from moselect.cli.model_files import ModelRequest, print_files, write_summary
from moselect.cli.options import option
from moselect.io.run_record import read_record


class TakeRequest(ModelRequest, frozen=True, kw_only=True):
    """Options of `moselect take`."""

    member: Annotated[int | None, option("The model of this number.", min=0)] = None
    best: Annotated[str | None, option("The model that is best in an objective.")] = None
    balanced: Annotated[bool, option("The compromise model.", "--balanced")] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.given_one("member", "best", "balanced"):
            raise ValueError("name the model: --member NUMBER, --best vus or --balanced")

    def index_in(self, front: moselect.Front) -> int:
        """Return the number of the model in a front."""
        if self.best is not None:
            return front.best(self.best)
        if self.member is None:
            return front.balanced()
        if self.member >= len(front):
            raise ValueError(
                f"--member {self.member}: the models of the front are 0 to {len(front) - 1}"
            )
        return self.member


def take(request: TakeRequest) -> None:
    """Write a model of the front as it is, without candidates and cross-validation.

    It needs no data. A new folder in the run folder contains a summary.
    """
    # A wrong folder is an error before the slow imports.
    record = read_record(request.run)
    terminal = request.terminal()
    with terminal.progress(f"reading {request.run}"):
        from moselect.report.members import card_of_member, figure_rows, figures_of

        run = moselect.io.read_run(request.run)
        front = run.front
        request.check_early("best member", front[0])
        index = request.index_in(front)
        data = record["data"]
        card = card_of_member(
            front, index, data["target"] or "class", data["name"], data["n_samples"]
        )
        model = front[index].replace(card=card)
        about = {
            "fingerprint": data["fingerprint"],
            "moselect": moselect.__version__,
            "member": index,
        }
        files = request.write(model, about)
        write_summary(run, model, files, terminal)
    if terminal.json:
        terminal.print_json(
            {**files, "member": index, "figures": figures_of(front, index)}
        )
        return
    terminal.print_rows(figure_rows(front, index, f"model {index} of the front"))
    terminal.print(model.summary)
    print_files(files, terminal)
