"""Samples of a table and its target, and their feature columns, fitted to all and out of fold."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.validation import check_array

from moselect._types import (
    Estimator,
    Floats,
    Integers,
    LabelOrder,
    Labels,
    Table,
    Transformer,
    record,
)
from moselect.costs.costs import Costs, cost_parameters, given_costs
from moselect.datasets.roles import bound_remarks, leak_remarks, role_remarks
from moselect.labels.labels import check_classes, order_is_guessed
from moselect.models.ensemble.ordinal_stacking import ModelColumns
from moselect.preprocessing import SplineColumns
from moselect.preprocessing.preparation import Preparation, preparation_for, schema_of
from moselect.preprocessing.related_rows import (
    duplicates_remark,
    related_row_remarks,
    time_remarks,
)
from moselect.preprocessing.steps import Steps
from moselect.samples.duplicates import duplicate_groups
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.training import (
    classes_with_samples,
    fit_parameters,
    ordinal_target,
    unrouted,
)
from moselect.tables.cells import as_frame, codes_among
from moselect.tables.features import (
    DROPPED,
    ColumnContent,
    Schema,
    check_directions,
    feature_matrix,
    feature_names,
    steps_of,
)
from moselect.validation import check_unmasked

ColumnChoice = Literal["features", "splines", "models"]
COLUMNS = "'features', 'splines', 'models' or a transformer"


def with_preparation(
    model: Estimator, samples: Samples, prepare: bool | Preparation
) -> Estimator:
    """Return a pipeline of preparation and model if the samples need preparation.

    As a step of the pipeline the preparation has the same training samples as the model. A
    search, or another model with a ``prepare`` parameter, prepares columns itself, but
    with the column types of the whole table.
    """
    fresh = clone(model)
    last = steps_of(fresh)[-1]
    has_own = hasattr(last, "prepare")
    preparation = preparation_for(samples.schema, prepare, None if has_own else 0)
    if preparation is None:
        return model
    if not has_own:
        return make_pipeline(preparation, model)
    if last.prepare in (True, None):
        last.set_params(prepare=preparation)
    return fresh


def columns_transformer(
    samples: Samples,
    columns: ColumnChoice | object,
    prepare: bool | Preparation,
    random_state: int | None,
) -> Pipeline | None:
    """Return the unfitted transformer from a table to features; None if none is needed.

    ``columns`` are "features", "splines" (`SplineColumns`), "models" (`ModelColumns`), or
    a user-defined transformer, which is cloned. Splines and models keep the directions
    of the samples.

    Raises
    ------
    ValueError
        If the columns are neither a known name nor a transformer, or directions are to be
        kept by a user-defined transformer.
    """
    monotone = samples.directions or None
    steps = steps_of(preparation_for(samples.schema, prepare, random_state))
    if columns == "splines":
        steps.append(SplineColumns(monotone=monotone))
    elif columns == "models":
        steps.append(ModelColumns(monotone=monotone, random_state=random_state))
    elif hasattr(columns, "transform"):
        if monotone:
            raise ValueError(
                f"{type(columns).__name__} may turn the directions of columns: with monotone "
                "columns are 'features', 'splines' or 'models'"
            )
        steps.append(clone(columns))
    elif columns != "features":
        raise ValueError(f"columns must be {COLUMNS}, not {columns!r}")
    return make_pipeline(*steps) if steps else None


@unrouted()
def fit_training_columns(
    samples: Samples, transformer: Pipeline | None, folds: Folds | None
) -> Samples:
    """Fit a transformer to samples, in place, and return them with its output columns.

    Columns of models are cross-fitted in these ``folds``.
    """
    if transformer is None:
        values = feature_matrix(samples.X)
        names = feature_names(samples.X) or samples.feature_names
        return samples.with_features(
            values, names, samples.signs_of(names, values.shape[1])
        )
    if folds is None or not Steps.of(transformer).cross_fitted:
        return fit_columns(samples, transformer)
    *first, last = steps_of(transformer)
    X = samples.X
    refitted = None
    codes = samples.codes
    # The steps before the models may be supervised (target encoding): cross-fit them, too.
    if first:
        before = make_pipeline(*first)
        X = before.fit_transform(X, codes, **fit_parameters(before, samples))
        if not Steps.of(before).only_selects:
            refitted = [part.X for part in refit_without_folds(samples, before, folds)]
    weighing = fit_parameters(last, samples)
    last.fit(X, codes, folds=folds.index, fold_features=refitted, **weighing)
    return _named(samples, last.oof_ranks_, transformer)


def columns_of(samples: Samples, transformer: Transformer | None) -> Samples:
    """Return other samples with the output columns of a fitted transformer."""
    X = samples.X
    values = feature_matrix(X) if transformer is None else apply_columns(transformer, X)
    return samples.with_features(values, None)


def refit_without_folds(
    samples: Samples, transformer: Pipeline | None, folds: Folds
) -> list[Samples]:
    """For each fold, return all samples with columns by a fit to its training part."""
    return [fit_columns(samples, clone(transformer), train) for train, _ in folds]


# `refit_without_folds`, or another function that returns the same.
Refit = Callable[[Samples, Pipeline | None, Folds], list[Samples]]


@unrouted()
def fit_columns(
    samples: Samples, transformer: Any, rows: Integers | None = None
) -> Samples:
    """Fit a transformer in place to all samples or ``rows``; return all with its columns.

    Training samples get the result of ``fit_transform``, which ``transform`` may not
    reproduce (target encoding, cross-fitting). Steps that take weights or groups get
    them.
    """
    part = samples if rows is None else samples.take(rows)
    weighing = fit_parameters(transformer, part)
    fitted = transformer.fit_transform(part.X, part.codes, **weighing)
    values = fitted = _checked(fitted, transformer, len(part))
    if rows is not None and len(rows) < len(samples):
        values = np.empty((len(samples), fitted.shape[1]))
        values[rows] = fitted
        others = np.setdiff1d(np.arange(len(samples)), rows)
        values[others] = apply_columns(transformer, samples.take(others).X)
    return _named(samples, values, transformer)


def apply_columns(transformer: Any, X: ArrayLike) -> Floats:
    """Return the output columns (n, q) of new samples by a fitted transformer."""
    return _checked(transformer.transform(X), transformer, len(X))  # type: ignore[arg-type]


def _named(samples: Samples, values: Floats, transformer: Any) -> Samples:
    names = tuple(map(str, transformer.get_feature_names_out()))
    signs = None
    if samples.directions:
        signs = Steps.of(transformer).last.column_signs_
        if signs is None:
            signs = samples.signs_of(names, len(names))
    return samples.with_features(values, names, signs)


def _checked(columns: object, transformer: object, n: int) -> Floats:
    if hasattr(columns, "toarray"):  # sparse
        columns = columns.toarray()
    values = np.ascontiguousarray(columns, float)
    problem = ""
    if values.ndim != 2 or len(values) != n or not values.shape[1]:
        problem = f"shape {values.shape} for {n} rows: it must return one row for each"
    elif not np.isfinite(values).all():
        problem = "values that are missing or infinite"
    if problem:
        raise ValueError(f"{Steps.of(transformer).last.type_name} returns {problem}")
    return values


@record
class Scale:
    """The classes of a target, in their order.

    Attributes
    ----------
    labels : ndarray
        All class labels, lowest first.
    observed : ndarray of shape (r,)
        Classes that have samples.
    is_guessed : bool
        Whether the classes are sorted by label, for want of a known order.

    Examples
    --------
    >>> scale = Scale(np.array([1, 2, 3]), np.array([1, 3]), is_guessed=False)
    >>> scale.stated(Costs([1, 5, 9])).cost_matrix
    array([[ 0.,  2.],
           [18.,  0.]])
    """

    labels: Labels
    observed: Labels
    is_guessed: bool

    def stated(self, costs: Costs) -> Costs:
        """Return costs for the classes that have samples."""
        return costs.for_observed(self.observed, self.labels, guessed=self.is_guessed)

    def own_costs(self, search: Any) -> Costs | None:
        """Return the costs among the parameters of a search, if it has any.

        ValueError for a metric or a referral, which are no costs of an objective.
        """
        given = cost_parameters(search)
        costs = given_costs(search.preferences, search.costs, **given)
        if costs is None:
            return None
        if costs.metric is not None or costs.refer is not None:
            raise ValueError("give a metric as an objective, and a referral to select")
        return self.stated(costs)


def samples_of(
    X: Table,
    y: ArrayLike,
    *,
    labels: LabelOrder = None,
    prepare: bool | Preparation = True,
    monotone: Mapping[str, int] | None = None,
    fewest: int = 2,
    **roles: Any,
) -> tuple[Samples, Scale]:
    """Check a table and its target; return the samples, not prepared, and their classes.

    Each class has at least ``fewest`` samples. ``roles`` are weights, groups, times and the type
    of weights, as in `Samples.with_sample_info`; other parameters as in
    `moselect.ParetoSearch`.
    """
    table = plain_table(X)
    directions = dict[str, int]()
    if monotone is not None:
        directions = check_directions(monotone, as_frame(table).columns)
    all_classes, codes = ordinal_target(y, labels, X, **roles)
    classes, codes = classes_with_samples(all_classes, codes)
    schema = schema_of(table, prepare, directions, codes)
    samples = unprepared_samples(table, codes, classes, schema, fewest=fewest, **roles)
    if directions:
        samples = samples.with_directions(directions)
    remarks = (
        *_column_remarks(table, codes, schema, roles),
        *related_row_remarks(samples),
    )
    for remark in remarks:
        warnings.warn(remark, stacklevel=3)
    samples = replace(samples, remarks=samples.remarks + remarks)
    scale = Scale(all_classes, classes, order_is_guessed(y, labels))
    return samples, scale


def _column_remarks(
    table: Table, codes: Integers, schema: Schema | None, roles: Mapping[str, object]
) -> list[str]:
    """Report columns that may be no features; none of a table of one column."""
    frame = as_frame(table)
    if frame.shape[1] == 1:
        return []
    given = [name for name, values in roles.items() if values is not None]
    contents = schema or dict.fromkeys(map(str, frame), ColumnContent())
    named = [name for name, content in contents.items() if content.excluded != DROPPED]
    coded = [name for name in named if codes_among(contents[name].words)]
    used = {name: contents[name] for name in named if not contents[name].excluded}
    remarks = role_remarks(frame[named], codes, given, coded)
    remarks += bound_remarks(used)
    remarks += leak_remarks(frame, codes, used)
    if "times" not in given:
        remarks += time_remarks(frame, codes, used)
    return remarks


def plain_table(X: Table) -> Any:
    """Return an array of numbers (n, p), or a DataFrame of any columns, for preparation."""
    if feature_names(X) is not None:
        return as_frame(X)
    check_unmasked("X", X)
    return check_array(X, dtype=float, ensure_all_finite=False, input_name="X")


def unprepared_samples(
    table: Any,
    codes: Integers,
    classes: Labels,
    schema: Schema | None,
    *,
    fewest: int = 2,
    **roles: Any,
) -> Samples:
    """Return samples of a `plain_table`, at least ``fewest`` of each class.

    The schema is as in `schema_of`, ``roles`` as in `samples_of`.
    """
    samples = Samples(table, codes, classes, schema=schema).with_sample_info(**roles)
    check_classes(samples.X, samples.codes, classes, fewest=fewest)
    return with_duplicate_groups(samples)


# share of duplicates among all samples
MAX_DUPLICATE_SHARE = 0.01


def with_duplicate_groups(samples: Samples) -> Samples:
    """Attach groups of duplicate samples, so that folds do not divide them; may warn.

    Keys and dropped columns do not distinguish duplicates. If groups or times determine
    the folds, duplicates are ignored. Of a table with many duplicates these are the groups,
    because standard errors count distinct samples.
    """
    if not (samples.groups is None and samples.times is None):
        return samples
    copy_groups = duplicate_groups(samples.observed, samples.codes)
    # a sample repeated by its count is no duplicate
    once = np.unique(samples.rows, return_index=True)[1]  # type: ignore[call-overload]
    n_duplicates = len(once) - len(np.unique(copy_groups[once]))
    if n_duplicates > MAX_DUPLICATE_SHARE * len(once):
        remark = duplicates_remark(samples.take(once), n_duplicates)
        warnings.warn(remark, stacklevel=4)
        remarks = (*samples.remarks, remark)
        samples = replace(samples, groups=copy_groups, remarks=remarks)
    return replace(samples, copy_groups=copy_groups)
