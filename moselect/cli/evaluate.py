"""`moselect evaluate`: the measures of any model's predictions, each with an interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from moselect.cli.evaluate_stream import StreamedColumns, join_labels, measure_stream
from moselect.cli.terminal import Terminal, in_one_line
from moselect.datasets import (
    Reading,
    Source,
    check_complete,
    choose_target,
    order_labels,
    read_source,
    target_values,
)
from moselect.metrics import Bounds, prediction_inference, ranking_inference
from moselect.storage import unescaped

Measure = Literal["vus", "u_cons", "u_ovo", "u_pairs"]
RANKING_MEASURES: tuple[Measure, ...] = ("vus", "u_cons", "u_ovo", "u_pairs")
Rows = dict[str, tuple[float, float, float]]  # measure: estimate, lower, upper
ROUNDING = 1e-12
SEED = 0  # so that the same file gives the same intervals


def run_evaluate(
    file: Path,
    reading: Reading | None,
    true: str,
    score: str | None,
    predicted: str | None,
    order: Sequence[str] | None,
    level: float,
    terminal: Terminal,
) -> None:
    """Print the measures of the scores and of the predicted classes in a table."""
    if score is None and predicted is None:
        raise ValueError("say which column to measure: --score, --pred, or both")
    source = read_source(file, **(reading or {}))
    y = _labels(source, true, order)
    if predicted is None:
        y, labels = order_labels(y, order)
    else:  # a class may be predicted that no sample has
        both = join_labels(y, _labels(source, predicted, order))
        both, labels = order_labels(both.rename(true), order)
        y, classes = both[: len(y)], both[len(y) :]
    counts = {label: int((y == label).sum()) for label in labels}
    present = [label for label, count in counts.items() if count]
    rows: Rows = {}
    if score is not None:
        scores = source.table[choose_target(source.table, score)]
        check_complete(scores)
        if not pd.api.types.is_numeric_dtype(scores.dtype):
            raise ValueError(f"the scores in '{score}' are not numbers")
        for measure in RANKING_MEASURES:
            found = ranking_inference(
                y.to_numpy(), scores, measure, labels=present, confidence_level=level
            )
            rows[measure] = (found.estimates[0], *found.confidence_intervals[0])
    if predicted is not None:
        measures = prediction_inference(
            y.to_numpy(),
            classes.to_numpy(),
            labels=labels,
            confidence_level=level,
            random_state=SEED,
        )
        rows |= {str(name): tuple(row) for name, *row in measures.itertuples()}
    _print(rows, counts, level, terminal)


def run_streamed_evaluate(
    file: Path,
    columns: StreamedColumns,
    order: Sequence[str] | None,
    level: float,
    terminal: Terminal,
    *,
    exact: bool,
    dask: str | None,
) -> None:
    """Do what `run_evaluate` does, part by part, in little memory."""
    if columns.score is None and columns.predicted is None:
        raise ValueError("say which column to measure: --score, --pred, or both")
    found = measure_stream(file, columns, order, level, terminal, exact=exact, dask=dask)
    _print(found.rows, found.class_counts, level, terminal, found.bounds)


def _labels(source: Source, name: str, order: Sequence[str] | None) -> pd.Series:
    """Return a complete column; words such as None are labels if ``order`` has them."""
    values = target_values(source, choose_target(source.table, name), order)
    return values if pd.api.types.is_numeric_dtype(values.dtype) else values.map(unescaped)


def _print(
    rows: Rows,
    counts: Mapping[Any, int],
    level: float,
    terminal: Terminal,
    bounds: Mapping[str, Bounds] | None = None,
) -> None:
    if terminal.json:
        _print_json(rows, counts, level, terminal, bounds or {})
        return
    told = ", ".join(f"{in_one_line(str(label))}: {count}" for label, count in counts.items())
    terminal.results.print(f"{sum(counts.values())} rows (class {told})")
    table = terminal.table("measure", "estimate", f"{100 * level:g} % interval")
    for name, (estimate, lower, upper) in rows.items():
        table.add_row(name, f"{estimate:.4f}", f"{lower:.4f} to {upper:.4f}")
    terminal.results.print(table)
    if bounds:
        width = max(found.width for found in bounds.values())
        terminal.say(
            "counted in bins of scores: the ranking measures are exact but for rounding"
            if width <= ROUNDING
            else f"counted in bins of scores: the ranking measures are known to {width / 2:.1g}"
        )


def _print_json(
    rows: Rows,
    counts: Mapping[Any, int],
    level: float,
    terminal: Terminal,
    bounds: Mapping[str, Bounds],
) -> None:
    measures: dict[str, dict[str, Any]] = {
        name: dict(zip(("estimate", "lower", "upper"), row, strict=True))
        for name, row in rows.items()
    }
    for name, found in bounds.items():
        measures[name]["bounds"] = list(found)
    terminal.print_json(
        {
            "n_rows": sum(counts.values()),
            "classes": [{"class": label, "rows": count} for label, count in counts.items()],
            "confidence_level": level,
            "measures": measures,
        }
    )
