"""A logarithmic axis with plain numbers."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

FEW_DECADES = 2.6  # within which 2 and 5 have room between 1 and 10


def set_log_x(ax: Axes, low: float, high: float) -> None:
    """Make the axis to the right logarithmic, with ticks for values from low to high."""
    ax.set_xscale("log")
    steps = (1.0, 2.0, 5.0) if high < 10.0**FEW_DECADES * low else (1.0,)
    ax.xaxis.set_major_locator(LogLocator(subs=steps))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
