"""The pictures of a run folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib import pyplot as plt

from moselect.front import Front
from moselect.plots import front_costs, pairwise_fronts, parallel_coordinates
from moselect.storage import Run
from moselect.storage.atomic import replacing
from moselect.storage.run_folder import remove


def _fronts(front: Front) -> Any:
    return pairwise_fronts(front.objectives, chance=front.chance, holdout=front.holdout)


def _parallel(front: Front) -> Any:
    return parallel_coordinates(front.objectives, chance=front.chance).figure


def _costs(front: Front) -> Any:
    return front_costs(front, objective=str(front.objectives.columns[0])).figure


PICTURES = {"fronts": _fronts, "parallel": _parallel, "costs": _costs}


def draw_pictures(run: Run, names: Sequence[str] = ("fronts",)) -> list[Path]:
    """Draw pictures of a run into its folder; returns their paths."""
    folder = run.path / "figures"
    if folder.is_symlink():
        remove(folder)
    folder.mkdir(exist_ok=True)
    return [
        save_figure(PICTURES[name](run.front), folder / f"{name}.png", follow=False)
        for name in names
    ]


def save_figure(figure: Any, path: Path, **how: bool) -> Path:
    """Write a figure to a file as `replacing` does, and close it."""
    with replacing(path, **how) as file:
        figure.savefig(file, format="png", dpi=150)
    plt.close(figure)
    return path
