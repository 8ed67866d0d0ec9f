"""A comparison as tables to read."""

from __future__ import annotations

import html

import pandas as pd

from moselect.comparison.result import Comparison
from moselect.metrics.objectives import ALL_OBJECTIVES

SHORT_NAMES = {objective.name: objective.label for objective in ALL_OBJECTIVES} | {
    "mean_absolute_error": "MAE",
    "macro_mean_absolute_error": "macro MAE",
    "mean_squared_error": "MSE",
    "bubble_sort_coefficient": "BSC",
    "off_by_one_accuracy": "off by one",
    "ranked_probability_error": "RPS",
}
NOT_AVAILABLE = "n/a"


def short_measure(name: str) -> str:
    """Return the name of a measure for the head of a table."""
    return SHORT_NAMES.get(name, name.replace("_", " "))


def in_order(comparison: Comparison) -> list[str]:
    """Return the models, best mean rank first, those that failed last."""
    ranks = pd.DataFrame({m: comparison.table[m, "rank"] for m in comparison.measures})
    return list(ranks.mean(axis=1).sort_values(kind="stable").index)


def measures_table(comparison: Comparison) -> pd.DataFrame:
    """Return mean ± sd of all models and measures as text, best models first and with a star."""
    values = comparison.table
    table = pd.DataFrame(index=values.index)
    for measure in comparison.measures:
        part = values[measure]
        stars = part["rank"].eq(1.0).map({True: "*", False: " "})
        told = [_cell(mean, sd) for mean, sd in zip(part["mean"], part["sd"], strict=True)]
        table[f"{short_measure(measure)} "] = told + stars
    table["fit s"] = [seconds(value) for value in values["seconds", "fit"]]
    return table.loc[in_order(comparison)].rename_axis(None)


def footnotes(comparison: Comparison) -> list[str]:
    """Return what the table cannot say: failures, missing values, and warnings."""
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


def legend(comparison: Comparison) -> str:
    """Return what the cells hold."""
    return f"mean ± sd over {len(comparison.folds)} folds; * best"


def as_text(comparison: Comparison) -> str:
    """Return the table as plain text."""
    table = measures_table(comparison).to_string()
    return "\n".join([table, legend(comparison), *footnotes(comparison)])


def as_html(comparison: Comparison) -> str:
    """Return the table as HTML."""
    notes = [legend(comparison), *footnotes(comparison)]
    lines = "".join(f"<p>{html.escape(line)}</p>" for line in notes)
    return measures_table(comparison).to_html(border=0) + lines


def seconds(value: float) -> str:
    """Return a time as short text."""
    if value != value:
        return NOT_AVAILABLE
    return f"{value:.3f}" if value < 1.0 else f"{value:.1f}"


def _cell(mean: float, sd: float) -> str:
    if mean != mean:
        return NOT_AVAILABLE
    if sd != sd:
        return f"{mean:.3f}"
    return f"{mean:.3f}±{sd:.2f}".replace("±0.", "±.")
