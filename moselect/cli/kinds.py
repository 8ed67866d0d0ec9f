"""Linear models, curves and pools of models side by side: their costs and how complex they are."""

from __future__ import annotations

import pandas as pd

from moselect.cli.terminal import Terminal, in_one_line, short
from moselect.comparison.costs import cost_verdict, simplest_verdict
from moselect.comparison.text import p_text, seconds

LONGEST_NAME = 19  # of a model
KINDS = ("pareto_search", "additive", "pool")  # linear, curves, pool


def print_kinds(kinds: pd.DataFrame, terminal: Terminal, *, has_costs: bool) -> None:
    """Print what models cost beside how complex they are, and which ones to choose between."""
    table = terminal.table("model", "cost", "above least", "p", "terms", "fit s", "decision")
    table.collapse_padding = True
    for name, row in kinds.iterrows():
        mark = "*" if row["significant"] else " "
        p, terms = row["p adjusted"], row["terms"]
        table.add_row(
            short(name, LONGEST_NAME),
            f"{row['cost']:.4f}",
            f"{row['above least']:.4f}{mark}",
            "" if p != p else p_text(p),
            "none" if terms != terms else f"{terms:g}",
            seconds(row["seconds"]),
            row["decision"],
        )
    terminal.results.print(table)
    unit = "" if has_costs else " (no costs given: its distance in classes)"
    terminal.results.print(
        f"Cost of a row on new data{unit}, held out. *: significantly above the least, p < 0.05. "
        "Terms: weights, curves or products; none: cannot be written down as a sum. Decision: "
        "fitted for the costs, plug-in by probabilities, or as it is, without knowing of them."
    )
    verdicts = [cost_verdict(kinds)]
    if len(kinds) > 1:
        verdicts.append(simplest_verdict(kinds))
    terminal.results.print("\n" + " ".join(f"{in_one_line(said)}." for said in verdicts))
