"""The pictures of a run folder."""

from __future__ import annotations

from pathlib import Path

from moselect.plots import pairwise_fronts
from moselect.storage import Run, replacing


def draw_pictures(run: Run) -> list[Path]:
    """Draw the pictures of a run into its folder; returns their paths."""
    front = run.front
    figure = pairwise_fronts(front.objectives, chance=front.chance, holdout=front.holdout)
    path = run.path / "figures" / "fronts.png"
    path.parent.mkdir(exist_ok=True)
    with replacing(path) as file:
        figure.savefig(file, format="png", dpi=150)
    return [path]
