"""Figures 1 and 2: three Gaussian clusters, and the ROC surface of a support vector ranking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d import Axes3D
from numpy.typing import NDArray
from sklearn.metrics import recall_score
from sklearn.preprocessing import StandardScaler
from skordinal.classifiers import SVOR

from experiments.waegeman2008.roc_surface import ROCSurface, roc_surface
from moselect import metrics

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MEANS = ((10, 10), (20, 10), (20, 20))
DEVIATIONS = (5, 5, 7)
CLASS_SIZE = 100
MARKERS = "os^"
MOST_LINES = 60  # of the grid of a surface, in each direction; more look the same


def make_clusters(seed: int) -> tuple[Floats, Integers]:
    """Draw the three classes of figure 1."""
    rng = np.random.default_rng(seed)
    parts = [
        rng.normal(mean, deviation, (CLASS_SIZE, 2))
        for mean, deviation in zip(MEANS, DEVIATIONS, strict=True)
    ]
    return np.concatenate(parts), np.repeat([1, 2, 3], CLASS_SIZE)


def fit_ranking(X: Floats, y: Integers) -> tuple[Floats, Integers, Floats]:
    """Rank by linear support vector ordinal regression; give scores, classes and the direction."""
    scaler = StandardScaler().fit(X)
    model = SVOR(kernel="linear", C=1.0).fit(scaler.transform(X), y)

    def score(points: Floats) -> Floats:
        return np.ravel(model.predict_projection(scaler.transform(points)))

    # The scores are linear: three points tell the direction.
    origin, right, up = score(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    direction = np.array([right - origin, up - origin])
    return score(X), model.predict(scaler.transform(X)), direction


def integrate_surface(y: Integers, scores: Floats) -> float:
    """Volume of what lies under the surface, as the integral of its height.

    Over the point (s, t) of the unit square the height is the largest share of class 3 that is
    recognised by thresholds which recognise a share s of class 1 and t of class 2. It is constant
    in the cells between multiples of 1 / n_1 and 1 / n_2.
    """
    first, second, third = (np.sort(scores[y == k]) for k in (1, 2, 3))
    volume = 0.0
    for lower in first:  # the lowest threshold that recognises so many samples of class 1
        above = second[second > lower]
        # So many samples of class 2 need a threshold at the last of them, if there are as many.
        volume += sum(float(np.mean(third > max(lower, upper))) for upper in above)
    return volume / (len(first) * len(second))


def run(out: Path, n_seeds: int) -> list[dict[str, Any]]:
    """Measure surfaces of several samples and draw the first."""
    differences, sizes = [], []
    for seed in range(n_seeds):
        X, y = make_clusters(seed)
        scores, predicted, direction = fit_ranking(X, y)
        surface = roc_surface(y, scores)
        volume = integrate_surface(y, scores)
        vus = metrics.vus_score(y, scores)
        differences += [abs(volume - vus), abs(surface.volume - vus)]
        # Without the rows of the threshold at minus infinity, at which a class has no sample.
        sizes.append(
            (surface.thresholds.shape[0] - 1) * (surface.thresholds.shape[1] - 1)
        )
        if seed == 0:
            point = recall_score(y, predicted, average=None)
            draw(X, y, direction, surface, point).savefig(
                out / "figures_1_2.png", dpi=100
            )
    return [
        {"key": "1-2 volume is VUS", "here": max(differences)},
        {"key": "1-2 points of the surface", "here": max(sizes)},
    ]


def draw(
    X: Floats, y: Integers, direction: Floats, surface: ROCSurface, point: Floats
) -> Figure:
    figure = Figure(figsize=(10.5, 5.0), layout="constrained")
    _draw_clusters(figure.add_subplot(1, 2, 1), X, y, direction)
    _draw_surface(figure.add_subplot(1, 2, 2, projection="3d"), surface, point)
    return figure


def _draw_clusters(ax: Axes, X: Floats, y: Integers, direction: Floats) -> None:
    colours = mpl.colormaps["viridis"]([0.1, 0.5, 0.85])
    for k, marker, colour in zip((1, 2, 3), MARKERS, colours, strict=True):
        ax.plot(
            *X[y == k].T,
            marker,
            color=colour,
            markersize=5,
            alpha=0.8,
            label=f"class {k}",
        )
    step = 6.0 * direction / np.linalg.norm(direction)
    ax.annotate(
        "", (2.0 + step[0], 32.0 + step[1]), (2.0, 32.0), arrowprops={"arrowstyle": "->"}
    )
    ax.text(1.0, 30.5, "scores rise", fontsize=9, va="top")
    ax.set(title="figure 1: three ordered classes", xlabel="$x_1$", ylabel="$x_2$")
    ax.title.set_fontsize(11)
    ax.set_aspect("equal", adjustable="datalim")
    ax.legend(frameon=False, loc="lower right")


def _draw_surface(ax: Axes3D, surface: ROCSurface, point: Floats) -> None:
    """Draw what all thresholds give, and the operating point with lines to the floor and walls."""
    ax.computed_zorder = False  # or the surface would hide the point
    all_rates = surface.true_positive_rates
    lines = [
        np.unique(np.linspace(0, n - 1, MOST_LINES, dtype=int))
        for n in all_rates.shape[:2]
    ]
    ax.plot_surface(
        *np.moveaxis(all_rates[np.ix_(*lines)], -1, 0),
        rcount=MOST_LINES,
        ccount=MOST_LINES,
        cmap="viridis",
        vmin=0.0,
        vmax=1.0,
    )
    for axis in range(3):
        foot = point.copy()
        foot[axis] = 0.0
        ax.plot(
            *np.stack([foot, point], axis=1),
            "--",
            color="#dd6a12",
            linewidth=1.1,
            zorder=4,
        )
    label = "operating point: " + ", ".join(f"{rate:.2f}" for rate in point)
    ax.plot(*point[:, None], "*", label=label, markersize=15, color="#f0c020", zorder=5)
    ax.legend(frameon=False, fontsize=9, loc="upper left")
    for label, axis in enumerate((ax.xaxis, ax.yaxis, ax.zaxis), start=1):
        axis.set_label_text(f"recall of class {label}", fontsize=9)
        axis.set_ticks([0.2, 0.4, 0.6, 0.8])
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), zlim=(0.0, 1.0))
    title = (
        f"figure 2: volume under the surface {surface.volume:.3f} (chance {1 / 6:.3f})"
    )
    ax.set_title(title, fontsize=11)
    ax.set_box_aspect(None, zoom=0.92)
    ax.view_init(elev=25.0, azim=45.0)
