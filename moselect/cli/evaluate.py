"""`moselect evaluate`: the measures of any model's predictions, each with an interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from moselect._validation import as_counts, as_numbers
from moselect.cli.evaluate_stream import Columns
from moselect.cli.terminal import Terminal
from moselect.datasets.ordered_target import order_target
from moselect.datasets.reading import Reading
from moselect.datasets.tables import Source, read_source
from moselect.datasets.target_and_features import check_complete, choose_target, target_values
from moselect.decision import Costs
from moselect.listing import in_one_line
from moselect.metrics import prediction_inference, ranking_inference, ranking_scores
from moselect.metrics.objectives import RANKING_OBJECTIVES, short_measure
from moselect.storage.tables import unescaped

FEW_GROUPS = 30  # intervals of fewer do not hold their level (experiments/coverage)
FIELDS = ["estimate", "lower", "upper"]


def measure_table(
    file: Path,
    columns: Columns,
    reading: Reading | None,
    order: Sequence[str] | None,
    class_costs: Sequence[float] | None = None,
) -> tuple[pd.DataFrame, dict[Any, int], dict[str, float]]:
    """Return a row for each measure of a table, the number of rows of each class, and other sizes.

    Those are the effective number of rows of real weights, and the number of groups.
    """
    source = read_source(file, reading)
    y = _labels(source, columns.true, order)
    both = y
    if columns.predicted is not None:  # a class may be predicted that no sample has
        predicted = _labels(source, columns.predicted, order)
        both = pd.concat([y, predicted], ignore_index=True).rename(columns.true)
    ordered = order_target(both, order)
    y, classes = ordered.values[: len(y)], ordered.values[len(y) :]
    rows = np.arange(len(y))
    drawn: dict[str, Any] = {}
    sizes = {}
    if columns.weight is not None:
        values = source.table[choose_target(source, columns.weight)]
        weights = as_numbers(f"--weight {columns.weight}", values).astype(np.float64)
        repeated = as_counts(weights)
        if repeated is None:
            drawn["sample_weight"] = weights
            sizes["effective_rows"] = weights.sum() ** 2 / (weights @ weights)
        else:
            rows = np.repeat(rows, repeated)
    if columns.group is not None:
        drawn["groups"] = source.table[choose_target(source, columns.group)].iloc[rows]
        sizes["n_groups"] = drawn["groups"].nunique()
    y = y.iloc[rows]
    counts = {label: int((y == label).sum()) for label in ordered.labels}
    tables = []
    if columns.score is not None:
        scores = source.table[choose_target(source, columns.score)]
        check_complete(scores)
        if not pd.api.types.is_numeric_dtype(scores.dtype):
            raise ValueError(f"the scores in '{columns.score}' are not numbers")
        tables.append(_measure_scores(y, scores.iloc[rows], counts, drawn))
    if columns.predicted is not None:
        costs = None if class_costs is None else Costs(class_costs).matrix(len(ordered.labels))
        table = prediction_inference(
            y.to_numpy(),
            classes.iloc[rows].to_numpy(),
            **drawn,
            labels=ordered.labels,
            cost_matrix=costs,
            random_state=0,  # the same file gives the same intervals
        )
        tables.append(table)
    return pd.concat(tables), counts, sizes


def _measure_scores(
    y: pd.Series, scores: pd.Series, counts: Mapping[Any, int], drawn: Mapping[str, Any]
) -> pd.DataFrame:
    """Measure a ranking; where a class has one row only, nothing is known of the intervals."""
    present = [label for label, count in counts.items() if count]
    if min(counts[label] for label in present) < 2:
        weights = drawn.get("sample_weight")
        estimates = ranking_scores(y.to_numpy(), scores, sample_weight=weights, labels=present)
        return pd.DataFrame({"estimate": estimates}, RANKING_OBJECTIVES).reindex(columns=FIELDS)
    rows = {}
    for measure in RANKING_OBJECTIVES:
        inference = ranking_inference(y.to_numpy(), scores, measure, labels=present, **drawn)
        rows[measure] = (inference.estimates[0], *inference.confidence_intervals[0])
    return pd.DataFrame.from_dict(rows, orient="index", columns=FIELDS)


def _labels(source: Source, name: str, order: Sequence[str] | None) -> pd.Series:
    """Return a complete column; words such as None are labels if ``order`` has them."""
    values = target_values(source, choose_target(source, name), order)
    check_complete(values)
    return values if pd.api.types.is_numeric_dtype(values.dtype) else values.map(unescaped)


def print_measures(
    measures: pd.DataFrame,
    counts: Mapping[Any, int],
    sizes: Mapping[str, float],
    terminal: Terminal,
) -> None:
    """Print what was measured, and what is not known of it."""
    if measures["lower"].isna().any():
        single = [in_one_line(str(label)) for label, count in counts.items() if count == 1]
        terminal.warn(
            f"no intervals of ranking measures: class {', '.join(single)} has one row, and an "
            "interval needs two of every class"
        )
    if sizes.get("n_groups", FEW_GROUPS) < FEW_GROUPS:
        terminal.warn(f"intervals of fewer than {FEW_GROUPS} groups are too short")
    if "least" in measures:
        known_to = (measures["most"] - measures["least"]).max() / 2
        terminal.say(f"counted in bins of scores: the ranking measures are known to {known_to:.1g}")
    if terminal.json:
        terminal.print_json(
            {
                "n_rows": sum(counts.values()),
                **sizes,
                "classes": [{"class": label, "rows": count} for label, count in counts.items()],
                "confidence_level": 0.95,
                "measures": measures.to_dict("index"),
            }
        )
        return
    classes = ", ".join(f"{in_one_line(str(label))}: {count}" for label, count in counts.items())
    terminal.results.print(f"{sum(counts.values())} rows (class {classes})")
    for name, size in sizes.items():
        terminal.results.print(f"{name.removeprefix('n_').replace('_', ' ')}: {size:.6g}")
    table = terminal.table("measure", "estimate", "95 % interval")
    for name, estimate, lower, upper in measures[FIELDS].itertuples():
        interval = "" if lower != lower else f"{lower:.4f} to {upper:.4f}"
        table.add_row(short_measure(str(name)), f"{estimate:.4f}", interval)
    terminal.results.print(table)
