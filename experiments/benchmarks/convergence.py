"""Draw how the hypervolume grows with evaluations and with seconds, ours and the best peers.

    python experiments/benchmarks/convergence.py [--seeds 10] [--out experiments/figures]

Boston housing (`normalised`), the systems of systems.py: the best of pymoo on our encoding, and the
best of pymoo and of jMetalPy on the paper's. Lines are medians over the seeds 100, 101, ..., bands
reach from the worst to the best seed; seconds are medians. Needs jmetalpy.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from systems import OURS, POPULATION, load, warm_up, watched

from moselect import OrdinalProblem
from moselect.pareto import hypervolume_above_chance

FIRST_SEED = 100
BUDGET = 30_000
MARKS = POPULATION * np.unique(np.geomspace(1, BUDGET // POPULATION, 20).round().astype(int))
EXACT_UP_TO = 2_500  # points
ENLARGED = (0.175, 0.202)  # hypervolumes of the upper panels

SHOWN = {  # label, colour (told apart by colour-blind readers), line
    OURS: ("moselect", "#0072b2", "-"),
    "NSGA2, directions": ("pymoo NSGA2 on our directions", "#d55e00", (0, (6, 2))),
    "NSGA2": ("pymoo NSGA2", "#009e73", (0, (3, 1, 1, 1))),
    "SMPSO": ("jMetalPy SMPSO", "#cc79a7", (0, (1, 1.2))),
}


def trace(system: str, seeds: range) -> tuple[np.ndarray, np.ndarray]:
    """Give hypervolumes and seconds (seeds, marks) of a system on Boston."""
    table = load("boston normalised")
    chance = OrdinalProblem(*table).chance
    watches = [watched(system, table, seed, BUDGET, evaluations=MARKS.tolist()) for seed in seeds]
    volumes = [
        [
            hypervolume_above_chance(points, chance, exact_up_to=EXACT_UP_TO)
            for points in watch.fronts[0]
        ]
        for watch in watches
    ]
    return np.array(volumes), np.array([watch.seconds for watch in watches])


def draw(traces: dict[str, tuple[np.ndarray, np.ndarray]]) -> plt.Figure:
    """Draw evaluations left and seconds right, with the upper end of the scale enlarged."""
    figure, axes = plt.subplots(
        2, 2, figsize=(8.6, 4.6), sharex="col", sharey="row", layout="constrained"
    )
    handles = {}
    for system, (volumes, seconds) in traces.items():
        label, colour, line = SHOWN[system]
        low, middle, high = np.quantile(volumes, [0.0, 0.5, 1.0], axis=0)
        for column, x in zip(axes.T, (MARKS, np.median(seconds, axis=0)), strict=True):
            for ax in column:
                ax.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
                handles[label] = ax.plot(x, middle, color=colour, linestyle=line, linewidth=1.8)[0]
    for ax in axes.flat:
        ax.set_xscale("log")
        ax.grid(axis="y", color="0.9", linewidth=0.8)
        ax.spines[["top", "right"]].set_visible(False)
    for upper, lower in axes.T:
        upper.set_ylim(*ENLARGED)
        upper.spines["bottom"].set_visible(False)
        upper.tick_params(axis="x", which="both", length=0)
        lower.set_ylim(0.0, ENLARGED[0])
    axes[1, 0].set_xlabel("evaluations")
    axes[1, 1].set_xlabel("seconds (one thread)")
    figure.supylabel("hypervolume above chance", fontsize="medium")
    figure.legend(
        handles.values(), handles, loc="outside lower center", ncols=len(handles), frameon=False
    )
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10, help="how many, from 100 on")
    parser.add_argument("--out", type=Path, default=Path("experiments/figures"))
    options = parser.parse_args()
    warm_up(list(SHOWN), load("boston normalised"))
    traces = {}
    for system in SHOWN:
        traces[system] = trace(system, range(FIRST_SEED, FIRST_SEED + options.seeds))
        volumes, seconds = (np.median(values, axis=0)[-1] for values in traces[system])
        print(
            f"{system:22}{volumes:8.4f} after {BUDGET:,} evaluations, {seconds:.2f} s", flush=True
        )
    draw(traces).savefig(options.out / "convergence.png", dpi=120)


if __name__ == "__main__":
    main()
