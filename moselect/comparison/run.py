"""Cross-validated comparison of models on the same folds."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import is_regressor

from moselect._parallel import no_report, one_thread
from moselect._types import Estimator, LabelOrder, Table
from moselect.comparison.model_result import ModelResult
from moselect.comparison.result import Comparison
from moselect.datasets.load import fingerprint
from moselect.learning import EstimatorLearner, FitError, cross_validate
from moselect.listing import in_one_line
from moselect.metrics.costs import Costs, as_costs
from moselect.metrics.scorers import MEASURES as MEASURES
from moselect.metrics.scorers import find_measures
from moselect.models.training_columns import unprepared_samples, with_preparation
from moselect.preprocessing.cells import as_frame
from moselect.preprocessing.preparation import Preparation, schema_of
from moselect.preprocessing.schema import read_times
from moselect.samples.features import as_pandas
from moselect.samples.folds import Folds
from moselect.samples.labels import class_labels, encode_labels, order_is_guessed
from moselect.samples.samples import Samples
from moselect.samples.training import (
    classes_with_samples,
    fit_parameters,
    ordinal_target,
    seeded,
)
from moselect.search import ParetoSearch
from moselect.selection import known_models
from moselect.selection.cost_sensitive import is_for_costs, with_costs
from moselect.selection.criteria import resolve_costs
from moselect.selection.known_models import (
    KnownModel,
    Models,
    named_models,
    without_names,
)

KNOWN_MODELS = dict(
    known_models.KNOWN_MODELS,
    pareto_search=KnownModel(
        lambda: ParetoSearch(model="linear", cv=None),
        "linear model with equal weights of all objectives, by a search",
    ),
)
# Fast models of different families, without optional dependencies.
DEFAULT_MODELS = (
    "always_one_class",
    "multinomial",
    "ordinal_ridge",
    "proportional_odds",
    "linear",
    "additive",
    "ensemble",
    "pareto_search",
    "random_forest",
    "gradient_boosting",
)
DEFAULT_MEASURES = (
    "accuracy",
    "mean_absolute_error",
    "macro_mean_absolute_error",
    "vus",
    "u_ovo",
)
N_FOLDS = 5
N_REPEATS = 2


def compare(
    models: Models,
    X: Table,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    times: ArrayLike | None = None,
    cv: Any = None,
    measures: Sequence[str] = DEFAULT_MEASURES,
    labels: LabelOrder = None,
    n_jobs: int | None = None,
    random_state: int | None = None,
    costs: Costs | ArrayLike | None = None,
    prepare: bool | Preparation = True,
    report: Callable[[Comparison], None] | None = None,
) -> Comparison:
    """Compare models on the same folds by the same measures.

    Parameters
    ----------
    models : mapping, sequence, estimator or str
        Scikit-learn classifiers and regressors or names of `KNOWN_MODELS`: a mapping by
        name, a sequence, or a single one. They are cloned and fitted to class codes 0 ..
        r - 1; predictions of regressors are rounded to the nearest class.
    X, y : array-like of shape (n, p) and (n,)
        Features and labels. Labels are numbers, an ordered Categorical, or strings with
        ``labels``.
    sample_weight, groups, times : array-like of shape (n,), optional
        As in `moselect.ParetoSearch.fit`, but without a holdout set. Models that take no
        weights are fitted without them, with a warning; all measures are weighted.
    cv : int, splitter or iterable, optional
        By default five stratified folds, repeated twice; an int is a number of folds
        without repetition; or a scikit-learn splitter, or (train, test) rows. Every class
        must be in every training set. In the stratified folds, duplicates are kept in one
        fold, and a class with a single distinct sample is always in training.
    measures : sequence of str, optional
        Names of `moselect.metrics.get_scorer_names`, errors without ``neg_``.
    labels : sequence, optional
        Class labels, lowest first.
    n_jobs : int, optional
        Number of processes for the folds of a model; the result does not depend on it.
    random_state : int, optional
        Seed of the folds and of every fit without a seed of its own; the seed of a model
        in a fold does not depend on the other models.
    costs : Costs or array-like, optional
        Misclassification costs: `moselect.Costs`, class costs (r,), or a matrix (r, r),
        rows true classes; or a metric: ``Costs(metric="quadratic_kappa")``. Models that
        take costs and have none of their own are fitted to them;
        see `Comparison.costs` for the result. With costs of each row, as in
        `moselect.Costs`, models decide by their class probabilities and the costs of the
        row.
    prepare : bool or Preparation, default=True
        Whether and how to encode categories and dates and to impute missing values of a
        DataFrame, refitted in every fold.
    report : callable, optional
        Callback with the current `Comparison`: before the first and after every model.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError, TypeError
        If data, folds, names or measures are invalid, or ``models`` has an object that is
        not an estimator or is already fitted and frozen: its evaluation would include its
        training rows.

    Notes
    -----
    A model that raises an exception, or crashes its worker process, is left out of the
    tables, with the reason in `Comparison.failures`. Ctrl-C ends the comparison and keeps
    the models that are finished in all folds.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> names = ["always_one_class", "ordinal_ridge"]
    >>> comparison = moselect.compare(names, X, y, cv=3, random_state=1)
    >>> comparison.front()
    ['ordinal_ridge']
    >>> float(comparison.table.loc["always_one_class", ("accuracy", "rank")])
    2.0
    """
    scale, codes = ordinal_target(y, labels, X)
    classes, codes = classes_with_samples(scale, codes)
    table = as_pandas(X)
    schema = schema_of(table, prepare, codes=codes)
    roles = sample_weight, groups, read_times(times)
    # A class with a single sample is always in training.
    samples = unprepared_samples(table, codes, classes, schema, *roles, fewest=1)
    stated = None
    guessed = order_is_guessed(y, labels)
    if costs is not None:
        costs = as_costs(costs)
        costs.require()
        stated = costs.for_seen(samples.classes, scale, guessed=guessed)
        if stated.by_row:
            # Results know no table: the costs of each sample are computed once.
            table = as_frame(X).reset_index(drop=True)
            rows = resolve_costs(stated, samples, [table]).given_for(samples)
            stated = replace(stated, cost_matrix=rows[..., : samples.n_classes])
    estimators = _candidates(models, samples, stated, prepare)
    if random_state is None:
        random_state = np.random.SeedSequence().generate_state(1)[0]
    if not isinstance(random_state, int | np.integer) or random_state < 0:
        raise ValueError(
            f"random_state is {random_state}: give an int of 0 or more, or None"
        )
    seed = int(random_state)
    comparison = Comparison(
        classes=samples.classes,
        scale=scale,
        guessed=guessed,
        codes=samples.codes,
        folds=_folds(cv, samples, seed),
        measures=tuple(measure.name for measure in find_measures(measures)),
        results={},
        fingerprint=fingerprint(pd.DataFrame(samples.X), pd.Series(samples.codes)),
        random_state=seed,
        fitted_for=stated,
        weights=samples.weights,
        groups=samples.groups,
    )
    report = report or no_report
    try:
        report(comparison)
        for name, model in estimators.items():
            result = ModelResult(in_one_line(repr(model)), for_costs=is_for_costs(model))
            learner = EstimatorLearner(model, seed)
            try:
                parts = cross_validate(learner, samples, comparison.folds, n_jobs=n_jobs)
                result = replace(result, fold_predictions=parts)
            except FitError as error:
                result = replace(result, failure=str(error))
            comparison = replace(comparison, results={**comparison.results, name: result})
            report(comparison)
    except KeyboardInterrupt:
        if not comparison.results:
            raise  # nothing to keep
        comparison = replace(comparison, interrupted=True)
    return comparison


def fit_model(
    model: Estimator | str,
    X: Table,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    costs: Costs | None = None,
    prepare: bool | Preparation = True,
    random_state: int = 0,
) -> Estimator:
    """Fit a model to all samples, as `compare` fits it in each fold.

    Parameters
    ----------
    model : str or estimator
        A name of `KNOWN_MODELS`, or an estimator.
    X, y, sample_weight, groups, costs, prepare, random_state
        As in `compare`; regressors are fitted to the ranks 1 .. r.

    Examples
    --------
    >>> from moselect.comparison import fit_model
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1, 1, 2, 2]
    >>> fit_model("proportional_odds", X, y).predict([[9.0]])
    array([2])
    """
    classes = class_labels(y)
    schema = schema_of(X, prepare)
    samples = Samples(X, encode_labels(y, classes), classes, schema=schema)
    (candidate,) = _candidates({"model": model}, samples, costs, prepare).values()
    fresh = seeded(candidate, random_state)
    samples = samples.with_sample_info(sample_weight, groups)
    labels = pd.Series(y).iloc[np.asarray(samples.rows)]
    target: Any = samples.codes + 1.0 if is_regressor(fresh) else labels
    with one_thread():
        return fresh.fit(samples.X, target, **fit_parameters(fresh, samples))


def _candidates(
    models: Models, samples: Samples, costs: Costs | None, prepare: bool | Preparation
) -> dict[str, Estimator]:
    """Build estimators by name, with preprocessing and, if they take any, costs."""
    return {
        name: with_preparation(without_names(with_costs(model, costs)), samples, prepare)
        for name, model in named_models(models, samples.classes, KNOWN_MODELS).items()
    }


def _folds(cv: Any, samples: Samples, seed: int) -> Folds:
    groups = samples.cv_groups
    codes = samples.codes
    if cv is not None and not isinstance(cv, int | np.integer):
        folds = Folds.of(cv, samples.X, groups, codes, seed)
        folds.check_classes(codes, samples.classes)
        return folds
    n_folds, n_repeats = (N_FOLDS, N_REPEATS) if cv is None else (int(cv), 1)
    if samples.times is not None:
        return Folds.forward(samples.times, n_folds)
    folds = Folds.deal(groups, codes, n_folds, n_repeats=n_repeats, seed=seed)
    return folds.with_all_classes(groups, codes)
