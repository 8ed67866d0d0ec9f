"""`moselect evaluate`: the measures of any model's predictions, each with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from moselect.cli.measuring import FIELDS, Columns, Measured, measure
from moselect.cli.options import (
    By,
    ClassCosts,
    CostMatrix,
    Json,
    Order,
    Read,
    Refer,
    RowGroup,
    RowWeight,
    costs_of,
    data_argument,
    option,
)
from moselect.cli.tables import print_confusion, print_groups, records_of
from moselect.cli.terminal import Terminal
from moselect.listing import in_one_line
from moselect.metrics.objectives import short_measure

if TYPE_CHECKING:  # slow to import
    from moselect.metrics import Costs


def evaluate(
    file: Annotated[
        Path,
        data_argument(
            "Table of predictions; only the named columns of a Parquet file are read.",
            "FILE",
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
    cost_matrix: CostMatrix = None,
    refer: Refer = None,
    by: By = None,
    reading: Read = None,
    json: Json = False,
) -> None:
    """Evaluate the predictions of any model, with intervals."""
    terminal = Terminal(json=json)
    if score is None and pred is None:
        raise ValueError("name the column to evaluate: --score, --pred, or both")
    if str(file) != "-" and not file.exists():
        raise ValueError(f"there is no file '{file}'")
    has_costs = class_costs is not None or cost_matrix is not None
    if pred is None and (has_costs or by):
        raise ValueError("--class-costs, --cost-matrix and --by need --pred")
    if refer is not None and not has_costs:
        raise ValueError("--refer needs costs: --class-costs or --cost-matrix")
    columns = Columns(true, score, pred, weight, group)
    referred = None if refer is None else next(iter(refer))

    def costs(labels: Sequence[object]) -> Costs | None:
        return costs_of(labels, class_costs, cost_matrix, refer=refer)

    with terminal.progress(f"evaluating the rows of {file}"):
        measured = measure(file, columns, reading, order, costs, referred, by or ())
    _print(measured, terminal)


def _print(measured: Measured, terminal: Terminal) -> None:
    """Print the measures of a model, and their caveats."""
    measures, counts, sizes, notes, confusion, groups = measured
    for note in notes:
        terminal.inform(note)
    single = [in_one_line(label) for label, count in counts.items() if count == 1]
    if single and measures["lower"].isna().any():
        terminal.warn(
            f"no intervals of ranking measures: class {', '.join(single)} has one row, and an "
            "interval needs two of every class"
        )
    n_rows = sum(counts.values())
    if terminal.json:
        about = {
            "classes": [
                {"class": label, "rows": count} for label, count in counts.items()
            ],
            "confidence_level": 0.95,
            "measures": measures,
            "confusion": None if confusion is None else confusion.to_numpy(),
            "by": records_of(groups),
        }
        terminal.print_json({"n_rows": n_rows, **sizes, **about})
        return
    classes = ", ".join(
        f"{in_one_line(label)}: {count}" for label, count in counts.items()
    )
    terminal.print(f"{n_rows} rows (class {classes})")
    for name, size in sizes.items():
        terminal.print(f"{name.removeprefix('n_').replace('_', ' ')}: {size:,.0f}")
    lines = (
        (
            short_measure(str(name)),
            f"{estimate:.4f}",
            f"{lower:.4f} to {upper:.4f}".replace("nan to nan", ""),
        )
        for name, estimate, lower, upper in measures[FIELDS].itertuples()
    )
    terminal.print_table(["measure", "estimate", "95 % interval"], lines)
    if confusion is not None:
        print_confusion(confusion, terminal)
    print_groups(groups, terminal)
