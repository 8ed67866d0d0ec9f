"""How numbers are written in pictures."""

from __future__ import annotations

from matplotlib.axis import Axis
from matplotlib.ticker import Formatter, ScalarFormatter, StrMethodFormatter

TINY = 1e-3  # values below it are written with a power of ten


def number_text(value: float) -> str:
    """Return a value of an objective as text: three decimals, or three digits if it is tiny.

    Examples
    --------
    >>> number_text(0.5), number_text(0.0000123)
    ('0.500', '1.23e\u221205')
    """
    text = f"{value:.3f}" if value == 0.0 or abs(value) >= TINY else f"{value:.3g}"
    return with_minus(text)


def with_minus(text: str) -> str:
    """Return a number as text with a minus sign in place of hyphens."""
    return text.replace("-", "\N{MINUS SIGN}")


def write_in_full(axis: Axis) -> None:
    """Write the numbers of an axis in full, with no factor at its end, where other texts stand.

    The limits of the axis must be final.
    """
    formatter: Formatter = ScalarFormatter(useOffset=False)
    if max(map(abs, axis.get_view_interval())) < TINY:
        formatter = StrMethodFormatter("{x:.3g}")
    axis.set_major_formatter(formatter)
