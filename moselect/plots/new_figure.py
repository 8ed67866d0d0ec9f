"""Figures that pyplot knows, so that a notebook shows them without being asked."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure


def new_figure(width: float, height: float, **settings: Any) -> Figure:
    """Return a new figure of pyplot; lengths in inches."""
    import matplotlib.pyplot as plt  # chooses a backend, so only once something is drawn

    return plt.figure(figsize=(width, height), **settings)


def new_axes(width: float, height: float) -> Axes:
    """Return the only axes of a new figure that makes room for its texts."""
    return new_figure(width, height, layout="constrained").subplots()
