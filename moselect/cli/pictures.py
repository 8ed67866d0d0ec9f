"""The pictures of a run folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib import pyplot as plt
from numpy.typing import ArrayLike

from moselect.decision import Evidence
from moselect.front import Front
from moselect.plots import decision, pairwise_fronts, parallel_coordinates
from moselect.storage import Run
from moselect.storage.atomic import replacing
from moselect.storage.run_folder import remove


def _fronts(front: Front) -> Any:
    return pairwise_fronts(front.objectives, chance=front.chance, holdout=front.holdout)


def _parallel(front: Front) -> Any:
    return parallel_coordinates(front.objectives, chance=front.chance).figure


PICTURES = {"fronts": _fronts, "parallel": _parallel}


def draw_pictures(run: Run, names: Sequence[str] = ("fronts",)) -> list[Path]:
    """Draw pictures of a run into its folder; returns their paths."""
    return [_write(run, name, PICTURES[name](run.front)) for name in names]


def draw_decision(run: Run, evidence: Evidence, y: ArrayLike) -> Path:
    """Draw what a selection rests on into the folder of its run; returns the path."""
    return _write(run, "decision", decision(evidence, y))


def _write(run: Run, name: str, figure: Any) -> Path:
    folder = run.path / "figures"
    if folder.is_symlink():
        remove(folder)
    folder.mkdir(exist_ok=True)
    return save_figure(figure, folder / f"{name}.png", follow=False)


def save_figure(figure: Any, path: Path, **how: bool) -> Path:
    """Write a figure to a file as `replacing` does, and close it."""
    with replacing(path, **how) as file:
        figure.savefig(file, format="png", dpi=150)
    plt.close(figure)
    return path
