"""Tables by class, as several commands print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moselect.cli.terminal import Terminal, short

if TYPE_CHECKING:  # slow to import
    import pandas as pd


def print_confusion(confusion: pd.DataFrame, terminal: Terminal) -> None:
    """Print the confusion matrix, or, of many classes, the rates of each."""
    import numpy as np

    counts = confusion.to_numpy().round(1)
    names = [short(label) for label in confusion]  # a referral is the last
    if len(set(names)) < len(names):  # shortened to the same: numbers tell them apart
        names = [f"{k + 1} {name}" for k, name in enumerate(names)]
    headings = [f"as {name}" for name in names]
    first = max(map(len, ["true class", *names]))
    if first + sum(len("  ") + len(heading) for heading in headings) > (
        terminal.results.width
    ):
        headings = ["rows", "recall", "too low", "too high"]
        rows = counts.sum(axis=1)
        called = counts[:, : len(counts)]  # a referred row is in no class
        parts = [called * np.eye(len(called)), np.tril(called, -1), np.triu(called, 1)]
        rates = np.transpose([part.sum(axis=1) for part in parts])
        if counts.shape[1] > len(counts):
            headings.append("referred")
            rates = np.column_stack([rates, counts[:, -1]])
        rates /= np.maximum(rows, 1.0)[:, None]
        cells = [
            [str(total.round(1)), *(f"{rate:.0%}" for rate in row)]
            for total, row in zip(rows, rates, strict=True)
        ]
    else:
        cells = [list(map(str, row)) for row in counts]
    table = terminal.table("true class", *headings)
    for name, row in zip(names, cells, strict=False):
        table.add_row(name, *row)
    terminal.print(table)
