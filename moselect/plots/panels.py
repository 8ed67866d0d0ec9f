"""Panels of the matrix of pairwise fronts, of objectives x (across) and y (up)."""

from collections.abc import Sequence
from itertools import cycle
from textwrap import fill
from typing import Any

import matplotlib as mpl
import moocore
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from moselect._types import Booleans, record
from moselect.metrics.objectives import objective_named
from moselect.plots.style import (
    HOLDOUT_COLOUR,
    IN_FULL,
    MARK_COLOURS,
    POINTS,
    TRAINING_COLOUR,
    Look,
    with_minus,
)

COINCIDENT = 1e-9  # largest difference between values that coincide
MARKER_SIZE = 3.8
MARGIN = 0.07  # share of the range of an objective left free on either side
CENTRED: Look = {"ha": "center", "va": "center"}


@record
class DrawnFront:
    """Training values (k, m) of a front, and its drawing style."""

    values: pd.DataFrame
    label: str
    colour: str
    pale: str  # colour of the models that are not on the front of a pair
    marker: str

    def is_best(self, x: str, y: str) -> Booleans:
        """Flag the non-dominated models (k,) of two objectives, with all duplicates kept."""
        pair = self.values[[x, y]].to_numpy()
        return np.asarray(moocore.is_nondominated(pair, maximise=True, keep_weakly=True))


# Characters of a line in a panel, and height of its highest bar.
LINE_LENGTH = 24
TALLEST_BAR = 0.42


