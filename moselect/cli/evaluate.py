"""`moselect evaluate`: the measures of any model's predictions, each with an interval."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from moselect.cli.labels import labels_of, order_labels
from moselect.cli.options import (
    By,
    ClassCosts,
    CostMatrix,
    Group,
    LeaveOut,
    Order,
    Read,
    Refer,
    Weight,
    WeightType,
    data_argument,
    option,
)
from moselect.cli.requests import Request
from moselect.cli.tables import print_confusion, print_section, records_of
from moselect.cli.terminal import Terminal
from moselect.listing import in_one_line
from moselect.metrics.objectives import RANKING_OBJECTIVES, short_measure

if TYPE_CHECKING:  # slow to import
    import pandas as pd

    from moselect._types import Document, Floats, Integers
    from moselect.inspection.groups import GroupEstimates
    from moselect.samples.samples import Samples

FIELDS = ["estimate", "lower", "upper"]


class EvaluateRequest(Request, frozen=True, kw_only=True):
    """Options of `moselect evaluate`."""

    file: Annotated[
        Path,
        data_argument(
            "Table of predictions; only the named columns of a Parquet file are read.",
            "FILE",
        ),
    ]
    true: Annotated[
        str,
        option("Column of the true classes.", "--true", "--target", show_default=False),
    ]
    score: Annotated[str | None, option("Column of scores.")] = None
    pred: Annotated[str | None, option("Column of predicted classes.")] = None
    weight: Weight = None
    weight_type: WeightType = None
    group: Group = None
    order: Order = None
    leave_out: LeaveOut = None
    class_costs: ClassCosts = None
    cost_matrix: CostMatrix = None
    refer: Refer = None
    by: By = None
    reading: Read = None

    def __post_init__(self) -> None:
        if self.score is None and self.pred is None:
            raise ValueError("name the column to evaluate: --score, --pred, or both")
        has_costs = bool(self.given("class_costs", "cost_matrix"))
        if self.pred is None and (has_costs or self.by):
            raise ValueError("--class-costs, --cost-matrix and --by need --pred")
        if self.refer is not None and not has_costs:
            raise ValueError("--refer needs costs: --class-costs or --cost-matrix")
        if self.weight_type is not None and self.weight is None:
            raise ValueError("--weight-type needs --weight")

    @property
    def columns(self) -> list[str]:
        """Columns of the table that are named."""
        names = ("true", "score", "pred", "weight", "group")
        return [*self.given(*names).values(), *(self.by or ())]


def evaluate(request: EvaluateRequest) -> None:
    """Evaluate the predictions of any model, with intervals."""
    terminal = request.terminal()
    if str(request.file) != "-" and not request.file.exists():
        raise ValueError(f"there is no file '{request.file}'")
    with terminal.progress(f"evaluating the rows of {request.file}"):
        import numpy as np
        import pandas as pd

        from moselect.costs.criteria import row_costs_of
        from moselect.costs.losses import confusion_of
        from moselect.datasets.target import choose_target, role_values
        from moselect.inspection.groups import group_estimates
        from moselect.labels.labels import as_label_array, encode_labels
        from moselect.samples.samples import Samples
        from moselect.samples.weights import read_weights
        from moselect.tables.tables import read_source
        from moselect.validation import ranks_of

        # Costs may be expressions of any column.
        named = None if request.cost_matrix else request.columns
        source = read_source(request.file, request.reading, named)
        labels = [labels_of(source, request.true, request.order)]
        is_referred = np.zeros(len(source.table), dtype=np.bool_)
        if request.pred is not None:
            answers = labels_of(source, request.pred, request.order)
            # Referred rows have no class: they are read as if they had the true one.
            is_referred = answers.astype(str).isin(request.refer or ()).to_numpy()
            labels.append(answers.where(~is_referred, labels[0]))
        rows, ordered = order_labels(labels, request.order, request.leave_out, terminal)
        classes = as_label_array(ordered.labels)
        codes, *predicted = np.split(encode_labels(ordered.values, classes), len(labels))
        is_referred = is_referred[rows]
        table = source.table.iloc[rows]
        # Counts repeat rows; other weights are relative.
        n = len(rows)
        repeated = np.arange(n)
        weights = groups = None
        if request.weight is not None:
            values = role_values(
                source, "sample_weight", request.weight, request.true
            ).iloc[rows]
            cells = table[
                [
                    choose_target(source, name)
                    for name in request.columns
                    if name not in (request.weight, request.true)
                ]
            ]
            counted, weights = read_weights(values, n, request.weight_type, cells, codes)
            repeated = repeated if counted is None else counted
        if request.group is not None:
            values = role_values(source, "groups", request.group, request.true).iloc[rows]
            groups = np.asarray(ranks_of("groups", values, n))[repeated]
        X = np.empty((len(repeated), 0))
        samples = Samples(X, codes[repeated], classes, weights=weights, groups=groups)
        table = table.iloc[repeated].reset_index(drop=True)
        tables = []
        confusion = None
        estimates = {}
        if request.score is not None:
            scores = table[choose_target(source, request.score)]
            tables.append(_measure_scores(samples, scores, terminal))
        if predicted:
            stated = request.costs_of(ordered.labels)
            costs = None
            if stated is not None:
                stated = stated.in_order(classes)
                if stated.by_row:
                    costs = row_costs_of(stated, classes)(table)
                else:
                    # without priors, costs do not depend on how common the classes are
                    costs = stated.with_referral(classes)[0]
            decisions = np.where(is_referred, len(classes), predicted[0])[repeated]
            tables.append(_measure_classes(samples, decisions, costs))
            names = [*ordered.labels, *(request.refer or ())]
            counts = confusion_of(samples, decisions, len(names))
            confusion = pd.DataFrame(counts, ordered.labels, names)
            for name in request.by or ():
                values = table[choose_target(source, name)]
                estimates[name] = group_estimates(values, samples, decisions, costs)
    _print(pd.concat(tables), samples, confusion, estimates, terminal)


def _measure_classes(
    samples: Samples, predicted: Integers, costs: Floats | None
) -> pd.DataFrame:
    """Measure predicted codes (n,): referred rows by their cost only, the others by class."""
    import numpy as np
    import pandas as pd

    from moselect.inference.prediction_inference import prediction_inference
    from moselect.inspection.groups import group_estimates

    # A referral has the code after the last class, and the last column of the costs.
    r = samples.n_classes
    is_class = predicted < r
    has_referral = costs is not None and costs.shape[-1] > r
    own_error = has_referral or (costs is not None and costs.ndim == 3)
    classified = samples.take(is_class)
    table = prediction_inference(
        classified.codes,
        predicted[is_class],
        sample_weight=classified.weights,
        weight_type=None if classified.weights is None else "sampling",
        groups=classified.groups,
        labels=range(r),
        cost_matrix=None if own_error else costs,
    )
    if own_error:
        every = pd.Series("all", range(len(samples)), name="rows")
        found = group_estimates(every, samples, predicted, costs).table.iloc[0]
        cost = found["cost"]
        # half the width of a 95 % interval, in standard errors
        margin = 1.96 * found["std_error"]
        table.loc["expected_cost"] = [cost, max(cost - margin, 0.0), cost + margin]
    if has_referral:
        share = np.average(~is_class, weights=samples.weights)
        table.loc["referred"] = [share, np.nan, np.nan]
    return table


def _measure_scores(
    samples: Samples, scores: pd.Series, terminal: Terminal
) -> pd.DataFrame:
    """Measure a ranking; intervals are missing where a class has too few rows."""
    import numpy as np
    import pandas as pd

    from moselect.datasets.target import check_complete
    from moselect.inference.ranking_inference import ranking_inference
    from moselect.metrics import ranking_scores

    check_complete(scores)
    if not pd.api.types.is_numeric_dtype(scores.dtype):
        raise ValueError(f"the scores in '{scores.name}' are not numbers")
    # A class of the order without rows ranks nothing: VUS is over the observed classes.
    y = samples.classes[samples.codes]
    labels = samples.classes[samples.class_sizes > 0].tolist()
    known: Document = {"sample_weight": samples.weights, "labels": labels}
    table = pd.DataFrame(np.nan, RANKING_OBJECTIVES, FIELDS)
    table["estimate"] = ranking_scores(y, scores, **known)
    known["weight_type"] = None if samples.weights is None else "sampling"
    try:
        for measure in RANKING_OBJECTIVES:
            inference = ranking_inference(
                y, scores, measure, groups=samples.groups, **known
            )
            table.loc[measure, FIELDS[1:]] = inference.confidence_intervals[0]
    except ValueError as error:
        terminal.warn(f"no intervals of ranking measures: {error}")
    return table


def _print(
    measures: pd.DataFrame,
    samples: Samples,
    confusion: pd.DataFrame | None,
    groups: Mapping[str, GroupEstimates],
    terminal: Terminal,
) -> None:
    """Print the measures of predictions, with the numbers of rows, and of groups."""
    from moselect.report.sections import group_sections
    from moselect.samples.weights import effective_sample_size

    labels = samples.classes.tolist()
    counts = dict(zip(labels, samples.class_sizes.tolist(), strict=True))
    sizes = {}
    if samples.weights is not None:
        sizes["effective_rows"] = effective_sample_size(samples.weights)
    if samples.groups is not None:
        sizes["n_groups"] = samples.n_units
    if terminal.json:
        about = {
            "classes": [{"class": each, "rows": counts[each]} for each in labels],
            "confidence_level": 0.95,
            "measures": measures,
            "confusion": None if confusion is None else confusion.to_numpy(),
            "by": records_of(groups),
        }
        terminal.print_json({"n_rows": len(samples), **sizes, **about})
        return
    shown = (f"{in_one_line(label)}: {count}" for label, count in counts.items())
    terminal.print(f"{len(samples)} rows (class {', '.join(shown)})")
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
    for section in group_sections(groups):
        print_section(section, terminal)
