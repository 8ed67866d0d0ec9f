"""A comparison as tables to read."""

from __future__ import annotations

import html

import pandas as pd

from moselect.comparison.result import Comparison
from moselect.metrics.objectives import short_measure

NOT_AVAILABLE = "n/a"


def measures_table(comparison: Comparison) -> pd.DataFrame:
    """Return mean ± sd of all models and measures as text, best models first and with a star."""
    values = comparison.table
    table = pd.DataFrame(index=values.index)
    for measure in comparison.measures:
        part = values[measure]
        stars = part["rank"].eq(1.0).map({True: "*", False: " "})
        told = [_cell(mean, sd) for mean, sd in zip(part["mean"], part["sd"], strict=True)]
        table[f"{short_measure(measure)} "] = told + stars
    table["fit s"] = values["seconds", "fit"].map("{:.3f}".format).replace("nan", NOT_AVAILABLE)
    ranks = pd.DataFrame({measure: values[measure, "rank"] for measure in comparison.measures})
    return table.loc[ranks.mean(axis=1).sort_values(kind="stable").index].rename_axis(None)


def footnotes(comparison: Comparison) -> list[str]:
    """Return what tables cannot say: failures, missing values, and warnings."""
    lines = [f"{name} failed: {reason}" for name, reason in comparison.failures.items()]
    missing: dict[tuple[str, str], list[str]] = {}
    for (name, measure), reason in comparison.undefined.items():
        missing.setdefault((measure, reason), []).append(name)
    lines += [
        f"{short_measure(measure)} not available for {', '.join(names)}: {reason}"
        for (measure, reason), names in missing.items()
    ]
    for name, told in comparison.warnings.items():
        lines += [f"{name} warned in {count} folds: {line}" for line, count in told.items()]
    if comparison.interrupted:
        lines.append("interrupted: models that were not done are left out")
    return lines


def as_text(comparison: Comparison) -> str:
    """Return the table as plain text."""
    table = measures_table(comparison).to_string()
    return "\n".join([table, *_notes(comparison)])


def as_html(comparison: Comparison) -> str:
    """Return the table as HTML."""
    lines = "".join(f"<p>{html.escape(line)}</p>" for line in _notes(comparison))
    return measures_table(comparison).to_html(border=0) + lines


def _notes(comparison: Comparison) -> list[str]:
    cells = f"mean ± sd over {len(comparison.folds)} folds; * best"
    return [cells, *footnotes(comparison)]


def _cell(mean: float, sd: float) -> str:
    if mean != mean:
        return NOT_AVAILABLE
    if sd != sd:
        return f"{mean:.3f}"
    return f"{mean:.3f}±{sd:.2f}".replace("±0.", "±.")