@record
class Panels:
    """Contents of all panels: fronts, held-out values of a single one, chance, marked points.

    The index of the marked points has their names.
    """

    fronts: Sequence[DrawnFront]
    holdout: pd.DataFrame | None
    chance: pd.Series | None
    marked: pd.DataFrame

    @property
    def names(self) -> list[str]:
        """The m objectives."""
        return [str(name) for name in self.fronts[0].values]

    def draw_name(self, ax: Axes, name: str) -> None:
        """Draw a panel of the diagonal: the name, the range and the spread of an objective."""
        ax.set(ylim=(0.0, 1.0), xticks=[], yticks=[])
        shown = [(front.values[name], front.colour) for front in self.fronts]
        values = pd.concat([column for column, _ in shown])
        ends = [with_minus(f"{end:.3g}") for end in (values.min(), values.max())]
        lines = [" to ".join(dict.fromkeys(ends))]  # once, if they look the same
        if self.chance is not None:
            lines.append(with_minus(f"chance {self.chance[name]:.3g}"))
        place: Look = {"transform": ax.transAxes, "ha": "center", "va": "top"}
        objective = objective_named(name)
        ax.text(0.5, 0.97, objective.symbol, fontsize=13, **place)
        if objective.description != objective.symbol:
            description = fill(with_minus(objective.description), LINE_LENGTH)
            ax.text(0.5, 0.81, description, fontsize=6.5, **place)
        ax.text(0.5, 0.64, "\n".join(lines), fontsize=7.5, linespacing=1.3, **place)
        if self.holdout is not None:
            shown.append((self.holdout[name], HOLDOUT_COLOUR))
        # Bins of all histograms together.
        values = pd.concat([column for column, _ in shown])
        # Values that differ by rounding alone are one value.
        bins = np.histogram_bin_edges(values.round(12), 20)
        for column, colour in shown:
            counts, edges = np.histogram(column.round(12), bins)
            heights = TALLEST_BAR * counts / counts.max()
            ax.stairs(heights, edges, fill=True, alpha=0.6, color=colour)

    def draw_training(self, ax: Axes, x: str, y: str) -> None:
        """Draw the training values of two objectives, and the points to mark."""
        shown = [*(front.values for front in self.fronts), self.marked]
        self._set_axes(ax, x, y, pd.concat(shown))
        alone = len(self.fronts) == 1
        for front in self.fronts:
            is_best = front.is_best(x, y)
            _draw_border(ax, front, front.values.loc[is_best, [x, y]])
            label = f"other models ({len(is_best):,} in all)" if alone else None
            _draw_others(ax, front.values.loc[~is_best, [x, y]], front.pale, label)
        self._draw_chance(ax, x, y)
        marked = self.marked[[x, y]].groupby(level=0, sort=False)
        marks = zip(marked, cycle("*DsP^Xv"), cycle(MARK_COLOURS), strict=False)
        for (name, points), marker, colour in marks:
            ax.plot(
                *points.to_numpy().T,
                linestyle="none",
                marker=marker,
                markersize=11 if marker == "*" else 7,
                color=mpl.rcParams["text.color"],
                markerfacecolor=colour,
                markeredgewidth=0.8,
                zorder=5,
                label=name,
            )

    def draw_holdout(self, ax: Axes, x: str, y: str) -> None:
        """Draw held-out values of two objectives on axes of their own."""
        assert self.holdout is not None
        (front,) = self.fronts
        # On the axes of the training values, which are better, they would be one spot.
        self._set_axes(ax, x, y, self.holdout)
        ax.tick_params(labelcolor=HOLDOUT_COLOUR)
        # Estimates that differ by noise alone are shrunk to their mean: dots on a line would
        # seem to be a picture of the front, so the common value is printed instead.
        equal = [name for name in (x, y) if np.ptp(self.holdout[name]) <= COINCIDENT]
        if equal:
            for axis, name in ((ax.xaxis, x), (ax.yaxis, y)):
                if name in equal:
                    axis.set_ticks([])
            values = [
                f"{objective_named(name).symbol} = {self.holdout[name].iloc[0]:.3g}"
                for name in equal
            ]
            words = with_minus("\n".join(["no difference", "out of sample:", *values]))
            place = {"transform": ax.transAxes, "color": HOLDOUT_COLOUR, **CENTRED}
            ax.text(0.5, 0.5, words, fontsize=8, **place)
            return
        is_best = front.is_best(x, y)
        style = {**POINTS, "markersize": MARKER_SIZE, "color": HOLDOUT_COLOUR}
        best = self.holdout.loc[is_best, [x, y]].to_numpy()
        ax.plot(*best.T, label="the same models, out of sample", zorder=4, **style)
        _draw_others(ax, self.holdout.loc[~is_best, [x, y]], front.pale)
        self._draw_chance(ax, x, y)

    def draw_correlation(self, ax: Axes, x: str, y: str) -> None:
        """Draw the rank correlation of two objectives over each front."""
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        middle = (len(self.fronts) - 1) / 2.0
        for line, front in enumerate(self.fronts):
            # NaN where an objective is constant
            correlation = front.values[[x, y]].corr(method="spearman").to_numpy()[0, 1]
            text = "\N{EN DASH}"
            colour = front.colour
            if np.isfinite(correlation):
                text = with_minus(f"{round(correlation, 2) + 0.0:+.2f}")
            if len(self.fronts) == 1:
                colour = mpl.rcParams["text.color"]
                shade = TRAINING_COLOUR if correlation > 0.0 else HOLDOUT_COLOUR
                ax.set_facecolor((shade, 0.4 * np.nan_to_num(abs(correlation))))
            height = 0.5 + 0.13 * (middle - line)
            ax.text(0.5, height, text, fontsize=13, color=colour, **CENTRED)
        if [y, x] == self.names[:2]:
            below = 0.3 - 0.13 * middle
            ax.text(0.5, below, "rank correlation", fontsize=8, **CENTRED)

    def _draw_chance(self, ax: Axes, x: str, y: str) -> None:
        if self.chance is None:
            return
        style: Look = {"linestyle": "--", "linewidth": 0.8, "alpha": 0.6}
        style |= {"color": mpl.rcParams["text.color"], "label": "chance"}
        for level, (low, high), draw in (
            (self.chance[x], ax.get_xlim(), ax.axvline),
            (self.chance[y], ax.get_ylim(), ax.axhline),
        ):
            if low <= level <= high:
                draw(level, **style)

    def _set_axes(self, ax: Axes, x: str, y: str, values: pd.DataFrame) -> None:
        """Set limits and ticks, which stand at the outer edges of the matrix."""
        ax.ticklabel_format(**IN_FULL)
        # Set before ticks exist; afterwards each tick would be changed one by one.
        ax.tick_params(length=2.5)
        column = self.names.index(x)
        row = self.names.index(y)
        last = len(self.names) - 1
        outer = (row == last, column == 0)
        if row < column:
            ax.xaxis.tick_top()
            ax.yaxis.tick_right()
            outer = (row == 0, column == last)
        axes: Any = ((ax.xaxis, x, ax.set_xlim), (ax.yaxis, y, ax.set_ylim))
        for (axis, name, set_limits), is_outer in zip(axes, outer, strict=True):
            low = values[name].min()
            high = values[name].max()
            # relative to its value, so that a constant objective has an axis as well
            margin = MARGIN * (high - low) or 1e-2 * (abs(high) or 1.0)
            low = low - margin
            high = high + margin
            set_limits(low, high)
            if not is_outer:  # ticks that no label explains take half of the time
                axis.set_ticks([])
                continue
            axis.set_tick_params(labelsize=8.0)
            # Without the outer ticks, or labels of neighbouring panels would touch.
            axis.set_major_locator(MaxNLocator(4, prune="both"))


def _draw_border(ax: Axes, front: DrawnFront, best: pd.DataFrame) -> None:
    """Draw the front of the training values and its dominated area."""
    x, y = best.to_numpy()[np.argsort(best.iloc[:, 0])].T
    x = np.r_[ax.get_xlim()[0], x, x[-1]]
    y = np.r_[y[0], y, ax.get_ylim()[0]]
    ax.fill_between(x, y, y[-1], step="pre", color=front.colour, alpha=0.06, linewidth=0)
    style = {**POINTS, "linestyle": "-", "marker": front.marker}
    ax.plot(
        x,
        y,
        drawstyle="steps-pre",
        linewidth=0.9,
        markersize=MARKER_SIZE,
        markevery=slice(1, -1),  # the ends only lead to the edges of the panel
        zorder=4,
        color=front.colour,
        label=front.label,
        **style,
    )


def _draw_others(
    ax: Axes, points: pd.DataFrame, colour: str, label: str | None = None
) -> None:
    if len(points):
        style = {**POINTS, "markersize": 2.4, "color": colour, "alpha": 0.4}
        ax.plot(*points.to_numpy().T, rasterized=True, label=label, **style)
