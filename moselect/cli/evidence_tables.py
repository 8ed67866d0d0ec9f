"""The evidence for a model, as tables and sentences in a terminal."""

from __future__ import annotations

import numpy as np
import pandas as pd

from moselect.cli.summary import LABELS
from moselect.cli.terminal import Terminal, short
from moselect.decision import Evidence


def print_evidence(evidence: Evidence, terminal: Terminal) -> None:
    """Print what a model was selected for, how it compares, and what it gets wrong."""
    if evidence.costs is not None:
        print_matrix(evidence.costs.matrix, list(evidence.confusion), terminal)
        unit = "cost of a row"
    else:
        wanted = {n: w for n, w in (evidence.preferences or {}).items() if w > 0.0}
        said = ", ".join(f"{LABELS[name]} {100 * weight:.0f} %" for name, weight in wanted.items())
        terminal.results.print(f"Preference: {said}\n", soft_wrap=True)
        unit = "utility"
    _print_rules(evidence, unit, terminal)
    _print_objectives(evidence, terminal)
    _print_confusion(evidence.confusion, terminal)


def print_matrix(matrix: np.ndarray, classes: list[object], terminal: Terminal) -> None:
    """Print the costs in use, with the classes."""
    names = [short(label) for label in classes]
    if not _fits(names, [f"as {name}" for name in names], terminal):
        return
    table = terminal.table("cost of a row", *(f"as {name}" for name in names))
    for name, row in zip(names, matrix, strict=True):
        table.add_row(name, *(f"{cost:g}" for cost in row))
    terminal.results.print(table)
    terminal.results.print("")


def _print_rules(evidence: Evidence, unit: str, terminal: Terminal) -> None:
    further = [name for name in ("held out", "training") if name in evidence.rules]
    table = terminal.table(unit, "on new data", *further, "terms", "s")
    for name, row in evidence.rules.round(12).iterrows():
        cost, error = row["new data"], row["standard error"]
        cell = "not known" if np.isnan(cost) else f"{cost:.4g} ± {error:.2g}"
        cells = [f"{row[column]:.4g}" for column in further]
        cells += ["" if np.isnan(row["terms"]) else f"{row['terms']:g}", f"{row['seconds']:.1f}"]
        table.add_row(str(name), cell, *cells, style="bold" if name == evidence.selected else "")
    terminal.results.print(table)
    terminal.results.print("On new data: each row is judged by models fitted without its fold.\n")
    for verdict in evidence.verdicts:
        terminal.results.print(f"{verdict[0].upper()}{verdict[1:]}.")
    for limit in evidence.limits:
        terminal.results.print(f"Limit {limit}.")
    terminal.results.print("")


def _print_objectives(evidence: Evidence, terminal: Terminal) -> None:
    table = terminal.table("selected model", *(LABELS[str(name)] for name in evidence.objectives))
    for name, values in evidence.objectives.iterrows():
        table.add_row(str(name), *map(terminal.number, values))
    terminal.results.print(table)
    terminal.results.print("")


def _print_confusion(confusion: pd.DataFrame, terminal: Terminal) -> None:
    """Print the confusion matrix: columns have names, or numbers, or, with many classes, lines."""
    names = [short(label) for label in confusion]
    counts = confusion.to_numpy()
    headings = [f"as {name}" for name in names]
    if not _fits(names, headings, terminal):
        headings = [f"as {k}" for k in range(1, len(names) + 1)]
        names = [f"{k} {name}" for k, name in enumerate(names, start=1)]
    if _fits(names, headings, terminal):
        table = terminal.table("true class", *headings)
        for name, row in zip(names, counts, strict=True):
            table.add_row(name, *map(str, row))
        terminal.results.print(table)
    else:
        terminal.results.print("True class: predicted classes", style="bold")
        for name, row in zip(names, counts, strict=True):
            given = [f"{n} {what}" for n, what in zip(row, headings, strict=True) if n]
            terminal.results.print(f"{name}: {', '.join(given)}")
    terminal.results.print("Rows as new data, by the selected model.\n")


def _fits(names: list[str], headings: list[str], terminal: Terminal) -> bool:
    first = max(map(len, ["true class", *names]))
    return first + sum(len("  ") + len(heading) for heading in headings) <= terminal.results.width
