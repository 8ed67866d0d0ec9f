"""`ParetoSearch`: from a table to the front of its linear ordinal models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from moselect.columns import ColumnKind, Preparation
from moselect.decision import Loss, given_costs, preference_weights
from moselect.front import Front, SelectedClassifier, Selector, measure_holdout, with_fold_fronts
from moselect.metrics import OBJECTIVES
from moselect.models.threads import one_blas_thread
from moselect.samples import Samples
from moselect.search.fold_search import search_folds
from moselect.search.runs import Callback, Checkpoints, stop_on_interrupt
from moselect.search.search_columns import fit_search_columns
from moselect.search.search_input import encode_samples, plain_table, sample_counts
from moselect.search.settings import SearchSettings, preset_settings
from moselect.search.single_search import search_front


class ParetoSearch(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Search the front of linear ordinal models by multi-objective particle swarm.

    It predicts by the model that `select` returns for its ``preferences`` or costs, by default for
    equal weights of all objectives.

    Parameters
    ----------
    objectives : sequence of str
        At least two of ``"accuracy"``, ``"one_minus_mae"``, ``"vus"``, ``"u_cons"``, ``"u_ovo"``
        and ``"u_pairs"``. All are maximised.
    thresholds : {"exact", "search"}, default="exact"
        ``"exact"`` searches directions and solves for the thresholds of each; ``"search"`` moves
        weights and thresholds together, as the paper does.
    algorithm : {"mopso", "nsga2", "nsga3", "agemoea", "agemoea2", "cmopso", "mopso_cd"}
        ``"mopso"`` is our swarm. The others are those of pymoo, on the same problem, with the same
        first positions and the same unbounded archive.
    n_particles : int, default=100
        Size of the swarm.
    n_iterations : int, optional
        Iterations of a run; each evaluates every particle once. By default 120, or as many as
        ``max_evaluations`` and ``max_seconds`` allow.
    n_runs : int, default=1
        Independent runs, whose fronts are merged.
    max_evaluations : int, optional
        Most evaluations of all runs together.
    max_seconds : float, optional
        Most time for all runs together, shared out among those that go one after the other. A
        run ends with the iteration in which its share is used up; runs that have not begun when the
        time is up are left out, with a warning. Fronts of folds (``cv``) come on top of both
        limits.
    n_iter_no_change : int, optional
        End a run when the hypervolume above chance has grown by less than ``tol``, as a share of
        itself, in so many rounds. Never, by default.
    tol : float, default=1e-3
        See ``n_iter_no_change``.
    holdout : float, optional
        Share of the samples, stratified by class, that the search does not see and on which the
        front is measured as well.
    cv : int, optional
        Number of folds in which the search is repeated with a small budget, to estimate what to
        expect on new data (`Front.expected`); 5 by default, fewer if a class has fewer samples.
        With None nothing is estimated, and `select` does without the front's directions.
    sampling : {"auto"} or None, default="auto"
        With ``"auto"`` the search of a table of more than a few thousand rows begins on stratified
        samples and ends on all rows; all figures of the front are exact on all rows. With None it
        is on all rows throughout.
    max_models : int, optional
        Most models of the front, well spread, by default 1,000; None keeps all that were found.
    preferences : mapping of str to float, optional
        Objective weights by which to predict, as in `select`.
    class_costs, loss, cost_matrix, priors
        Costs by which to predict instead, as in `select`.
    columns : {"features", "splines", "models"} or transformer, default="features"
        The columns that the models weigh: the features; spline bases and products of them
        (`moselect.models.SplineColumns`); the out-of-fold scores of several models
        (`moselect.columns.ModelColumns`); or those of one's own transformer.
    prepare : bool or Preparation, default=True
        Whether categories, dates and missing values of a DataFrame are turned into numbers first,
        and how (`moselect.columns.Preparation`). A table of finite numbers stays as it is.
    turbulence : float, default=0.1
        Share of the particles shaken in each round, with ``thresholds="search"``.
    velocity_range : tuple of float, default=(-1, 1)
        Truncation of velocities, with ``thresholds="search"``; (0, 1) is what the paper prints.
    labels : sequence, optional
        Class labels, lowest first. Strings need it unless they are an ordered Categorical.
    n_jobs : int, optional
        Runs at a time: threads, or what `joblib.parallel_config` says (``backend="dask"`` spreads
        them over a cluster). Threads that are left over share the evaluations of a run. The front
        is the same for any number.
    random_state : int, optional
        Seed; the same seed gives the same front, bit for bit.

    Attributes
    ----------
    front_ : Front
        The non-dominated ones of all models found, best accuracy first.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_ : int
        Number of features.
    holdout_rows_ : ndarray of int
        Indices of the rows that were held out.
    n_evaluations_ : int
        Directions (or particles) measured, all runs. The gradients that some moves climb are not
        counted; one costs about as much time as an evaluation.
    interrupted_ : bool
        Whether Ctrl-C ended the search before its budget.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), ROC analysis in ordinal regression learning, Pattern
    Recognition Letters 29, 1-9.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=5, random_state=1).fit(X, y)
    >>> bool(search.front_.objectives["accuracy"].max() > 0.7)
    True
    """

    def __init__(
        self,
        objectives: Sequence[str] = OBJECTIVES,
        *,
        thresholds: Literal["exact", "search"] = "exact",
        algorithm: str = "mopso",
        n_particles: int = 100,
        n_iterations: int | None = None,
        n_runs: int = 1,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        n_iter_no_change: int | None = None,
        tol: float = 1e-3,
        holdout: float | None = None,
        cv: int | None = 5,
        sampling: Literal["auto"] | None = "auto",
        max_models: int | None = 1_000,
        preferences: Mapping[str, float] | None = None,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
        columns: ColumnKind | Any = "features",
        prepare: bool | Preparation = True,
        turbulence: float = 0.1,
        velocity_range: tuple[float, float] = (-1.0, 1.0),
        labels: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | None = None,
    ) -> None:
        self.objectives = objectives
        self.thresholds = thresholds
        self.algorithm = algorithm
        self.n_particles = n_particles
        self.n_iterations = n_iterations
        self.n_runs = n_runs
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.holdout = holdout
        self.cv = cv
        self.sampling = sampling
        self.max_models = max_models
        self.preferences = preferences
        self.class_costs = class_costs
        self.loss = loss
        self.cost_matrix = cost_matrix
        self.priors = priors
        self.columns = columns
        self.prepare = prepare
        self.turbulence = turbulence
        self.velocity_range = velocity_range
        self.labels = labels
        self.n_jobs = n_jobs
        self.random_state = random_state

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """Return a search with the settings of a publication, but for ``changes``.

        Parameters
        ----------
        name : {"waegeman2008"}
            ``"waegeman2008"``: weights and thresholds moved by eq. (22-23), 20 runs of 100
            iterations of 500 particles.
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
        callback: Callback | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> Self:
        """Search.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite numbers in any units, or a DataFrame of any columns.
        y : array-like of shape (n,)
            Ordinal labels, at least two samples of each class.
        sample_weight : array-like of shape (n,), optional
            How often each sample counts, in whole numbers from 0: the same as repeating it, and
            repeated samples are never held out from each other.
        callback : callable, optional
            Called with a `SearchProgress` after every round of every run, from the run's thread;
            with processes or a cluster, when a run ends.
        checkpoints : Checkpoints, optional
            Where runs keep their state every few seconds and at their end, and from where they
            go on; such as `moselect.storage.Checkpoints`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a setting is out of range, the data cannot be searched, or weights are not whole.
        """
        settings = SearchSettings.of(self.get_params())
        rng = np.random.default_rng(settings.random_state)
        samples = self._encode(X, y)
        self._check_choice(settings)
        counts = sample_counts(sample_weight, len(samples))
        found = fit_search_columns(
            samples, self.columns, self.prepare, settings, rng, counts=counts
        )
        training, transformer, folds = found.training, found.transformer, found.folds
        training.check_scales()

        with one_blas_thread(), stop_on_interrupt() as stop:
            identity = "" if checkpoints is None else settings.identity(training)
            front, done = search_front(
                training, settings, rng, stop, callback, checkpoints, identity
            )
            front = replace(front, columns=transformer)
            self.interrupted_ = stop.is_set()
            outside = found.outside(samples)
            if outside is not None:
                front = measure_holdout(front, outside)
            refitted = None
            if folds is not None and not self.interrupted_:
                refitted = found.refitted()
                fold_fronts = search_folds(found.evidence, folds, settings, stop, refitted)
                if fold_fronts is not None:
                    front = with_fold_fronts(front, fold_fronts)
                self.interrupted_ = stop.is_set()
        self.front_ = front
        self.holdout_rows_ = np.unique(found.held_out)
        self.n_evaluations_ = done
        self._selector = Selector(front, training, folds, refitted, found.rows, outside)
        self._default = _Default(self)
        return self

    def select(
        self,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        *,
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
        preferences: Mapping[str, float] | None = None,
    ) -> SelectedClassifier:
        """Fit the model that is best on new data for given costs, or by preference.

        It is not a member of the front, whose models are fitted to the data at hand, but an average
        of directions tuned to costs or preferences. Directions of the front come into it as far as
        cross-validated evidence for them goes. The ``evidence`` of the result compares it with the
        front's best member and with baselines.

        Parameters
        ----------
        class_costs : array-like of shape (r,), optional
            What a mistake costs on a sample of each class, lowest class first.
        loss : {"absolute", "squared", "zero_one"}, default="absolute"
            How the cost grows with the distance between the classes.
        cost_matrix : array-like of shape (r, r), optional
            All costs, rows true classes, columns predicted ones; instead of ``class_costs``.
        priors : array-like of shape (r,), optional
            Shares of the classes in use, of sum 1, if they differ from those in the data.
        preferences : mapping of str to float, optional
            Weights of the objectives' gains above chance, each in units of the most that the front
            gains in training; instead of costs. Without costs and preferences all weigh the same.

        Returns
        -------
        SelectedClassifier

        Raises
        ------
        ValueError
            If more than one of costs, a cost matrix and preferences is given, or they do not fit.
        """
        check_is_fitted(self)
        costs = given_costs(class_costs, loss, cost_matrix, priors, preferences)
        if costs is None:
            return self._selector.for_preferences(preferences)
        return self._selector.for_costs(costs)

    @property
    def model_(self) -> SelectedClassifier:
        """The model by which it predicts, fitted when it is first asked for."""
        check_is_fitted(self)
        return self._default.model

    def decision_function(self, X: ArrayLike | pd.DataFrame) -> NDArray[np.float64]:
        """Score samples by the selected model, shape (n,); higher means a higher class."""
        return self.model_.decision_function(self._known_features(X))

    def predict(self, X: ArrayLike | pd.DataFrame) -> NDArray[Any]:
        """Predict the class label of each row of X by the selected model, shape (n,)."""
        return self.model_.predict(self._known_features(X))

    def selector(self, front: Front, X: ArrayLike | pd.DataFrame, y: ArrayLike) -> Selector:
        """Return what selects models from a front that the same search found before.

        Parameters
        ----------
        front : Front
            The front, such as that of `moselect.storage.read_run`.
        X, y
            All data of that search, as `fit` took them; what it held out is held out again.
        """
        settings = SearchSettings.of(self.get_params())
        rng = np.random.default_rng(settings.random_state)
        samples = self._encode(X, y)
        found = fit_search_columns(
            samples, self.columns, self.prepare, settings, rng, fitted=front.columns
        )
        front = replace(front, columns=found.transformer)
        self.holdout_rows_ = found.held_out
        outside = found.outside(samples)
        return Selector(front, found.training, found.folds, found.refitted(), found.rows, outside)

    def _known_features(self, X: Any) -> Any:
        """Check new samples; an array must have as many features as the one of `fit`."""
        check_is_fitted(self)
        table = plain_table(X)
        if not hasattr(table, "columns") and table.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {table.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        return table

    def _check_choice(self, settings: SearchSettings) -> None:
        """Raise before a long search if no model can be chosen at its end."""
        costs = given_costs(
            self.class_costs, self.loss, self.cost_matrix, self.priors, self.preferences
        )
        if costs is None:
            preference_weights(self.preferences, settings.objectives.names)
        else:
            costs.in_order(self.classes_).matrix(len(self.classes_))

    def _encode(self, X: ArrayLike | pd.DataFrame, y: ArrayLike) -> Samples:
        """Encode labels, and set what scikit-learn's estimators keep of their data."""
        samples = encode_samples(X, y, self.labels)
        self.classes_ = samples.classes
        self.n_features_in_ = samples.X.shape[1]
        if isinstance(samples.X, pd.DataFrame):
            self.feature_names_in_ = np.array(list(map(str, samples.X.columns)), dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of an earlier fit
        return samples


class _Default:
    """The model by which a search predicts; predicting must not change the estimator itself."""

    def __init__(self, search: ParetoSearch) -> None:
        self._select = partial(
            search.select,
            search.class_costs,
            search.loss,
            cost_matrix=search.cost_matrix,
            priors=search.priors,
            preferences=search.preferences,
        )

    @cached_property
    def model(self) -> SelectedClassifier:
        return self._select()
