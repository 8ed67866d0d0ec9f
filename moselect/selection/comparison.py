"""Cross-validated comparison of models on the same folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.dummy import DummyClassifier

from moselect._parallel import ProgressLine, no_report
from moselect._types import CrossValidation, LabelOrder, Table
from moselect.candidates import known_models
from moselect.candidates.cross_validation import cross_validate
from moselect.candidates.known_models import (
    KnownModel,
    Models,
    named_models,
    without_names,
)
from moselect.candidates.names import ADDITIVE, ENSEMBLE, LINEAR
from moselect.candidates.splits import Splits
from moselect.costs.costs import AnyCosts, combined_costs
from moselect.costs.criteria import costs_of_known_rows
from moselect.datasets.load import fingerprint
from moselect.evaluation.decision import decide
from moselect.inspection.group_members import table_by_row
from moselect.metrics.objectives import DEFAULT
from moselect.models.learner import EstimatorLearner, FitError
from moselect.models.linear.cost_sensitive import has_thresholds, with_costs
from moselect.models.training_columns import samples_of, with_preparation
from moselect.preprocessing.preparation import Preparation
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.weights import WeightType
from moselect.selection.evidence import Comparison, Evidence, with_cheapest
from moselect.selection.pareto_search import ParetoSearch
from moselect.tables.features import as_pandas, steps_of
from moselect.validation import seed_or_drawn

__all__ = ["DEFAULT_MODELS", "KNOWN_MODELS", "compare"]

KNOWN_MODELS = dict(
    known_models.KNOWN_MODELS,
    pareto_search=KnownModel(
        lambda: ParetoSearch(model=LINEAR, cv=None),
        "linear model with equal weights of all objectives, by a search",
    ),
)
# Fast models of different families, without optional dependencies.
DEFAULT_MODELS = (
    "always_one_class",
    "multinomial",
    "ordinal_ridge",
    "proportional_odds",
    LINEAR,
    ADDITIVE,
    ENSEMBLE,
    "pareto_search",
    "random_forest",
    "gradient_boosting",
)
# Reason for the exclusion of models that Ctrl-C left without all folds.
UNFINISHED = "interrupted"


def compare(
    candidates: Models,
    X: Table,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    times: ArrayLike | None = None,
    weight_type: WeightType | None = None,
    cv: CrossValidation | Folds = None,
    labels: LabelOrder = None,
    n_jobs: int | None = None,
    random_state: int | None = None,
    costs: AnyCosts | None = None,
    prepare: bool | Preparation = True,
    report: Callable[[Evidence], None] = no_report,
    verbose: bool = False,
) -> Evidence:
    """Compare models on the same folds, and select the cheapest.

    The evidence has the same form as after `ParetoSearch.select`. It holds the out-of-fold
    predictions: measures of each fold (`Evidence.fold_measures`) and other costs
    (`Evidence.for_costs`) need no refitting.

    Parameters
    ----------
    candidates : mapping, sequence, estimator or str
        Scikit-learn classifiers and regressors or names of `KNOWN_MODELS`: a mapping by
        name, a sequence, or a single one. They are cloned and fitted to class codes 0 ..
        r - 1; predictions of regressors are rounded to the nearest class.
    X, y : array-like of shape (n, p) and (n,)
        Features and labels. Labels are numbers, an ordered Categorical, or strings with
        ``labels``.
    sample_weight, groups, times, weight_type : optional
        As in `moselect.ParetoSearch.fit`, but without a holdout set. Models that take no
        weights are fitted without them, with a warning; all measures are weighted.
    cv : int, splitter or iterable, optional
        By default the five stratified folds of `ParetoSearch.select`; an int is a number of
        folds, drawn by ``random_state``; or a scikit-learn splitter, or (train, test) rows.
        Every class must be in every training set. In the stratified folds, duplicates are
        kept in one fold, and a class with a single distinct sample is always in training.
    labels : sequence, optional
        Class labels, lowest first.
    n_jobs : int, optional
        Number of processes for the folds of a model; the result does not depend on it.
    random_state : int, optional
        Seed of the folds and of every fit without a seed of its own; the seed of a model
        in a fold does not depend on the other models.
    costs : Costs, mapping or array-like, optional
        Misclassification costs: `moselect.Costs`, class costs (r,) or by class label, or a
        matrix (r, r), rows true classes; or a metric: ``Costs(metric="quadratic_kappa")``.
        Models that take costs and have none of their own are fitted to them, and their
        decisions stay; others with class probabilities predict the class of least expected
        cost, and models without any ignore the costs. By default the cost is the distance in ranks.
        With costs of each row, as in `moselect.Costs`, models decide by their class
        probabilities and the costs of the row.
    prepare : bool or Preparation, default=True
        Whether and how to encode categories and dates and to impute missing values of a
        DataFrame, refitted in every fold.
    report : callable, optional
        Callback with the current `Evidence`: before the first and after every model.
    verbose : bool, default=False
        Whether to print each model and its folds to standard error, with an estimate of the
        time left.

    Returns
    -------
    Evidence
        Of the working models: ``excluded`` has the reasons of the others, `Evidence.notes`
        these and the warnings.

    Raises
    ------
    ValueError, TypeError
        If data, folds or names are invalid, ``candidates`` has an object that is not an
        estimator or is already fitted and frozen (its evaluation would include its
        training rows), or every model fails.

    Notes
    -----
    A model that raises an exception, or crashes its worker process, is excluded. Ctrl-C
    ends the comparison and keeps the models that are finished in all folds.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> names = ["always_one_class", "ordinal_ridge"]
    >>> evidence = moselect.compare(names, X, y, cv=3, random_state=1)
    >>> evidence.selected
    'ordinal_ridge'
    >>> evidence.fold_measures().summary["accuracy", "rank"].tolist()
    [2.0, 1.0]
    """
    # A class with a single sample is always in training.
    samples, scale = samples_of(
        as_pandas(X),
        y,
        labels=labels,
        prepare=prepare,
        sample_weight=sample_weight,
        groups=groups,
        times=times,
        weight_type=weight_type,
        fewest=1,
    )
    stated = scale.stated(combined_costs(costs))
    seed = seed_or_drawn(random_state)
    estimators = named_models(candidates, samples.classes, KNOWN_MODELS)
    for name, model in estimators.items():
        completed = with_costs(model, None if costs is None else stated)
        estimators[name] = with_preparation(without_names(completed), samples, prepare)
    folds = _folds(cv, samples, seed)
    # Predictions are evaluated without features. Copies share a fold, but count one by one
    # where the selection is resampled.
    evaluated = samples.without_features(copy_groups=None)
    splits = Splits.of(evaluated, folds)
    known = table_by_row(samples, None)
    criteria = costs_of_known_rows(stated, samples, splits.cv, known)
    marked = fingerprint(pd.DataFrame(samples.X), pd.Series(samples.codes))
    evidence = Evidence(
        {},
        measured_objectives=DEFAULT,
        table=known,
        compared=Comparison(scale.labels, scale.is_guessed, seed, marked),
    )
    progress = ProgressLine() if verbose else no_report
    try:
        report(evidence)
        for name, model in estimators.items():
            learner = EstimatorLearner(model, seed)
            of_model = partial(progress, name)
            try:
                fit = cross_validate(
                    learner, samples, folds, n_jobs=n_jobs, report=of_model
                )
            except FitError as error:
                excluded = {**evidence.excluded, name: str(error)}
                evidence = replace(evidence, excluded=excluded)
            else:
                last = steps_of(model)[-1]
                fit = replace(
                    fit,
                    has_thresholds=has_thresholds(model),
                    # one class, by the class shares alone
                    is_constant=isinstance(last, DummyClassifier)
                    and last.strategy == "prior",
                )
                evaluation = decide(fit, criteria, splits)
                evaluations = {**evidence.evaluations, name: evaluation}
                evidence = with_cheapest(evidence, evaluations)
            report(evidence)
    except KeyboardInterrupt:
        if not evidence.evaluations:
            raise  # nothing to keep
        missing = [name for name in estimators if name not in evidence.evaluations]
        reasons = dict.fromkeys(missing, UNFINISHED) | dict(evidence.excluded)
        evidence = replace(evidence, excluded=reasons)
    if not evidence.evaluations:
        lines = (f"{name}: {reason}" for name, reason in evidence.excluded.items())
        raise ValueError(f"every model failed: {'; '.join(lines)}")
    return evidence


def _folds(cv: CrossValidation | Folds, samples: Samples, seed: int) -> Folds:
    """Build the folds of a comparison, with every class in every training set."""
    groups = samples.cv_groups
    codes = samples.codes
    if cv is not None and not isinstance(cv, int | np.integer):
        folds = Folds.of(cv, samples.X, groups, codes, seed)
        folds.check_classes(codes, samples.classes)
        return folds
    if samples.times is not None:
        return Folds.forward(samples.times, 5 if cv is None else int(cv))
    if cv is None:
        folds = Folds.of_samples(samples, 5)  # as in `ParetoSearch.select`
    else:
        folds = Folds.deal(groups, codes, int(cv), seed=seed)
    return folds.with_all_classes(groups, codes)
