"""A comparison as a table to read."""

from __future__ import annotations

import html
from collections.abc import Sequence

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


def cells(comparison: Comparison, measures: Sequence[str]) -> pd.DataFrame:
    """Return mean and sd of each model (row) and measure (column) as text."""
    table = comparison.table
    return pd.DataFrame(
        {
            measure: [
                _cell(mean, sd)
                for mean, sd in zip(table[measure, "mean"], table[measure, "sd"], strict=True)
            ]
            for measure in measures
        },
        index=table.index,
    )


def best_cells(comparison: Comparison, measures: Sequence[str]) -> pd.DataFrame:
    """Return for each model (row) and measure (column) whether it is the best."""
    return pd.DataFrame({m: comparison.table[m, "rank"] == 1.0 for m in measures})


def legend(comparison: Comparison) -> str:
    """Return what the cells hold."""
    return f"mean ± sd over {len(comparison.folds)} folds, seconds to fit one"


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


def as_text(comparison: Comparison) -> str:
    """Return the table as plain text, the best of each column with a star."""
    shown = cells(comparison, comparison.measures)
    marked = shown + best_cells(comparison, comparison.measures).replace({True: "*", False: " "})
    marked.columns = pd.Index([f"{short_measure(name)} " for name in comparison.measures])
    marked["fit s"] = [seconds(value) for value in comparison.table["seconds", "fit"]]
    text = marked.loc[in_order(comparison)].rename_axis(None).to_string()
    return "\n".join([text, f"{legend(comparison)}; * best", *footnotes(comparison)])


def as_html(comparison: Comparison) -> str:
    """Return the table as HTML, the best of each column in bold."""
    shown, best = (
        cells(comparison, comparison.measures),
        best_cells(comparison, comparison.measures),
    )
    ranks, fit = comparison.table.xs("rank", axis=1, level=1), comparison.table["seconds", "fit"]
    head = "".join(f"<th>{html.escape(short_measure(name))}</th>" for name in comparison.measures)
    rows = []
    for name in in_order(comparison):
        row = [f"<th>{html.escape(name)}</th>"]
        for measure in comparison.measures:
            told = shown[measure][name]
            if told != NOT_AVAILABLE:
                told = f"{told} ({ranks[measure][name]:.0f})"
            row.append(f"<td><b>{told}</b></td>" if best[measure][name] else f"<td>{told}</td>")
        row.append(f"<td>{seconds(fit[name])}</td>")
        rows.append(f"<tr>{''.join(row)}</tr>")
    notes = "".join(
        f"<p>{html.escape(line)}</p>"
        for line in [f"{legend(comparison)}, rank", *footnotes(comparison)]
    )
    return (
        f"<table><thead><tr><th>model</th>{head}<th>fit s</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>{notes}"
    )


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
