"""`moselect plot` and `moselect report`: the pictures and the page of a run."""

from __future__ import annotations

import shlex
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import moselect
from moselect.cli.options import (
    ClassCosts,
    Force,
    Limits,
    Moved,
    Refer,
    RunFolder,
    costs_of,
    option,
)
from moselect.cli.terminal import Show, Terminal
from moselect.io.atomic import check_file_path, make_folder, write_file
from moselect.io.run_record import load_recorded, read_record, search_of

if TYPE_CHECKING:  # slow to import
    from moselect.io.kept import KeptEvidence


def plot(
    run: RunFolder,
    out: Annotated[
        Path | None,
        option("File for the figure; by default in the run folder.", "--out", "-o"),
    ] = None,
    force: Force = False,
) -> None:
    """Draw the objectives of the front of a run folder in pairs."""
    read_record(run)
    if out is not None:
        check_file_path(out, replace=force)
    terminal = Terminal()
    with terminal.progress(f"drawing the front of {run}"):
        path = draw_front(run, moselect.io.read_run(run).front, out)
    terminal.print(str(path), soft_wrap=True)


def report(
    run: RunFolder,
    out: Annotated[Path, option("File for the page.", "--out", "-o")] = Path("page.html"),
    class_costs: ClassCosts = None,
    limit: Limits = None,
    refer: Refer = None,
    data: Moved = None,
    jobs: Annotated[int | None, option("Processes to fit models with.")] = None,
    force: Force = False,
) -> None:
    """Write an HTML page to select a model by costs and limits, cross-validated.

    It opens with these costs and limits, or with the settings of the last `moselect select`.
    """
    record = read_record(run)
    check_file_path(out, replace=force)
    from moselect.learning import FitError  # slow to import

    terminal = Terminal()
    with terminal.progress(f"reading {run}") as show:
        searched = moselect.io.read_run(run)
        dataset, selector, kept = fits_of(searched, data, show, jobs)
        if (class_costs, limit, refer) == (None, None, None):
            costs, limits, criterion = kept.last_decision
        else:
            stated = costs_of(dataset.labels, class_costs, refer=refer)
            costs, limits = stated or moselect.Costs(refer=refer), dict(limit or [])
            criterion = None
        about = {name: record["data"][name] for name in ("name", "target", "fingerprint")}
        if criterion is not None:
            about["criterion"] = criterion
        name = shlex.quote(str(run))
        try:
            page = moselect.page.make_page(
                selector, about=about, run=name, costs=costs, limits=limits
            )
        except FitError as error:
            raise ValueError(
                f"a page shows every candidate, and one cannot be fitted: {error}"
            ) from None
        write_file(out, page.html.encode(), overwrite=force)
    terminal.print(str(out), soft_wrap=True)


def fits_of(
    run: moselect.io.Run,
    data: str | None,
    show: Show,
    n_jobs: int | None,
    conditions: int | None = None,
) -> tuple[moselect.datasets.Dataset, moselect.front.Selector, KeptEvidence]:
    """Return the data of a run, its model selection, and the fitted candidates.

    Scorecards of other ``conditions`` than usual are not kept.
    """
    from moselect.io.kept import KeptEvidence

    dataset = load_recorded(run.record, data, "--data DATA")
    search = search_of(run.record, labels=dataset.labels, n_jobs=n_jobs)
    selector = search.selector(run.front, dataset.X, dataset.y, **dataset.roles)
    kept = KeptEvidence(run.path, run.record, selector)
    if conditions is not None:
        selector.fits.take_conditions(conditions)

    def report(candidate: str, done: int, n_folds: int) -> None:
        doing = f"fitting {candidate}, whole and without folds: {done} of {n_folds}"
        show(doing, done, n_folds)
        if done == n_folds and conditions is None:
            kept.keep()

    selector.fits.report = report
    return dataset, selector, kept


def draw_front(run: Path, front: moselect.Front, path: Path | None = None) -> Path:
    """Draw the objectives of a front in pairs, by default into its run; gives the path."""
    new = front.holdout if front.expected is None else front.expected
    if new is not None and new.isna().to_numpy().any():
        new = None  # not all objectives can be estimated
    figure = moselect.plots.pairwise_fronts(
        front.objectives,
        chance=front.chance,
        holdout=new,
        marked=front.objectives.iloc[[front.balanced()]].set_axis(["the balanced model"]),
    )
    return save_figure(figure, path or figures_of_run(run) / "fronts.png")


def save_figure(figure: Any, path: Path) -> Path:
    """Write a figure to a file, and close it."""
    from matplotlib import pyplot as plt
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    content = BytesIO()
    # More dots an inch show no more of the lines and points; `savefig` would draw twice.
    figure.set_dpi(100)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.print_png(content, pil_kwargs={"compress_level": 6})
    plt.close(figure)
    write_file(path, content.getvalue(), follow=False)
    return path


def figures_of_run(run: Path) -> Path:
    """Return the folder of the pictures of a run, which is made."""
    folder = run / "figures"
    make_folder(folder)
    return folder
