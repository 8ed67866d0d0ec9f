"""`moselect plot` and `moselect report`: the picture and the page of a run."""

from __future__ import annotations

import shlex
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moselect.cli.options import (
    ClassCostsOption,
    ForceOption,
    LimitOption,
    MovedOption,
    ReferOption,
    RunArgument,
    numbers,
)
from moselect.cli.terminal import Terminal
from moselect.storage.atomic import check_file_path, make_folder, write_file
from moselect.storage.run_record import read_record

if TYPE_CHECKING:  # slow to import
    from moselect.front import Front


def plot(run: RunArgument) -> None:
    """Draw the objectives of the front of a run folder in pairs."""
    read_record(run)

    from moselect.storage import read_run

    Terminal().results.print(str(draw_front(run, read_run(run).front)), soft_wrap=True)


def report(
    run: RunArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the page.")] = Path(
        "page.html"
    ),
    class_costs: ClassCostsOption = None,
    limit: LimitOption = None,
    refer: ReferOption = None,
    data: MovedOption = None,
    jobs: Annotated[int | None, typer.Option(help="Processes to fit models with.")] = None,
    force: ForceOption = False,
) -> None:
    """Write one HTML page to pick a model by costs and limits, on new data.

    It begins with these costs and limits, or with those of the last `moselect select`.
    """
    read_record(run)

    from moselect.cli.select_options import limits_of, referral_of
    from moselect.decision import Costs
    from moselect.report import make_page
    from moselect.storage import read_run, search_of
    from moselect.storage.kept_fits import KeptFits
    from moselect.storage.last_decision import last_decision
    from moselect.storage.run_record import load_recorded

    check_file_path(out, replace=force)
    given = class_costs, limit, refer
    start = last_decision(run) if given == (None, None, None) else None
    if start is None:
        costs = Costs(numbers("--class-costs", class_costs), refer=referral_of(refer))
        start = costs, limits_of(limit)
    found = read_run(run)
    about = {name: found.record["data"][name] for name in ("name", "target", "fingerprint")}
    dataset = load_recorded(found.record, data, "--data DATA")
    search = search_of(found.record, labels=dataset.labels, n_jobs=jobs)
    selector = search.selector(found.front, dataset.X, dataset.y, **dataset.roles)
    kept = KeptFits(run, found.record, selector)
    name = shlex.quote(str(run))
    page = make_page(selector, about=about, run=name, costs=start[0], limits=start[1])
    kept.keep()
    write_file(out, page.html.encode(), overwrite=force)
    Terminal().results.print(str(out), soft_wrap=True)


def draw_front(run: Path, front: Front) -> Path:
    """Draw the objectives of a front in pairs into the folder of its run; gives the path."""
    from moselect.plots import pairwise_fronts

    new = front.holdout if front.expected is None else front.expected
    if new is not None and new.isna().to_numpy().any():
        new = None  # not all objectives can be estimated
    figure = pairwise_fronts(
        front.objectives,
        chance=front.chance,
        holdout=new,
        marked=front.objectives.iloc[[front.balanced()]].set_axis(["the balanced model"]),
    )
    return save_figure(figure, run / "figures" / "fronts.png")


def save_figure(figure: Any, path: Path) -> Path:
    """Write a figure to a file of a run, whose folder is made, and close it."""
    from matplotlib import pyplot as plt

    content = BytesIO()
    # The most compression takes longer than the lines and points, for a tenth of the size.
    figure.savefig(content, format="png", dpi=150, pil_kwargs={"compress_level": 1})
    plt.close(figure)
    make_folder(path.parent)
    write_file(path, content.getvalue(), follow=False)
    return path
