"""Files that commands write: their names are checked early, and figures are drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import moselect
from moselect.cli.requests import UsageError, usage_errors
from moselect.datasets.sources import in_data_folder
from moselect.io.atomic import check_file_path, write_file
from moselect.io.run_record import FIGURES, RECORD, is_part_of_run, read_record

if TYPE_CHECKING:  # slow to import
    from moselect.inspection.groups import GroupEstimates
    from moselect.search.front import Front
    from moselect.selection import Evidence


def draw_front(run: Path, front: moselect.Front, path: Path | None = None) -> Path:
    """Draw the objectives of a front in pairs, by default into its run; gives the path."""
    new = front.holdout if front.expected is None else front.expected
    if new is not None and new.isna().to_numpy().any():
        new = None  # not all objectives can be estimated
    if path is None:
        (run / FIGURES).mkdir(exist_ok=True)
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
    canvas.print_png(
        content, metadata={"Title": "moselect"}, pil_kwargs={"compress_level": 6}
    )
    plt.close(figure)
    write_file(path, content.getvalue())
    return path


def check_picture(path: Path) -> None:
    """Raise ValueError if a picture, which nobody named, would replace another file."""
    if path.exists() and b"Title\0moselect" not in path.read_bytes():
        raise ValueError(
            f"'{path}' exists and is no picture of moselect: rename it, or name another file"
        )


def check_output(path: Path, force: bool, *inputs: object) -> None:
    """Raise UsageError if a file cannot be written, or is an input of the command.

    Inputs are files, and run folders with their data.
    """
    with usage_errors():
        check_file_path(path, replace=force)
    for given in inputs:
        if given is None:
            continue
        source = in_data_folder(str(given)) or Path(str(given))
        if (source / RECORD).is_file():
            if is_part_of_run(path, source):
                raise UsageError(
                    f"'{path}' is a file of the run '{source}': name another"
                )
            check_output(path, force, read_record(source)["data"]["loaded_by"]["source"])
        elif path.exists() and source.exists() and path.samefile(source):
            raise UsageError(f"'{path}' is an input of this command: name another file")


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
