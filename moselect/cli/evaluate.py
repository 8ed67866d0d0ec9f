"""`moselect evaluate`: the measures of any model's predictions, each with an interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from moselect.cli.by_group import print_groups, records_of
from moselect.cli.options import (
    By,
    ClassCosts,
    Json,
    Order,
    Read,
    RowGroup,
    RowWeight,
    data_argument,
    option,
)
from moselect.cli.terminal import Terminal
from moselect.listing import in_one_line
from moselect.metrics.objectives import RANKING_OBJECTIVES, short_measure

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect.datasets.reading import Reading
    from moselect.datasets.tables import Source
    from moselect.selection import GroupEstimates

FIELDS = ["estimate", "lower", "upper"]


class Columns(NamedTuple):
    """Names of the columns to measure."""

    true: str
    score: str | None
    predicted: str | None
    weight: str | None
    group: str | None

    @property
    def of_classes(self) -> list[str]:
        """Those of true and predicted classes; one may be predicted that no row has."""
        return [name for name in (self.true, self.predicted) if name is not None]


class Measured(NamedTuple):
    """A row for each measure, the rows of each class, and other sizes by name.

    Those are the effective number of rows of real weights, and the number of groups.
    ``notes`` are on the order of the classes.
    """

    measures: pd.DataFrame
    counts: Mapping[Any, int]
    sizes: Mapping[str, float]
    notes: Sequence[str] = ()
    groups: Mapping[str, GroupEstimates] = {}


def evaluate(
    file: Annotated[
        Path,
        data_argument(
            "A table; of a Parquet file only the named columns are read.", "FILE"
        ),
    ],
    true: Annotated[
        str,
        option("Column of the true classes.", "--true", "--target", show_default=False),
    ],
    score: Annotated[str | None, option("Column of scores.")] = None,
    pred: Annotated[str | None, option("Column of predicted classes.")] = None,
    weight: RowWeight = None,
    group: RowGroup = None,
    order: Order = None,
    class_costs: ClassCosts = None,
    by: By = None,
    reading: Read = None,
    json: Json = False,
) -> None:
    """Measure the predictions of any model, with intervals."""
    terminal = Terminal(json=json)
    if score is None and pred is None:
        raise ValueError("say which column to measure: --score, --pred, or both")
    if str(file) != "-" and not file.exists():
        raise ValueError(f"there is no file '{file}'")
    if class_costs is not None and pred is None:
        raise ValueError("--class-costs needs --pred")
    if by and pred is None:
        raise ValueError("--by needs --pred")
    columns = Columns(true, score, pred, weight, group)
    with terminal.progress(f"measuring the rows of {file}"):
        measured = _measure(file, columns, reading, order, class_costs, by or ())
    _print(measured, terminal)


def _measure(
    file: Path,
    columns: Columns,
    reading: Reading | None,
    order: Sequence[str] | None,
    class_costs: Sequence[float] | None,
    by: Sequence[str],
) -> Measured:
    """Measure scores and predicted classes against the true classes of a table."""
    import numpy as np
    import pandas as pd

    from moselect.datasets.ordered_target import order_target
    from moselect.datasets.tables import read_source
    from moselect.datasets.target_and_features import check_complete, choose_target
    from moselect.metrics import Costs, prediction_inference
    from moselect.samples.labels import as_label_array, encode_labels
    from moselect.samples.samples import Samples
    from moselect.samples.validation import as_counts, as_numbers, ranks_of
    from moselect.selection import group_estimates

    source = read_source(
        file, reading, [name for name in (*columns, *by) if name is not None]
    )
    labels = [_labels(source, name, order) for name in columns.of_classes]
    both = pd.concat(labels, ignore_index=True).rename(columns.true)
    ordered, n = order_target(both, order), len(source.table)
    y, classes = ordered.values[:n], ordered.values[n:]
    rows, drawn, sizes = np.arange(n), dict[str, Any](), dict[str, float]()
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
        table = prediction_inference(
            y.to_numpy(),
            classes.iloc[rows].to_numpy(),
            **drawn,
            labels=ordered.labels,
            cost_matrix=class_costs and Costs(class_costs).matrix(len(ordered.labels)),
        )
        tables.append(table)
    groups = {}
    if by:
        names = as_label_array(ordered.labels)
        samples = Samples(
            np.empty((len(y), 0)),
            encode_labels(y, names),
            names,
            weights=drawn.get("sample_weight"),
            groups=ranks_of("groups", drawn.get("groups"), len(y)),
        )
        predicted = encode_labels(classes.iloc[rows], names)
        costs = None if class_costs is None else Costs(class_costs).matrix(len(names))
        for name in by:
            values = source.table[choose_target(source, name)].iloc[rows]
            values = values.reset_index(drop=True)
            groups[name] = group_estimates(values, samples, predicted, costs)
    return Measured(pd.concat(tables), counts, sizes, ordered.notes, groups)


def _measure_scores(
    y: pd.Series, scores: pd.Series, counts: Mapping[Any, int], drawn: Mapping[str, Any]
) -> pd.DataFrame:
    """Measure a ranking; where a class has one row only, nothing is known of the intervals."""
    import pandas as pd

    from moselect.metrics import ranking_inference, ranking_scores

    present = [label for label, count in counts.items() if count]
    if min(counts[label] for label in present) < 2:
        weights = drawn.get("sample_weight")
        estimates = ranking_scores(
            y.to_numpy(), scores, sample_weight=weights, labels=present
        )
        return pd.DataFrame({"estimate": estimates}, RANKING_OBJECTIVES).reindex(
            columns=FIELDS
        )
    rows = {}
    for measure in RANKING_OBJECTIVES:
        inference = ranking_inference(
            y.to_numpy(), scores, measure, labels=present, **drawn
        )
        rows[measure] = (inference.estimates[0], *inference.confidence_intervals[0])
    return pd.DataFrame.from_dict(rows, orient="index", columns=FIELDS)


def _labels(source: Source, name: str, order: Sequence[str] | None) -> pd.Series:
    """Return a complete column; words such as None are labels if ``order`` has them."""
    from pandas.api.types import is_numeric_dtype

    from moselect.datasets.target_and_features import (
        check_complete,
        choose_target,
        target_values,
    )
    from moselect.io.tables import unescaped

    values = target_values(source, choose_target(source, name), order)
    check_complete(values)
    return values if is_numeric_dtype(values.dtype) else values.map(unescaped)


def _print(measured: Measured, terminal: Terminal) -> None:
    """Print the measures of a model, and their caveats."""
    measures, counts, sizes, notes, groups = measured
    for note in notes:
        terminal.say(note)
    if measures["lower"].isna().any():
        single = [in_one_line(label) for label, count in counts.items() if count == 1]
        terminal.warn(
            f"no intervals of ranking measures: class {', '.join(single)} has one row, and an "
            "interval needs two of every class"
        )
    if "n_groups" in sizes:
        terminal.warn_of_few_groups(sizes["n_groups"])
    n_rows = sum(counts.values())
    if terminal.json:
        about = {
            "classes": [
                {"class": label, "rows": count} for label, count in counts.items()
            ],
            "confidence_level": 0.95,
            "measures": measures,
            "by": records_of(groups),
        }
        terminal.print_json({"n_rows": n_rows, **sizes, **about})
        return
    classes = ", ".join(
        f"{in_one_line(label)}: {count}" for label, count in counts.items()
    )
    terminal.print(f"{n_rows} rows (class {classes})")
    for name, size in sizes.items():
        terminal.print(f"{name.removeprefix('n_').replace('_', ' ')}: {size:.6g}")
    table = terminal.table("measure", "estimate", "95 % interval")
    for name, estimate, lower, upper in measures[FIELDS].itertuples():
        interval = "" if lower != lower else f"{lower:.4f} to {upper:.4f}"
        table.add_row(short_measure(str(name)), f"{estimate:.4f}", interval)
    terminal.print(table)
    print_groups(groups, terminal)
