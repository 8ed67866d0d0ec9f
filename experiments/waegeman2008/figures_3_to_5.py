"""Figures 3 to 5: VUS against its approximations, for classes of scores at equal distances."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, factorial
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.integrate import cumulative_simpson
from scipy.stats import norm

from experiments.waegeman2008.spread import over_seeds
from moselect import metrics
from moselect.metrics import objective_named

Floats = NDArray[np.float64]

MEASURES = ("vus", "u_cons", "u_ovo", "u_pairs")
N_CLASSES = (2, 3, 4, 5)
DISTANCES = np.arange(0.0, 5.01, 0.25)
FINE = 5  # steps between two of these, in the exact curves
N_RUNS = 20
CLASS_SIZE = 100
MARKERS = "os^D"


def simulate(seed: int) -> Floats:
    """Give the four measures of all runs: (numbers of classes, distances, runs, measures)."""
    rng = np.random.default_rng(seed)
    values = np.empty((len(N_CLASSES), len(DISTANCES), N_RUNS, len(MEASURES)))
    for i, r in enumerate(N_CLASSES):
        y = np.repeat(np.arange(r), CLASS_SIZE)
        for j, distance in enumerate(DISTANCES):
            scores = rng.normal(size=(len(y), N_RUNS)) + distance * y[:, None]
            values[i, j] = metrics.ranking_scores(y, scores)
    return values


def exact_values(r: int, distance: float) -> Floats:
    """Give what the four measures are in the limit of many samples."""
    # Chance that samples of the classes up to k come in order and end below x.
    x = np.linspace(-9.0, 9.0 + (r - 1) * distance, 4001)
    in_order = norm.cdf(x)
    for k in range(1, r):
        in_order = cumulative_simpson(
            norm.pdf(x - k * distance) * in_order, x=x, initial=0.0
        )
    # Chance of a pair so many classes apart; each split of all classes has some such pairs.
    apart = norm.cdf(np.arange(1, r) * distance / np.sqrt(2.0))
    u_ovo = sum((r - steps) * p for steps, p in enumerate(apart, 1)) / comb(r, 2)
    splits = [
        np.mean([apart[high - low - 1] for low in range(k) for high in range(k, r)])
        for k in range(1, r)
    ]
    return np.array([in_order[-1], np.mean(splits), u_ovo, u_ovo])


def run(out: Path, n_seeds: int, report: Callable[[float], None]) -> list[dict[str, Any]]:
    """Simulate with several seeds, draw the first, and give the numbers behind the claims."""
    runs = []
    for seed in range(n_seeds):
        runs.append(simulate(seed))
        report((seed + 1) / n_seeds)
    values = np.array(runs)
    distances = np.linspace(0.0, DISTANCES[-1], FINE * (len(DISTANCES) - 1) + 1)
    curves = np.array([[exact_values(r, d) for d in distances] for r in N_CLASSES])
    draw(values[0].mean(axis=2), distances, curves).savefig(
        out / "figures_3_to_5.png", dpi=100
    )
    return claims(values, curves[:, ::FINE])


def claims(values: Floats, exact: Floats) -> list[dict[str, Any]]:
    """Give the numbers that decide what is said about figures 3 to 5."""
    means = values.mean(axis=3)  # (seeds, numbers of classes, distances, measures)
    vus, u_cons, u_ovo, _ = np.moveaxis(means, -1, 0)
    # over numbers of classes, of averages over d
    between = np.ptp(means.mean(axis=2), axis=1)
    apart = np.abs(u_cons - u_ovo).max(axis=2)
    rows = [
        over_seeds(f"3-5 VUS by chance, r = {r}", vus[:, i, 0])
        for i, r in enumerate(N_CLASSES)
    ]
    rows += [
        over_seeds(
            f"3-5 {objective_named(name).label} by chance", means[:, :, 0, k].mean(axis=1)
        )
        for k, name in enumerate(MEASURES[1:], 1)
    ]
    rows += [
        {
            "key": "3-5 four measures at r = 2",
            "here": np.ptp(values[:, 0], axis=-1).max(),
        },
        {
            "key": "3-5 r = 2 from the exact curve",
            "here": np.abs(
                vus[:, 0].mean(axis=0) - norm.cdf(DISTANCES / np.sqrt(2.0))
            ).max(),
        },
        {
            "key": "3-5 r = 3 to 5 from the exact curves",
            "here": np.abs(means[:, 1:].mean(axis=0) - exact[1:]).max(),
        },
        {
            "key": "3-5 U ovo and U pairs",
            "here": np.abs(values[..., 2] - values[..., 3]).max(),
        },
        over_seeds("3-5 bend of VUS over U cons", _bend(u_cons, vus)),
        over_seeds("3-5 bend of VUS over U ovo", _bend(u_ovo, vus)),
        over_seeds("3-5 VUS depends on r", between[:, 0]),
        over_seeds("3-5 approximations depend on r", between[:, 1:].max(axis=1)),
        over_seeds("3-5 VUS at d = 5", vus[:, :, -1].min(axis=1)),
        over_seeds("3-5 U ovo less VUS, poor ranking, r = 5", (u_ovo - vus)[:, -1, 2]),
        over_seeds(
            "3-5 U ovo where VUS is 0.5, r = 5", _where_half(u_ovo[:, -1], vus[:, -1])
        ),
        over_seeds("3-5 U cons and U ovo apart", apart.max(axis=1)),
        over_seeds(
            "3-5 more apart with more classes", np.diff(apart, axis=1).min(axis=1)
        ),
    ]
    return rows


def _bend(measure: Floats, vus: Floats) -> Floats:
    """Largest height of VUS under the line between its ends, the smallest of r = 3, 4, 5."""
    x, y = measure[:, 1:], vus[:, 1:]
    line = y[..., :1] + (x - x[..., :1]) * np.ptp(y, axis=-1, keepdims=True) / np.ptp(
        x, axis=-1, keepdims=True
    )
    return (line - y).max(axis=-1).min(axis=-1)


def _where_half(measure: Floats, vus: Floats) -> Floats:
    """Value of a measure at which VUS passes 0.5."""
    return np.array([np.interp(0.5, v, m) for v, m in zip(vus, measure, strict=True)])


def draw(means: Floats, distances: Floats, curves: Floats) -> Figure:
    """Draw the means of 20 runs as points and the exact values as lines."""
    figure = Figure(figsize=(9.0, 8.0), layout="constrained")
    axes = figure.subplots(2, 2)
    for ax, x, y, title in (
        (axes[0, 0], 1, 0, "figure 3"),
        (axes[0, 1], 2, 0, "figure 4"),
        (axes[1, 0], 1, 2, "figure 5"),
    ):
        _draw_curves(ax, means[..., x], means[..., y], curves[..., x], curves[..., y])
        names = [objective_named(MEASURES[k]).symbol for k in (x, y)]
        ax.set(title=title, xlabel=names[0], ylabel=names[1])
    ax = axes[1, 1]
    x = np.broadcast_to(DISTANCES, means.shape[:2])
    _draw_curves(
        ax, x, means[..., 0], np.broadcast_to(distances, curves.shape[:2]), curves[..., 0]
    )
    for r in N_CLASSES:
        ax.axhline(
            1.0 / factorial(r), color="0.6", linestyle=":", linewidth=0.9, zorder=0
        )
    ax.set(title="VUS by distance; dotted: chance", xlabel="distance $d$", ylabel="VUS")
    ax.annotate(
        r"$\Phi(d / \sqrt{2})$",
        (1.25, norm.cdf(1.25 / np.sqrt(2.0))),
        (0.25, 0.95),
        arrowprops={"arrowstyle": "-", "color": "0.4"},
    )
    axes[0, 0].legend(frameon=False, loc="upper left")
    return figure


def _draw_curves(
    ax: Axes, x: Floats, y: Floats, exact_x: Floats, exact_y: Floats
) -> None:
    colours = mpl.colormaps["viridis"](np.linspace(0.0, 0.85, len(N_CLASSES)))
    for i, (r, marker, colour) in enumerate(
        zip(N_CLASSES, MARKERS, colours, strict=True)
    ):
        ax.plot(exact_x[i], exact_y[i], color=colour, linewidth=1.1)
        ax.plot(
            x[i],
            y[i],
            marker,
            color=colour,
            markersize=4.5,
            alpha=0.8,
            label=f"$r = {r}$",
        )
