"""Common style of all plots: colours, short names, number formats and figures."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import Formatter, FuncFormatter
from matplotlib.transforms import ScaledTranslation
from numpy.typing import ArrayLike
from scipy.special import ndtri

from moselect._types import Floats
from moselect.candidates.names import (
    CANDIDATES,
    MEMBER,
    PROPORTIONAL_ODDS,
    ROW_SHARES,
    TRIVIAL,
)

if TYPE_CHECKING:  # a search is drawn without it
    from moselect.selection import Evidence

# Keyword arguments of matplotlib.
Look = dict[str, Any]

# Distinguishable with colour blindness, and on light and dark backgrounds.
TRAINING_COLOUR = "#1f83c4"
HOLDOUT_COLOUR = "#dd6a12"
OTHERS_COLOUR = "#8c8c8c"
MARK_COLOURS = ("#f0c020", "#12a67c", "#cc79a7")
LINE_COLOURS = (
    TRAINING_COLOUR,
    HOLDOUT_COLOUR,
    "#12a67c",
    "#a74fff",
    "#d30d39",
    "#65657b",
)
LINE_STYLES = ("-", "--", "-.", ":", (0, (8, 2, 1, 2)), (0, (4, 4)))

MARKERS = "os^Dv<"
# In the order of the colours, so that a candidate has the same colour in all pictures.
COLOURED = (*CANDIDATES[::-1], MEMBER, PROPORTIONAL_ODDS)
CONSTANT = (TRIVIAL, ROW_SHARES)  # baselines without a curve
# Panels beside each other, and lengths in inches: of a side, least ones, above the panels.
ACROSS = 4
SIDE = 3.1
LEAST_SIZE = (5.6, 4.6)
ABOVE = 1.2

# Shares on axes and in titles, with a space before the sign as in all messages.
PERCENT = FuncFormatter(lambda share, _: f"{100.0 * share:.4g} %")
POINTS: Look = {"linestyle": "none", "marker": "o", "markeredgewidth": 0}

# A model to point out.
MARK: Look = {"color": "black", "markerfacecolor": MARK_COLOURS[0]}

# Tick labels without an offset or factor, which would cover other text.
IN_FULL: Look = {"useOffset": False, "style": "plain"}
# Half-width of a 95 % interval in standard errors.
Z_95 = float(ndtri(0.975))
with_minus = Formatter.fix_minus  # in place of hyphens
LONGEST_NAME = 20
LINES = 4


def short_names(names: Iterable[object], longest: int = LONGEST_NAME) -> list[str]:
    """Return names as `short_name` does."""
    return [short_name(name, longest) for name in names]


def short_name(name: object, longest: int = LONGEST_NAME) -> str:
    """Return a name as text that fits into a picture, a long one in up to four lines."""
    return plain(fill(str(name), longest, max_lines=LINES, placeholder=" ..."))


def plain(text: object) -> str:
    """Escape dollar signs in user text, which matplotlib would read as mathematics."""
    return str(text).replace("$", r"\$")


def new_figure(width: float, height: float) -> Figure:
    """Return a new figure of pyplot that makes room for its texts; lengths in inches."""
    import matplotlib.pyplot as plt  # chooses a backend, so only once something is drawn

    return plt.figure(figsize=(width, height), layout="constrained")


def panels_of(n: int, *, sharey: bool = False) -> tuple[Figure, list[Axes]]:
    """Create n panels in a new figure, at most four side by side."""
    columns = min(n, ACROSS)
    rows = -(-n // columns)
    figure = new_figure(*np.maximum(LEAST_SIZE, (SIDE * columns, SIDE * rows + ABOVE)))
    panels = figure.subplots(rows, columns, sharey=sharey, squeeze=False).ravel()
    for ax in panels[n:]:
        ax.remove()
    return figure, list(panels[:n])


def candidate_styles(candidates: Iterable[object], selected: str) -> dict[str, Look]:
    """Assign a line style and a marker to each candidate, the selected one thick and solid."""
    others = [str(name) for name in candidates if name not in (*COLOURED, TRIVIAL)]
    styles: dict[str, Look] = {}
    for place, name in enumerate((*COLOURED, *others)):
        # The next round of the colours has other lines and markers.
        turn, colour = divmod(place, len(LINE_COLOURS))
        shape = (colour + turn) % len(LINE_COLOURS)
        styles[name] = {
            "color": LINE_COLOURS[colour],
            "linestyle": LINE_STYLES[shape],
            "marker": MARKERS[shape],
            "linewidth": 1.1,
        }
    styles[TRIVIAL] = {"color": OTHERS_COLOUR, "linestyle": "-", "linewidth": 1.1}
    styles[selected] |= {"linestyle": "-", "linewidth": 2.4, "zorder": 3}
    return styles


def frame(
    figure: Figure,
    panels: Iterable[Axes],
    xlabel: str,
    ylabel: str | None = None,
    title: str = "",
) -> None:
    """Draw a title and one legend above all panels, and their common axis labels."""
    entries: dict[str, Artist] = {}  # each once
    for ax in panels:
        handles, labels = ax.get_legend_handles_labels()
        entries |= dict(zip(labels, handles, strict=True))
    figure.legend(
        [*entries.values()],
        [*entries],
        title=title,
        title_fontsize=11,
        fontsize=8,
        ncols=4,
        loc="outside upper center",
        frameon=False,
    )
    figure.supxlabel(xlabel, fontsize=9)
    if ylabel is not None:
        figure.supylabel(ylabel, fontsize=9)


def bar_lengths(
    values: ArrayLike,
    half_widths: ArrayLike,
    least: float = 0.0,
    greatest: float = np.inf,
) -> Floats:
    """Return the lengths (2, n) of error bars, which end at the least and greatest value."""
    middle = np.atleast_1d(values)
    ends = np.array([middle - half_widths, middle + half_widths])
    return np.abs(np.clip(ends, least, greatest) - middle)


def draw_band(ax: Axes, line: pd.DataFrame, colour: str) -> None:
    """Draw a pale band around a line with columns x, y and half-width."""
    x, y, half_width = line.to_numpy().T
    ax.fill_between(x, y - half_width, y + half_width, color=(colour, 0.2))


def draw_candidates(
    ax: Axes, table: pd.DataFrame, evidence: Evidence, x: str, y: str, error: str
) -> None:
    """Draw a line per candidate of a table, with the 95 % interval of the selected one.

    ``error`` is the column of the standard error of ``y``.
    """
    styles = candidate_styles(evidence.evaluations, evidence.selected)
    for candidate, line in table.groupby("model", sort=False):
        style = styles[str(candidate)]
        ax.plot(line[x], line[y], label=plain(candidate), **style | {"marker": ""})
        if candidate == evidence.selected and error in line:
            band = line[[x, y, error]].sort_values(x).mul([1.0, 1.0, Z_95])
            draw_band(ax, band, style["color"])


def new_axes(width: float, height: float) -> Axes:
    """Return the only axes of a new figure."""
    return new_figure(width, height).subplots()


def legend_below(ax: Axes) -> None:
    """Put the legend below the label of the axis: a title has room above the axes."""
    below_label = ScaledTranslation(0.0, -0.5, ax.figure.dpi_scale_trans)  # inches
    ax.legend(
        loc="upper left",
        bbox_to_anchor=(0.0, 0.0),
        bbox_transform=ax.transAxes + below_label,
        ncols=2,
        frameon=False,
        fontsize=8,
    )
