"""`ParetoSearch`: from a table to the front of its linear ordinal models."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline

from moselect._threads import one_blas_thread
from moselect.columns.cells import read_times
from moselect.columns.sample_columns import unprepared_samples
from moselect.decision.goal import preference_weights
from moselect.front import Front, Selector, measure_holdout
from moselect.front.selection import SearchedSamples
from moselect.labels import order_is_guessed, seen_classes
from moselect.models.training import ordinal_target
from moselect.samples import Samples
from moselect.search.front_search import search_folds, search_front
from moselect.search.parallel_runs import RunStates, beside, stop_on_interrupt
from moselect.search.progress import Callback
from moselect.search.search_samples import (
    fit_training,
    plain_table,
    seed_of,
    with_objectives,
)
from moselect.search.selecting import SelectingClassifier
from moselect.search.setting import parameters_section
from moselect.search.settings import SearchSettings, checked_settings, preset_settings


class ParetoSearch(SelectingClassifier):
    """Search the front of linear ordinal models by multi-objective particle swarm.

    It predicts by the model that `select` returns: by default the kind that is best on
    new data for equal weights of all objectives.

    Parameters
    ----------
    {settings}

    Attributes
    ----------
    front_ : Front
        The non-dominated ones of all models found, best accuracy first.
    classes_ : ndarray of shape (r,)
        Labels of the classes that have samples, lowest first.
    scale_ : ndarray
        All class labels, lowest first: ``labels``, or ``classes_``.
    n_features_in_ : int
        Number of features.
    holdout_rows_ : ndarray of int
        Indices of the rows that were held out.
    n_evaluations_ : int
        Directions (or particles) measured, all runs. The gradients that some moves climb
        are not counted; one costs about as much time as an evaluation.
    interrupted_ : bool
        Whether Ctrl-C ended the search before its budget.
    seed_ : int
        ``random_state``, or the seed that was drawn in place of it.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), ROC analysis in ordinal regression learning,
    Pattern Recognition Letters 29, 1-9.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=5, random_state=1).fit(X, y)
    >>> bool(search.front_.objectives["accuracy"].max() > 0.7)
    True
    """

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """Return a search with the settings of a publication, but for ``changes``.

        Parameters
        ----------
        name : {"waegeman2008"}
            ``"waegeman2008"``: weights and thresholds moved by eq. (22-23), 20 runs of
            100 iterations of 500 particles.
        **changes
            Other parameters, or other values for them.
        """
        return cls(**{**preset_settings(name), **changes})

    def fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        times: ArrayLike | None = None,
        callback: Callback | None = None,
        checkpoints: RunStates | None = None,
    ) -> Self:
        """Search.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite numbers in any units, or a DataFrame of any columns.
        y : array-like of shape (n,)
            Ordinal labels, at least two samples of each class.
        sample_weight : array-like of shape (n,), optional
            Weights, 0 upwards. Whole numbers say how often each sample counts: the same
            as repeating it, and repeated samples are never held out from each other.
            Others, such as those of a survey, are relative: standard errors are those of
            the effective sample size.
        groups : array-like of shape (n,), optional
            What each sample belongs to, such as a patient or a school: those of one group
            are never divided by a fold, and standard errors are those of groups.
        times : array-like of shape (n,), optional
            Numbers or dates by which figures for new data are for later samples: the last
            share of them, 0.3 unless ``holdout`` is given, is held out, and folds go
            forward in time. Text is read as in features. With ``groups`` each group is of
            the time of its last sample, so that it stays whole.
        callback : callable, optional
            Called with a `SearchProgress` after every round of every run, from the run's
            thread; with processes or a cluster, when a run ends.
        checkpoints : RunStates, optional
            Where runs keep their state every few seconds and at their end, and from where
            they go on; such as `moselect.storage.Checkpoints`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a setting is out of range, or the data cannot be searched.
        """
        self.seed_ = seed_of(self.random_state)
        settings, rng, training, searched = self._samples_of_search(
            self.seed_, X, y, sample_weight, groups, times
        )
        training.warn_of_constant_features()

        with one_blas_thread(), stop_on_interrupt() as stop:
            folds = partial(
                search_folds, searched.data_of_folds, searched.folds, settings, stop
            )
            with beside(folds, stop, settings.n_jobs) as search_of_folds:
                front, self.n_evaluations_ = search_front(
                    training, settings, rng, stop, callback, checkpoints
                )
                front = replace(front, columns=searched.transformer)
                if searched.held_out_data is not None:
                    front = measure_holdout(
                        front, searched.held_out_data, settings.objectives
                    )
                fold_fronts = search_of_folds()
            if fold_fronts is not None:
                front = front.with_fold_fronts(*fold_fronts)
            self.interrupted_ = stop.is_set()
        self.front_ = front
        self.selector_ = Selector(front, searched, settings.objectives)
        self._selected = []
        return self

    def selector(
        self,
        front: Front,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        times: ArrayLike | None = None,
    ) -> Selector:
        """Return what selects models from a front that the same search found before.

        Parameters
        ----------
        front : Front
            The front, such as that of `moselect.storage.read_run`.
        X, y, sample_weight, groups, times
            All data of that search, as `fit` took them; what it held out is held out
            again, which is a ValueError if no seed says what it was.
        """
        seed = getattr(self, "seed_", self.random_state)
        if seed is None and self.holdout is not None:
            raise ValueError(
                "the samples that were held out are not known without random_state"
            )
        settings, _, _, searched = self._samples_of_search(
            seed, X, y, sample_weight, groups, times, fitted=front.columns
        )
        front = replace(front, columns=searched.transformer)
        return Selector(front, searched, settings.objectives)

    def _samples_of_search(
        self,
        seed: Any,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
        times: ArrayLike | None,
        fitted: Pipeline | None = None,
    ) -> tuple[SearchSettings, np.random.Generator, Samples, SearchedSamples]:
        """Check settings, and return them, and what is searched, as `fit_training` does.

        Sets the attributes that scikit-learn's estimators keep of their data.
        """
        settings = checked_settings(self, random_state=seed)
        table = plain_table(X)
        self.scale_, codes = ordinal_target(y, self.labels, X)
        self._guessed = order_is_guessed(y, self.labels)
        classes, codes = seen_classes(self.scale_, codes)
        roles = sample_weight, groups, read_times(times)
        samples = unprepared_samples(table, codes, classes, self.prepare, *roles)
        self.classes_ = samples.classes
        self.n_features_in_ = samples.X.shape[1]
        if isinstance(samples.X, pd.DataFrame):
            self.feature_names_in_ = np.array(
                list(map(str, samples.X.columns)), dtype=object
            )
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of an earlier fit
        costs = self._own_costs()  # wrong ones must not end a long search
        settings = with_objectives(settings, classes, self.scale_)
        if costs is None:
            preference_weights(self.preferences, settings.objectives)
        rng = np.random.default_rng(seed)
        training, searched = fit_training(samples, settings, rng, fitted)
        rows: Any = [] if searched.held_out is None else searched.held_out.rows
        self.holdout_rows_ = np.unique(np.asarray(rows, dtype=np.int64))
        return settings, rng, training, searched


ParetoSearch.__doc__ = (ParetoSearch.__doc__ or "").replace(
    "    {settings}", parameters_section(SearchSettings)
)
