"""Orders of labels as text: what stands behind ``--order``."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Iterable

LONGEST = 1_000  # characters of an option to be copied


def parse_order(text: str) -> list[str]:
    """Return the labels that ``--order`` names, lowest first.

    They stand in the text with commas between them, those that hold a comma in double quotes.

    Examples
    --------
    >>> parse_order('low, "mid, or so", high')
    ['low', 'mid, or so', 'high']
    """
    try:
        labels = next(csv.reader(io.StringIO(text), skipinitialspace=True, strict=True), [])
    except csv.Error:
        raise ValueError(f"--order {text}: a quotation mark is not closed") from None
    labels = [label.strip() for label in labels if label.strip()]
    if not labels:
        raise ValueError("--order names no label: give all labels, lowest first (low,mid,high)")
    return labels


def order_option(labels: Iterable[object], name: str = "--order") -> str:
    """Return labels as an option of the command line, ready to be copied if they can be.

    Examples
    --------
    >>> print(order_option(["low", "mid, or so"]))
    --order 'low,"mid, or so"'
    """
    text = io.StringIO()
    csv.writer(text).writerow([str(label) for label in labels])
    line = text.getvalue().removesuffix("\r\n")
    if len(line) > LONGEST or not line.isprintable():
        return f"{name} ..."
    return f"{name} {shlex.quote(line)}"
