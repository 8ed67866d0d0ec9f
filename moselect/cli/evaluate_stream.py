"""`moselect evaluate` on tables that are larger than memory: counted part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rich.progress import Progress

from moselect.cli.cluster import count_on_cluster, dask_cluster
from moselect.cli.terminal import Terminal
from moselect.datasets import TableStream, check_complete, open_stream, order_labels
from moselect.labels import as_label_array, encode_labels
from moselect.metrics import (
    Bounds,
    PredictionCounts,
    RankingCounts,
    confusion_inference,
    count_rankings,
    exact_ranking_bounds,
    interval_bounds,
    ranking_bounds,
)

STREAM_ABOVE = 1 << 29  # bytes on disk
MOST_LABELS = 10_000  # different values after which a column is known to hold no classes

Measure = Literal["vus", "u_cons", "u_ovo", "u_pairs"]
MEASURES: tuple[Measure, ...] = ("vus", "u_cons", "u_ovo", "u_pairs")
Counts = TypeVar("Counts", RankingCounts, PredictionCounts)
Callback = Callable[[int], object]


class StreamedColumns(NamedTuple):
    """Names of the columns to measure."""

    true: str
    score: str | None
    predicted: str | None


class StreamedMeasures(NamedTuple):
    """What was measured: (estimate, lower, upper) of the interval, by measure.

    ``bounds`` are what the ranking measures themselves lie between.
    """

    rows: dict[str, tuple[float, float, float]]
    class_counts: dict[Any, int]
    bounds: dict[str, Bounds]


class LabelCoder(NamedTuple):
    """Labels as they stand in the files (m,), and the class code (m,) of each."""

    labels: NDArray[Any]
    codes: NDArray[np.int64]

    def __call__(self, column: NDArray[Any]) -> NDArray[np.int64]:
        """Return the class code of each label."""
        return self.codes[encode_labels(column, self.labels)]


def is_large(path: Path) -> bool:
    """Return whether a table is read part by part without being asked to."""
    return path.is_dir() or (path.is_file() and path.stat().st_size > STREAM_ABOVE)


def measure_stream(
    file: Path,
    columns: StreamedColumns,
    order: Sequence[str] | None,
    level: float,
    terminal: Terminal,
    *,
    exact: bool = False,
    dask: str | None = None,
) -> StreamedMeasures:
    """Measure the scores and the predicted classes of a table in a few passes over it."""
    true, score, predicted = columns
    if exact and dask is not None:
        raise ValueError("--exact sorts the scores in this process: leave out --dask")
    names = [name for name in columns if name is not None]
    stream = open_stream(file, names, numbers=[] if score is None else [score])
    cluster = nullcontext() if dask is None else dask_cluster(dask)
    with terminal.progress("{task.description}, {task.completed:,} rows") as progress, cluster:
        labels, coder, present = _find_labels(stream, columns, order, progress)

        def count(other: str, what: str, empty: Counts) -> Counts:
            fill = partial(_fill, true=true, other=other, coder=coder)
            used = stream.only([true, other])
            if dask is not None:
                return count_on_cluster(fill, used.of_files(), empty)
            return fill(used, empty, callback=_watch(progress, what))

        class_counts = np.zeros(len(labels), dtype=np.int64)
        rows: dict[str, tuple[float, float, float]] = {}
        bounds: dict[str, Bounds] = {}
        if score is not None:
            counts = count_rankings(
                partial(count, score, "counting scores"), RankingCounts(present)
            )
            class_counts[present] = counts.class_weights.astype(np.int64)
            if exact:
                found = exact_ranking_bounds(partial(_pairs, stream, columns, coder), counts)
            else:
                found = ranking_bounds(counts)
            for measure in MEASURES:
                bounds[measure] = found[measure]
                interval = interval_bounds(counts, measure, confidence_level=level)[1]
                rows[measure] = (found[measure].estimate, *interval)
        if predicted is not None:
            confusion = count(predicted, "counting classes", PredictionCounts(range(len(labels))))
            class_counts = confusion.matrix.sum(axis=1).astype(np.int64)
            table = confusion_inference(confusion.matrix, level, random_state=0)
            rows |= {str(name): tuple(row) for name, *row in table.itertuples()}
    return StreamedMeasures(rows, dict(zip(labels, class_counts.tolist(), strict=True)), bounds)


def _fill(
    stream: TableStream,
    empty: Counts,
    *,
    true: str,
    other: str,
    coder: LabelCoder,
    callback: Callback | None = None,
) -> Counts:
    """Fill counts with the true classes and the scores, or predicted classes, of a table."""
    for part in stream.parts(callback):
        values = part[other] if other in stream.numbers else coder(part[other])
        empty.update(coder(part[true]), values)
    return empty


def _pairs(
    stream: TableStream, columns: StreamedColumns, coder: LabelCoder
) -> Iterator[tuple[Any, Any]]:
    """Yield the class codes and scores of every part."""
    score = str(columns.score)
    for part in stream.only([columns.true, score]):
        yield coder(part[columns.true]), part[score]


def _watch(progress: Progress, what: str) -> Callback:
    """Return what adds to the rows of a new line of the progress."""
    for task in progress.tasks:
        progress.update(task.id, visible=False)
    return partial(progress.advance, progress.add_task(what, total=None))


def _find_labels(
    stream: TableStream, columns: StreamedColumns, order: Sequence[str] | None, progress: Progress
) -> tuple[tuple[Any, ...], LabelCoder, NDArray[np.int64]]:
    """Return all labels in their order, their codes, and the codes of the true classes."""
    true = _distinct(stream, columns.true, progress)
    both = true
    if columns.predicted is not None:  # a class may be predicted that no sample has
        predicted = _distinct(stream, columns.predicted, progress)
        both = join_labels(true, predicted)
    ordered, labels = order_labels(both.rename(columns.true), order)
    index = {label: code for code, label in enumerate(labels)}
    codes = np.array([index[label] for label in ordered.tolist()], dtype=np.int64)
    first = ~both.duplicated().to_numpy()
    coder = LabelCoder(as_label_array(both.to_numpy()[first]), codes[first])
    return labels, coder, np.unique(codes[: len(true)])


def join_labels(true: pd.Series, predicted: pd.Series) -> pd.Series:
    """Return the labels of two columns, one after the other, none of them rounded."""
    if {true.dtype.kind, predicted.dtype.kind} == {"i", "u"}:  # which pandas would make floats
        return pd.Series(as_label_array([*true.tolist(), *predicted.tolist()]))
    return pd.concat([true, predicted], ignore_index=True)


def _distinct(stream: TableStream, column: str, progress: Progress) -> pd.Series:
    """Return the different values of a column; not all of them if it cannot hold classes."""
    found = pd.Series(name=column, dtype=object)
    for part in stream.only([column]).parts(_watch(progress, f"reading '{column}'")):
        new = pd.Series(pd.unique(part[column]), name=column)
        found = new if found.empty else pd.concat([found, new], ignore_index=True)
        found = found.drop_duplicates(ignore_index=True)
        if len(found) > MOST_LABELS:
            break
    if found.empty:
        raise ValueError("there are no rows: nothing can be measured")
    check_complete(found)
    return found
