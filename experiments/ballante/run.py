"""Ballante, Uberti, Figini: worked example, toy examples, and the simulation with five models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from experiments.ballante.examples import (
    draw_worked_example,
    table_6_as_printed,
    toy_examples,
    worked_example,
)
from experiments.ballante.simulation import MEASURES, RANKED, simulate
from experiments.verdicts import read_expected


def run(out: Path, *, quick: bool, report: Callable[[float], None]) -> pd.DataFrame:
    draw_worked_example(out / "classification-functions.png")
    examples = (
        worked_example() | toy_examples(20 if quick else 1_000) | table_6_as_printed()
    )
    report(0.02)
    simulated = simulate(quick=quick, report=lambda share: report(0.02 + 0.98 * share))
    columns = ("key", "here", "low", "high")
    found = examples | simulated
    results = pd.DataFrame(
        [
            dict(zip(columns, (key, *values), strict=False))
            for key, values in found.items()
        ]
    )
    draw_simulation(out / "simulation.png", results)
    return results


def draw_simulation(path: Path, results: pd.DataFrame) -> None:
    """Draw table 9 without kNN: what is printed, and the range over the draws here."""
    printed = read_expected(Path(__file__).parent / "expected.csv").set_index("key")[
        "paper"
    ]
    here = results.set_index("key")
    figure, axes = plt.subplots(
        1, len(MEASURES), figsize=(11.0, 2.8), sharey=True, layout="constrained"
    )
    names = [name for name in RANKED if f"9: {name} I" in here.index]
    for ax, measure in zip(axes, MEASURES, strict=True):
        keys = [f"9: {name} {measure}" for name in names]
        rows = np.arange(len(keys))[::-1]
        ax.hlines(
            rows,
            here.loc[keys, "low"],
            here.loc[keys, "high"],
            color="#0072b2",
            linewidth=4,
            label="here, all draws",
        )
        ax.plot(
            here.loc[keys, "here"], rows, "|", color="black", ms=10, label="here, mean"
        )
        ax.plot(
            printed[keys].astype(float), rows, "D", color="#d55e00", ms=6, label="printed"
        )
        ax.set_title(measure, fontsize=10)
        ax.set_yticks(rows, names)
        ax.margins(x=0.08, y=0.15)
        ax.grid(axis="x", color="0.9")
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        loc="outside lower center",
        ncols=3,
        frameon=False,
    )
    figure.savefig(path, dpi=150)
    plt.close(figure)
