"""The pictures of a run folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from matplotlib import pyplot as plt
from matplotlib.figure import Figure, SubFigure

from moselect.front import Front
from moselect.plots import front_costs, pairwise_fronts, parallel_coordinates
from moselect.storage import Run
from moselect.storage.atomic import replacing
from moselect.storage.run_folder import remove

Kind = Literal["fronts", "parallel", "costs"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def draw_pictures(run: Run, kinds: Sequence[Kind] = ("fronts",)) -> list[Path]:
    """Draw pictures of a run into its folder; returns their paths."""
    paths = []
    folder = run.path / "figures"
    if folder.is_symlink():
        remove(folder)
    folder.mkdir(exist_ok=True)
    for kind in kinds:
        path = folder / f"{kind}.png"
        figure = _draw(run.front, kind)
        with replacing(path, follow=False) as file:
            figure.savefig(file, format="png", dpi=150)
        plt.close(figure)
        paths.append(path)
    return paths


def _draw(front: Front, kind: Kind) -> Figure:
    if kind == "fronts":
        return pairwise_fronts(front.objectives, chance=front.chance, holdout=front.holdout)
    if kind == "parallel":
        figure = parallel_coordinates(front.objectives, chance=front.chance).figure
    else:
        figure = front_costs(front, objective=str(front.objectives.columns[0])).figure
    assert figure is not None  # it has just been made
    assert not isinstance(figure, SubFigure)
    return figure
