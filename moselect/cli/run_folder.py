"""Run folders: their data and fitted candidates, and figures of fronts and selections."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import moselect
from moselect.cli.terminal import Show
from moselect.io.atomic import PART, make_folder, remove_folder, write_file
from moselect.io.run_record import FIGURES, SELECTIONS, load_recorded, search_of

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect.front import Front
    from moselect.io.kept import KeptEvidence
    from moselect.selection import Evidence, GroupEstimates


def new_selection_folder(run: Path, write: Callable[[Path], None]) -> Path:
    """Write the results of a selection into a new numbered folder, all of them or none."""
    folder = run / SELECTIONS
    make_folder(folder)
    temporary = folder / f".{secrets.token_hex(8)}{PART}"
    temporary.mkdir()
    try:
        write(temporary)
        for number in count(1):
            path = folder / f"{number:03d}"
            try:
                temporary.rename(path)
                break
            except OSError:
                if not path.exists():  # else an earlier selection has this number
                    raise
    finally:
        remove_folder(temporary)
    return path


def draw_evidence(
    evidence: Evidence, front: Front, groups: Iterable[GroupEstimates], folder: Path
) -> None:
    """Draw the evidence for a selected model into a folder."""
    plots = moselect.plots  # slow to import: while the result is read
    save_figure(plots.decision(evidence), folder / "decision.png")
    with suppress(ValueError):  # fewer than two objectives differ
        save_figure(plots.front_on_new_data(evidence, front), folder / "new_data.png")
    save_figure(plots.trade_off(evidence), folder / "trade_off.png")
    if evidence.value == "cost" and evidence.costs is not None:
        save_figure(plots.price_of_limit(evidence), folder / "price_of_limit.png")
        if evidence.costs.referral is not None:
            save_figure(plots.referral(evidence), folder / "referral.png")
    for found in groups:
        name = re.sub(r"[^0-9A-Za-z]+", "_", str(found.table.index.name))
        save_figure(plots.by_group(found).figure, folder / f"by_{name}.png")


def draw_front(run: Path, front: moselect.Front, path: Path | None = None) -> Path:
    """Draw the objectives of a front in pairs, by default into its run; gives the path."""
    new = front.holdout if front.expected is None else front.expected
    if new is not None and new.isna().to_numpy().any():
        new = None  # not all objectives can be estimated
    if path is None:
        make_folder(run / FIGURES)
        path = run / FIGURES / "fronts.png"
    figure = moselect.plots.pairwise_fronts(
        front.objectives,
        chance=front.chance,
        holdout=new,
        marked=front.objectives.iloc[[front.balanced()]].set_axis(
            ["the compromise model"]
        ),
    )
    return save_figure(figure, path)


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


def table_with_roles(dataset: moselect.datasets.Dataset) -> pd.DataFrame:
    """Join the features of a data set and its columns of weights, groups and times."""
    roles = {str(values.name): values for values in dataset.roles.values()}
    return dataset.X.assign(**roles)


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
        doing = f"fitting {candidate}: {done} of {n_folds} folds"
        show(doing, done, n_folds)
        if done == n_folds and conditions is None:
            kept.keep()

    selector.fits.report = report
    return dataset, selector, kept
