"""Samples of a search, split into training, holdout and folds, and its result on them."""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import StratifiedShuffleSplit

from moselect._types import Integers, Table, Transformer, record
from moselect.budgets import CROSS_VALIDATION
from moselect.costs.criteria import preference_weights
from moselect.models.training_columns import (
    Refit,
    Scale,
    columns_of,
    columns_transformer,
    fit_training_columns,
    refit_without_folds,
    samples_of,
)
from moselect.preprocessing.steps import Steps
from moselect.samples.folds import Fold, Folds
from moselect.samples.parts import draw_rows, take_part
from moselect.samples.samples import Samples
from moselect.search.front import Front
from moselect.search.ordinal_problem import resolve_objectives
from moselect.search.settings import SearchSettings


@record
class SearchSamples:
    """Samples of a search, as a selection takes them.

    Attributes
    ----------
    settings : SearchSettings
        Settings of the search, with resolved objectives.
    scale : Scale
        The classes.
    samples : Samples
        The training samples, unprepared.
    data : Samples
        The training samples in the columns of the front members.
    columns : transformer or None
        Fitted transformer to these columns; None if the features are used directly.
    folds : Folds or None
        Cross-validation folds of the training samples.
    holdout : Samples or None
        The holdout set, unprepared.
    holdout_data : Samples or None
        The holdout set in the columns of the front members.
    refit : callable
        Returns what `refit_without_folds` does.
    """

    settings: SearchSettings
    scale: Scale
    samples: Samples
    data: Samples
    columns: Transformer | None = None
    folds: Folds | None = None
    holdout: Samples | None = None
    holdout_data: Samples | None = None
    refit: Refit = refit_without_folds

    @cached_property
    def data_of_folds(self) -> list[Samples]:
        """The training samples in the columns refitted in each fold."""
        assert self.folds is not None
        if Steps.of(self.columns).only_selects:
            return [self.data] * len(self.folds)
        settings = self.settings
        unfitted = columns_transformer(
            self.samples, settings.columns, settings.prepare, settings.random_state
        )
        refitted = self.refit(self.samples, unfitted, self.folds)
        return [self.data.with_features(part.X, None, part.signs) for part in refitted]


@record
class Searched:
    """Result of a search.

    Attributes
    ----------
    front : Front
        The non-dominated models, best accuracy first.
    samples : SearchSamples
        The samples, for model selection.
    n_evaluations : int
        Number of evaluated positions, all runs.
    interrupted : bool
        Whether Ctrl-C ended the search early.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> settings = moselect.search.SearchSettings(n_iterations=1, cv=None, random_state=1)
    >>> moselect.search.search(X, y, settings).n_evaluations
    100
    """

    front: Front
    samples: SearchSamples
    n_evaluations: int
    interrupted: bool

    @property
    def holdout_rows(self) -> Integers:
        """Indices of the holdout rows, ascending."""
        holdout = self.samples.holdout
        if holdout is None or holdout.rows is None:
            return np.arange(0)
        return np.unique(holdout.rows)


def prepare_search(
    X: Table, y: ArrayLike, settings: SearchSettings, **roles: Any
) -> tuple[Samples, SearchSamples, np.random.Generator]:
    """Check data, and split the samples; the settings are checked before.

    ``roles`` are weights, groups and times, as in `search`. Returns the training samples in
    the columns of the search, the samples for model selection, and the generator of the
    search.
    """
    samples, scale = samples_of(
        X,
        y,
        labels=settings.labels,
        prepare=settings.prepare,
        monotone=settings.monotone,
        **roles,
    )
    # Invalid costs or preferences fail before a long search.
    costs = scale.own_costs(settings)
    objectives = resolve_objectives(
        settings.objectives, scale.observed, scale.labels, costs
    )
    if settings.preferences is not None:
        preference_weights(settings.preferences, objectives)
    resolved = replace(settings, objectives=objectives)
    rng = np.random.default_rng(settings.random_state)
    share = resolved.holdout
    if share is None and samples.times is not None:
        # Default holdout of samples with times: the last ones.
        share = CROSS_VALIDATION.holdout_of_times
    included = samples
    holdout = None
    if share:
        kept, held_out = split_holdout(samples, share, rng)
        included = samples.take(kept)
        holdout = samples.take(held_out)
    transformer = columns_transformer(
        samples, resolved.columns, resolved.prepare, resolved.random_state
    )
    folds = None
    if Steps.of(transformer).cross_fitted and resolved.cv is not None:
        folds = Folds.of_samples(included, resolved.cv)
    training = evidence = fit_training_columns(included, transformer, folds)
    if resolved.sampling is not None and len(training) > CROSS_VALIDATION.rows:
        rows = draw_rows(training, CROSS_VALIDATION.rows)
        included = take_part(included, rows)
        evidence = take_part(training, rows)
        folds = None if folds is None else Folds.from_index(folds.index[rows])
    if folds is None and resolved.cv is not None:
        folds = Folds.of_samples(included, resolved.cv)
    holdout_data = None if holdout is None else columns_of(holdout, transformer)
    searched = SearchSamples(
        resolved,
        scale,
        included,
        evidence,
        transformer,
        folds,
        holdout,
        holdout_data,
    )
    return training, searched, rng


def split_holdout(samples: Samples, share: float, rng: np.random.Generator) -> Fold:
    """Split into training and holdout rows, ascending.

    The split is stratified by class and keeps groups together; of samples with times the
    last ones are held out.

    Raises
    ------
    ValueError
        If a class has no samples on one of the two sides.

    Examples
    --------
    >>> X, codes, classes = np.arange(4.0)[:, None], np.array([0, 0, 1, 1]), np.arange(2)
    >>> samples = Samples(X, codes, classes)
    >>> searched, held_out = split_holdout(samples, 0.5, np.random.default_rng(1))
    >>> len(searched), len(held_out)
    (2, 2)
    """
    codes = samples.codes
    classes = samples.classes
    if samples.times is not None:
        times = samples.times
        cut = np.quantile(times, 1.0 - share, method="lower")
        # The last time, such as a year, is held out whole if it has more than this share.
        is_out = times > cut if (times > cut).any() else times == times.max()
    else:
        split = StratifiedShuffleSplit(
            1, test_size=share, random_state=int(rng.integers(2**31))
        )
        groups = samples.cv_groups
        strata = np.rint(np.bincount(groups, codes) / np.bincount(groups)).astype(
            np.int64
        )
        sizes = np.bincount(strata)
        # StratifiedShuffleSplit needs two of each stratum: merge single groups with the
        # largest
        strata[sizes[strata] == 1] = sizes.argmax()
        # Without groups the draw follows the order of the samples.
        if len(strata) == len(codes):
            groups = np.arange(len(codes))
            strata = codes
        if min(share, 1.0 - share) * len(strata) < len(np.unique(strata)):
            raise ValueError(f"holdout {share} leaves no sample for some of the classes")
        is_out = np.isin(groups, next(split.split(strata, strata))[1])
    kept = np.flatnonzero(~is_out)
    held_out = np.flatnonzero(is_out)
    which = "" if samples.times is None else ", of the latest times,"
    for part in (kept, held_out):
        missing = np.setdiff1d(codes, codes[part])
        if len(missing):
            raise ValueError(
                f"holdout {share}{which} leaves class {classes[missing[0]]} without samples on "
                "one side: hold out another share, none (holdout=0), or merge the class with a "
                "neighbour"
            )
    return kept, held_out
