"""Seconds to draw each picture and to save it as PNG: fronts of 20,000 models, 20,000 samples.

    python experiments/benchmarks/plots.py [--candidates 20000] [--style NAME] [--out FOLDER]

The fastest of three, after a first one that loads fonts and compiles. The models of the front are
random, all non-dominated in six objectives, on Boston housing; confusions are of 20,000 random
samples. With --out the pictures are kept.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import moselect
from moselect import plots
from moselect.metrics import OBJECTIVES
from moselect.search import Front

REPETITIONS = 3
N_RUNS, N_MARKS = 20, 60  # of the histories


def make_front(k: int, X: pd.DataFrame, rng: np.random.Generator) -> Front:
    """Give k models with objectives on a sphere, where none dominates another."""
    on_sphere = np.abs(rng.normal(size=(k, len(OBJECTIVES))))
    on_sphere /= np.linalg.norm(on_sphere, axis=1, keepdims=True)
    objectives = pd.DataFrame(0.5 + 0.4 * on_sphere, columns=list(OBJECTIVES))
    weights = (
        rng.normal(size=X.shape[1]) + 0.3 * rng.normal(size=(k, X.shape[1]))
    ) / X.std().values
    scores = weights @ X.sample(100, random_state=0).to_numpy().T
    return Front(
        objectives=objectives,
        weights=weights,
        thresholds=np.quantile(scores, [0.4, 0.7, 0.85, 0.93], axis=1).T,
        classes=np.arange(1, 6),
        feature_names=tuple(X.columns),
        chance=pd.Series([0.43, 0.07, 1 / 120, 0.5, 0.5, 0.5], index=list(OBJECTIVES)),
        holdout=objectives - 0.05 * rng.random(objectives.shape),
        confusions=rng.multinomial(100, np.full(5, 0.2), (k, 5)),
    )


def make_history(rng: np.random.Generator) -> pd.DataFrame:
    """Give hypervolumes of some runs that grow by chance."""
    growth = rng.random((N_RUNS, N_MARKS)).cumsum(axis=1)
    marks = np.geomspace(100, 50_000, N_MARKS).round()
    return pd.DataFrame(
        {
            "run": np.repeat(np.arange(N_RUNS), N_MARKS),
            "n_evaluations": np.tile(marks, N_RUNS),
            "hypervolume": 0.2 * growth.ravel() / growth.max(),
        }
    )


def make_pictures(k: int) -> dict[str, Callable[[], Any]]:
    """Give what draws each picture."""
    rng = np.random.default_rng(0)
    X, _ = moselect.datasets.load_boston()
    front, other = make_front(k, X, rng), make_front(k, X, rng)
    both = {"one": front.objectives, "other": other.objectives - 0.02}
    histories = {"one": make_history(rng), "other": make_history(rng)}
    table, chance = front.objectives, front.chance
    return {
        "pairwise_fronts": lambda: plots.pairwise_fronts(table, chance=chance),
        "pairwise_fronts, held out": lambda: plots.pairwise_fronts(
            table, chance=chance, holdout=front.holdout
        ),
        "pairwise_fronts, two": lambda: plots.pairwise_fronts(both, chance=chance),
        "convergence": lambda: plots.convergence(histories),
    }


def time_picture(draw: Callable[[], Any]) -> tuple[float, float, bytes]:
    """Give the seconds to draw and to save a picture, and the picture."""
    started = time.perf_counter()
    drawn = draw()
    between = time.perf_counter()
    file = io.BytesIO()
    getattr(drawn, "figure", drawn).savefig(file, format="png")
    return between - started, time.perf_counter() - between, file.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--candidates", type=int, default=20_000)
    parser.add_argument("--style", default="default", help="a style of matplotlib")
    parser.add_argument("--out", type=Path, help="folder for the pictures")
    options = parser.parse_args()
    plt.style.use(options.style)
    print(f"{'':28}{'draw':>8}{'save':>8}{'both':>8}")
    for name, draw in make_pictures(options.models).items():
        _, _, picture = time_picture(draw)
        times = [time_picture(draw)[:2] for _ in range(REPETITIONS)]
        drawing, saving = min(times, key=sum)
        print(f"{name:28}{drawing:8.2f}{saving:8.2f}{drawing + saving:8.2f}", flush=True)
        if options.out is not None:
            options.out.mkdir(parents=True, exist_ok=True)
            (
                options.out / f"{name.replace(', ', '-').replace(' ', '-')}.png"
            ).write_bytes(picture)


if __name__ == "__main__":
    main()
