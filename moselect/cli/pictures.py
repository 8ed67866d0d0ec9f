"""Pictures that commands draw."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg

from moselect import plots
from moselect.candidates.names import SCORECARD
from moselect.inspection.group_members import FEWEST_ROWS
from moselect.io.atomic import write_file
from moselect.io.run_record import FIGURES, FRONTS
from moselect.search.front import Front

if TYPE_CHECKING:  # slow to import, and no search needs them
    from moselect.inspection.groups import GroupEstimates
    from moselect.selection import Evidence, Selector


def draw_front(run: Path, front: Front, path: Path | None = None) -> Path:
    """Draw the objectives of a front in pairs, by default into its run; gives the path."""
    new = front.holdout if front.expected is None else front.expected
    if new is not None and new.isna().to_numpy().any():
        new = None  # not all objectives can be estimated
    if path is None:
        (run / FIGURES).mkdir(exist_ok=True)
        path = run / FRONTS
    figure = plots.pairwise_fronts(
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


def draw_evidence(
    evidence: Evidence,
    groups: Iterable[GroupEstimates],
    selector: Selector,
    folder: Path,
) -> None:
    """Draw the evidence for a selected model into a folder."""
    save_figure(plots.decision(evidence), folder / "decision.png")
    save_figure(plots.trade_off(evidence), folder / "trade_off.png")
    if evidence.costs is not None and evidence.costs.referral is not None:
        save_figure(plots.referral(evidence), folder / "referral.png")
    if evidence.selected == SCORECARD:
        lengths = selector.scorecard_lengths(evidence)
        figure = plots.scorecard_lengths(lengths, int(evidence.chosen.fit.terms))
        save_figure(figure, folder / "scorecard_lengths.png")
    for found in groups:
        name = re.sub(r"[^0-9A-Za-z]+", "_", str(found.table.index.name))
        if found.table["rows"].max() >= FEWEST_ROWS:
            save_figure(plots.by_group(found).figure, folder / f"by_{name}.png")
