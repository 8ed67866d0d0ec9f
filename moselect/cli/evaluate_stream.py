"""`moselect evaluate` on tables that are larger than memory: counted part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._processes import as_they_come
from moselect._types import Floats, Integers
from moselect.cli.evaluate import Columns
from moselect.datasets import open_stream
from moselect.datasets.ordered_target import order_target
from moselect.datasets.stream import TableStream
from moselect.datasets.target_and_features import check_complete
from moselect.labels import as_label_array, encode_labels
from moselect.metrics import RankingCounts, count_rankings, ranking_bounds
from moselect.metrics.counts import check_counts
from moselect.metrics.uncertainty.prediction_inference import confusion_inference

MOST_LABELS = 10_000  # different values after which a column is known to hold no classes
SECONDS_TO_CONNECT = 10

Parts = Iterable[dict[str, NDArray[Any]]]


class LabelCoder(NamedTuple):
    """Labels as they stand in the files (m,), and the class code (m,) of each."""

    labels: NDArray[Any]
    codes: Integers

    def __call__(self, column: NDArray[Any]) -> Integers:
        """Return the class code of each label."""
        return self.codes[encode_labels(column, self.labels)]


def measure_stream(
    file: Path,
    columns: Columns,
    order: Sequence[str] | None,
    dask: str | None,
) -> tuple[pd.DataFrame, dict[Any, int]]:
    """Return a row for each measure, and the number of rows of each class, in a few passes.

    Workers of a cluster must see the files under the same paths.
    """
    names = [name for name in columns if name is not None]
    weight = [] if columns.weight is None else [columns.weight]
    numbers = weight if columns.score is None else [columns.score, *weight]
    stream = open_stream(file.resolve(), names, numbers=numbers)
    tables = []
    with _dask_cluster(dask):
        labels, coder, present = _find_labels(stream, columns, order)
        class_counts = np.zeros(len(labels), dtype=np.int64)
        if columns.score is not None:
            scored = stream.only(columns.true, columns.score, *weight)

            def fill(empty: RankingCounts) -> RankingCounts:
                count = partial(_count_scores, columns, coder, empty.classes, empty.edges)
                counts: RankingCounts = _total(scored, count, dask)
                return counts

            counts = count_rankings(fill, RankingCounts(present))
            class_counts[present] = counts.class_counts
            tables.append(ranking_bounds(counts))
        if columns.predicted is not None:
            classified = stream.only(columns.true, columns.predicted, *weight)
            count = partial(_count_classes, columns, coder, len(labels))
            confusion: Floats = _total(classified, count, dask)
            class_counts = confusion.sum(axis=1).astype(np.int64)
            tables.append(confusion_inference(confusion))
    return pd.concat(tables), dict(zip(labels, class_counts.tolist(), strict=True))


@contextmanager
def _dask_cluster(address: str | None) -> Iterator[None]:
    """Make joblib send its tasks to the Dask scheduler at ``address``, if there is one."""
    if address is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise ValueError("--dask needs an extra: pip install 'moselect[dask]'") from None
    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at '{address}': {error}") from None
    with client, joblib.parallel_config(backend="dask"):
        yield


def _total(stream: TableStream, count: Callable[[Parts], Any], dask: str | None) -> Any:
    """Return what is counted in all parts; on a cluster file by file, in whatever order."""
    if dask is None:
        return count(stream)
    jobs = [joblib.delayed(count)(file) for file in stream.of_files()]
    return reduce(
        add, joblib.Parallel(return_as=as_they_come("generator_unordered"))(jobs)
    )


def _count_scores(
    columns: Columns, coder: LabelCoder, classes: Integers, edges: Floats, parts: Parts
) -> RankingCounts:
    counts = RankingCounts(classes, edges)
    for part in parts:
        weights = columns.weight and part[columns.weight]
        counts.update(coder(part[columns.true]), part[str(columns.score)], weights)
    return counts


def _count_classes(columns: Columns, coder: LabelCoder, r: int, parts: Parts) -> Floats:
    confusion = np.zeros((r, r))
    for part in parts:
        predicted = coder(part[str(columns.predicted)])
        counts = check_counts(columns.weight and part[columns.weight])
        np.add.at(confusion, (coder(part[columns.true]), predicted), counts)
    return confusion


def _find_labels(
    stream: TableStream, columns: Columns, order: Sequence[str] | None
) -> tuple[tuple[Any, ...], LabelCoder, Integers]:
    """Return all labels in their order, their codes, and the codes of the true classes."""
    distinct = [_distinct(stream, name) for name in columns.of_classes]
    both = pd.concat(distinct, ignore_index=True)
    target = order_target(both.rename(columns.true), order)
    labels = target.labels
    index = {label: code for code, label in enumerate(labels)}
    codes = np.array([index[label] for label in target.values.tolist()], dtype=np.int64)
    first = ~both.duplicated().to_numpy()
    coder = LabelCoder(as_label_array(both.to_numpy()[first]), codes[first])
    return labels, coder, np.unique(codes[: len(distinct[0])])


def _distinct(stream: TableStream, column: str) -> pd.Series:
    """Return the different values of a column; not all of them if it cannot hold classes."""
    distinct = pd.Series(name=column, dtype=object)
    for part in stream.only(column):
        new = pd.Series(pd.unique(part[column]), name=column)
        distinct = (
            new if distinct.empty else pd.concat([distinct, new], ignore_index=True)
        )
        distinct = distinct.drop_duplicates(ignore_index=True)
        if len(distinct) > MOST_LABELS:
            break
    if distinct.empty:
        raise ValueError("there are no rows: nothing can be measured")
    check_complete(distinct)
    return distinct
