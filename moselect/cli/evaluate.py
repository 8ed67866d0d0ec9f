"""`moselect evaluate`: the measures of any model's predictions, each with an interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from moselect.cli.evaluate_stream import Columns, join_labels, measure_stream
from moselect.cli.terminal import Terminal, in_one_line
from moselect.datasets.files.tables import Reading, Source, read_source
from moselect.datasets.ordered_target import order_target
from moselect.datasets.target_and_features import check_complete, choose_target, target_values
from moselect.metrics import prediction_inference, ranking_inference, ranking_scores
from moselect.metrics.objectives import RANKING_OBJECTIVES
from moselect.storage.table_text import unescaped

SEED = 0  # so that the same file gives the same intervals


def run_evaluate(
    file: Path,
    columns: Columns,
    reading: Reading | None,
    order: Sequence[str] | None,
    level: float,
    terminal: Terminal,
) -> None:
    """Print the measures of the scores and of the predicted classes in a table."""
    source = read_source(file, **(reading or {}))
    y = _labels(source, columns.true, order)
    if columns.predicted is None:
        ordered = order_target(y, order)
        y = ordered.values
    else:  # a class may be predicted that no sample has
        both = join_labels(y, _labels(source, columns.predicted, order))
        ordered = order_target(both.rename(columns.true), order)
        y, classes = ordered.values[: len(y)], ordered.values[len(y) :]
    labels = ordered.labels
    counts = {label: int((y == label).sum()) for label in labels}
    tables = []
    if columns.score is not None:
        scores = source.table[choose_target(source.table, columns.score)]
        check_complete(scores)
        if not pd.api.types.is_numeric_dtype(scores.dtype):
            raise ValueError(f"the scores in '{columns.score}' are not numbers")
        tables.append(_measure_scores(y, scores, counts, level))
    if columns.predicted is not None:
        tables.append(
            prediction_inference(
                y.to_numpy(),
                classes.to_numpy(),
                labels=labels,
                confidence_level=level,
                random_state=SEED,
            )
        )
    _print(pd.concat(tables), counts, level, terminal)


def run_streamed_evaluate(
    file: Path,
    columns: Columns,
    order: Sequence[str] | None,
    level: float,
    terminal: Terminal,
    dask: str | None,
) -> None:
    """Do what `run_evaluate` does, part by part, in little memory."""
    table, counts = measure_stream(file, columns, order, level, terminal, dask)
    _print(table, counts, level, terminal)
    if "least" in table:
        known_to = (table["most"] - table["least"]).max() / 2
        terminal.say(f"counted in bins of scores: the ranking measures are known to {known_to:.1g}")


def _measure_scores(
    y: pd.Series, scores: pd.Series, counts: Mapping[Any, int], level: float
) -> pd.DataFrame:
    """Measure a ranking; where a class has one row only, nothing is known of the intervals."""
    present = [label for label, count in counts.items() if count]
    if min(counts[label] for label in present) < 2:
        estimates = ranking_scores(y.to_numpy(), scores, labels=present)
        table = pd.DataFrame({"estimate": estimates}, index=list(RANKING_OBJECTIVES))
        return table.assign(lower=np.nan, upper=np.nan)
    rows = {}
    for measure in RANKING_OBJECTIVES:
        inference = ranking_inference(
            y.to_numpy(), scores, measure, labels=present, confidence_level=level
        )
        rows[measure] = (inference.estimates[0], *inference.confidence_intervals[0])
    return pd.DataFrame.from_dict(rows, orient="index", columns=["estimate", "lower", "upper"])


def _labels(source: Source, name: str, order: Sequence[str] | None) -> pd.Series:
    """Return a complete column; words such as None are labels if ``order`` has them."""
    values = target_values(source, choose_target(source.table, name), order)
    return values if pd.api.types.is_numeric_dtype(values.dtype) else values.map(unescaped)


def _print(
    measures: pd.DataFrame, counts: Mapping[Any, int], level: float, terminal: Terminal
) -> None:
    single = [in_one_line(str(label)) for label, count in counts.items() if count == 1]
    if measures["lower"].isna().any():
        terminal.warn(
            f"no intervals of ranking measures: class {', '.join(single)} has one row, and an "
            "interval needs two of every class"
        )
    if terminal.json:
        rows: dict[str, dict[str, Any]] = {
            str(name): {
                field: measures.loc[name, field] for field in ("estimate", "lower", "upper")
            }
            for name in measures.index
        }
        if "least" in measures:
            for name, *bounds in measures[["least", "most"]].dropna().itertuples():
                rows[str(name)]["bounds"] = bounds
        terminal.print_json(
            {
                "n_rows": sum(counts.values()),
                "classes": [{"class": label, "rows": count} for label, count in counts.items()],
                "confidence_level": level,
                "measures": rows,
            }
        )
        return
    sizes = ", ".join(f"{in_one_line(str(label))}: {count}" for label, count in counts.items())
    terminal.results.print(f"{sum(counts.values())} rows (class {sizes})")
    table = terminal.table("measure", "estimate", f"{100 * level:g} % interval")
    for name, estimate, lower, upper in measures[["estimate", "lower", "upper"]].itertuples():
        interval = "" if np.isnan(lower) else f"{lower:.4f} to {upper:.4f}"
        table.add_row(str(name), f"{estimate:.4f}", interval)
    terminal.results.print(table)
