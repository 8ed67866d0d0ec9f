"""What the pictures share: names and colours, how numbers are written, and new axes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

# Told apart by colour-blind readers too, and dark and light enough for both backgrounds.
TRAINING_COLOUR = "#1f83c4"
HOLDOUT_COLOUR = "#dd6a12"
OTHERS_COLOUR = "#8c8c8c"
MARK_COLOURS = ("#f0c020", "#12a67c", "#cc79a7")
MARKERS = "*DsP^Xv"
LINE_COLOURS = (TRAINING_COLOUR, HOLDOUT_COLOUR, "#12a67c", "#a74fff", "#d30d39", "#65657b")
LINE_STYLES = ("-", (0, (6, 2)), (0, (3, 1, 1, 1)), (0, (1, 1.2)), (0, (8, 2, 1, 2)), (0, (4, 4)))

POINTS: dict[str, Any] = {"linestyle": "none", "marker": "o", "markeredgewidth": 0}

TINY = 1e-3  # values below it are written with a power of ten
FEW_DECADES = 2.6  # within which 2 and 5 have room between 1 and 10
LONGEST_NAME = 20


def short_names(names: Iterable[object], longest: int = LONGEST_NAME) -> list[str]:
    """Return names as `short_name` does, with their numbers where they would become the same."""
    short = [short_name(name, longest) for name in names]
    return [
        f"{name} ({i})" if short.count(name) > 1 else name for i, name in enumerate(short, start=1)
    ]


def short_name(name: object, longest: int = LONGEST_NAME) -> str:
    """Return a name as text that fits into a picture, its middle left out if it is long."""
    text = str(name)
    if len(text) > longest:
        half = longest // 2
        text = text[: half - 1] + "\N{HORIZONTAL ELLIPSIS}" + text[-half:]
    return plain(text)


def plain(text: object) -> str:
    """Return the text of a user as matplotlib is to read it: dollars make no mathematics."""
    return str(text).replace("$", r"\$")


def number_text(value: float) -> str:
    """Return a value of an objective as text: three decimals, or three digits if it is tiny."""
    text = f"{value:.3f}" if value == 0.0 or abs(value) >= TINY else f"{value:.3g}"
    return with_minus(text)


def with_minus(text: str) -> str:
    """Return a number as text with a minus sign in place of hyphens."""
    return text.replace("-", "\N{MINUS SIGN}")


def write_in_full(axis: Axis) -> None:
    """Write the numbers of an axis in full, with no factor at its end, where other texts stand.

    The limits of the axis must be final.
    """
    tiny = max(map(abs, axis.get_view_interval())) < TINY
    axis.set_major_formatter("{x:.3g}" if tiny else ScalarFormatter(useOffset=False))


def set_log_x(ax: Axes, low: float, high: float) -> None:
    """Make the axis to the right logarithmic, with ticks for values from low to high."""
    ax.set_xscale("log")
    steps = (1.0, 2.0, 5.0) if high < 10.0**FEW_DECADES * low else (1.0,)
    ax.xaxis.set_major_locator(LogLocator(subs=steps))
    ax.xaxis.set_major_formatter("{x:,g}")
    ax.xaxis.set_minor_formatter(NullFormatter())


def new_figure(width: float, height: float, **settings: Any) -> Figure:
    """Return a new figure of pyplot; lengths in inches."""
    import matplotlib.pyplot as plt  # chooses a backend, so only once something is drawn

    return plt.figure(figsize=(width, height), **settings)


def new_axes(width: float, height: float) -> Axes:
    """Return the only axes of a new figure that makes room for its texts."""
    return new_figure(width, height, layout="constrained").subplots()


def of_named(curves: Any, what: str) -> list[tuple[str, Any, str, Any]]:
    """Return curves with their names, colours and styles of lines, at most as many as differ."""
    named = dict(curves) if isinstance(curves, Mapping) else {"": curves}
    if not 1 <= len(named) <= len(LINE_COLOURS):
        raise ValueError(
            f"there are {len(named)} {what}: from 1 to {len(LINE_COLOURS)} can be drawn"
        )
    return [
        (plain(name), curve, colour, line)
        for (name, curve), colour, line in zip(
            named.items(), LINE_COLOURS, LINE_STYLES, strict=False
        )
    ]


def width_of(ax: Axes) -> float:
    """Return the width of axes in inches."""
    return float(ax.bbox.width / ax.figure.dpi)


def lay_out(ax: Axes) -> None:
    """Let a layout engine move the axes to where they will be drawn."""
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()


def draw_marked(ax: Axes, marked: Mapping[str, tuple[Any, Any]], **style: Any) -> None:
    """Draw named points or lines, each with a marker and a colour of its own."""
    marks = zip(cycle(MARKERS), cycle(MARK_COLOURS), strict=False)
    for (name, (x, y)), (marker, colour) in zip(marked.items(), marks, strict=False):
        lines = ax.plot(
            x,
            y,
            marker=marker,
            markersize=11 if marker == "*" else 7,
            markerfacecolor=colour,
            markeredgewidth=0.8,
            zorder=5,
            **style,
        )
        if lines:
            lines[0].set_label(name)


def legend_above(ax: Axes, **settings: Any) -> None:
    """Put the legend above the axes, to the left."""
    place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "frameon": False, "fontsize": 8}
    ax.legend(**{**place, "ncols": 2, **settings})
