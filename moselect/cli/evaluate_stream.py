"""`moselect evaluate` on tables that are larger than memory: counted part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rich.progress import Progress

from moselect._types import Floats, Integers
from moselect._validation import as_they_come
from moselect.cli.cluster import dask_cluster
from moselect.cli.terminal import Terminal
from moselect.datasets import open_stream
from moselect.datasets.ordered_target import order_target
from moselect.datasets.stream import TableStream
from moselect.datasets.target_and_features import check_complete
from moselect.labels import as_label_array, encode_labels
from moselect.metrics import RankingCounts, count_rankings, ranking_bounds
from moselect.metrics.uncertainty.prediction_inference import confusion_inference

STREAM_ABOVE = 1 << 29  # bytes on disk
MOST_LABELS = 10_000  # different values after which a column is known to hold no classes

Parts = Iterable[dict[str, NDArray[Any]]]


class Columns(NamedTuple):
    """Names of the columns to measure."""

    true: str
    score: str | None
    predicted: str | None


class LabelCoder(NamedTuple):
    """Labels as they stand in the files (m,), and the class code (m,) of each."""

    labels: NDArray[Any]
    codes: Integers

    def __call__(self, column: NDArray[Any]) -> Integers:
        """Return the class code of each label."""
        return self.codes[encode_labels(column, self.labels)]


def is_large(path: Path) -> bool:
    """Return whether a table is read part by part without being told to."""
    return path.is_dir() or (path.is_file() and path.stat().st_size > STREAM_ABOVE)


def measure_stream(
    file: Path,
    columns: Columns,
    order: Sequence[str] | None,
    level: float,
    terminal: Terminal,
    dask: str | None,
) -> tuple[pd.DataFrame, dict[Any, int]]:
    """Return a row for each measure, and the number of rows of each class, in a few passes."""
    names = [name for name in columns if name is not None]
    stream = open_stream(file, names, numbers=[] if columns.score is None else [columns.score])
    progress = terminal.progress("{task.description}, {task.completed:,} rows")
    with progress, dask_cluster(dask):
        passes = Passes(stream, progress, on_cluster=dask is not None)
        labels, coder, present = _find_labels(passes, columns, order)
        class_counts = np.zeros(len(labels), dtype=np.int64)
        tables = []
        if columns.score is not None:
            scored = passes.only(columns.true, columns.score)

            def fill(empty: RankingCounts) -> RankingCounts:
                count = partial(_count_scores, columns, coder, empty.classes, empty.edges)
                counts: RankingCounts = scored.total("counting scores", count)
                return counts

            counts = count_rankings(fill, RankingCounts(present))
            class_counts[present] = counts.class_counts
            tables.append(ranking_bounds(counts, confidence_level=level))
        if columns.predicted is not None:
            count = partial(_count_classes, columns, coder, len(labels))
            classified = passes.only(columns.true, columns.predicted)
            confusion: Floats = classified.total("counting classes", count)
            class_counts = confusion.sum(axis=1).astype(np.int64)
            tables.append(confusion_inference(confusion, level, random_state=0))
    return pd.concat(tables), dict(zip(labels, class_counts.tolist(), strict=True))


class Passes(NamedTuple):
    """Passes over a table, watched here or made on a cluster."""

    stream: TableStream
    progress: Progress
    on_cluster: bool

    def only(self, *columns: str) -> Passes:
        """Return passes over some of the columns."""
        return self._replace(stream=self.stream.only(*columns))

    def watched(self, description: str) -> Parts:
        """Yield the parts of the table, and show how many rows were read."""
        for task in self.progress.tasks:
            self.progress.update(task.id, visible=False)
        task_id = self.progress.add_task(description, total=None)
        for part in self.stream:
            yield part
            self.progress.advance(task_id, len(next(iter(part.values()))))

    def total(self, description: str, count: Callable[[Parts], Any]) -> Any:
        """Return what is counted in all parts; on a cluster file by file.

        The files must have the same paths on all machines. What is counted does not depend on
        which machine is done first.
        """
        if not self.on_cluster:
            return count(self.watched(description))
        jobs = [joblib.delayed(count)(one) for one in self.stream.of_files()]
        return reduce(add, joblib.Parallel(return_as=as_they_come("generator_unordered"))(jobs))


def _count_scores(
    columns: Columns, coder: LabelCoder, classes: Integers, edges: Floats, parts: Parts
) -> RankingCounts:
    counts = RankingCounts(classes, edges)
    for part in parts:
        counts.update(coder(part[columns.true]), part[str(columns.score)])
    return counts


def _count_classes(columns: Columns, coder: LabelCoder, r: int, parts: Parts) -> Floats:
    confusion = np.zeros((r, r))
    for part in parts:
        predicted = coder(part[str(columns.predicted)])
        np.add.at(confusion, (coder(part[columns.true]), predicted), 1.0)
    return confusion


def _find_labels(
    passes: Passes, columns: Columns, order: Sequence[str] | None
) -> tuple[tuple[Any, ...], LabelCoder, Integers]:
    """Return all labels in their order, their codes, and the codes of the true classes."""
    true = _distinct(passes, columns.true)
    both = true
    if columns.predicted is not None:  # a class may be predicted that no sample has
        both = join_labels(true, _distinct(passes, columns.predicted))
    found = order_target(both.rename(columns.true), order)
    labels = found.labels
    index = {label: code for code, label in enumerate(labels)}
    codes = np.array([index[label] for label in found.values.tolist()], dtype=np.int64)
    first = ~both.duplicated().to_numpy()
    coder = LabelCoder(as_label_array(both.to_numpy()[first]), codes[first])
    return labels, coder, np.unique(codes[: len(true)])


def join_labels(true: pd.Series, predicted: pd.Series) -> pd.Series:
    """Return the labels of two columns, one after the other, none of them rounded."""
    if {true.dtype.kind, predicted.dtype.kind} == {"i", "u"}:  # which pandas would make floats
        return pd.Series(as_label_array([*true.tolist(), *predicted.tolist()]))
    return pd.concat([true, predicted], ignore_index=True)


def _distinct(passes: Passes, column: str) -> pd.Series:
    """Return the different values of a column; not all of them if it cannot hold classes."""
    distinct = pd.Series(name=column, dtype=object)
    for part in passes.only(column).watched(f"reading '{column}'"):
        new = pd.Series(pd.unique(part[column]), name=column)
        distinct = new if distinct.empty else pd.concat([distinct, new], ignore_index=True)
        distinct = distinct.drop_duplicates(ignore_index=True)
        if len(distinct) > MOST_LABELS:
            break
    if distinct.empty:
        raise ValueError("there are no rows: nothing can be measured")
    check_complete(distinct)
    return distinct
