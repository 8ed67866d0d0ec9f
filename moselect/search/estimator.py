"""`ParetoSearch`: from a table to the front of its linear ordinal models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from moselect.datasets import TrainingData
from moselect.decision import Costs, LinearRuleFitter, Loss
from moselect.front import SelectedClassifier, measure_holdout, select, split_holdout
from moselect.metrics import OBJECTIVES
from moselect.models import one_blas_thread
from moselect.search.fold_search import search_folds
from moselect.search.found import front_of_archive
from moselect.search.problem import make_problem
from moselect.search.runs import (
    Callback,
    Checkpoints,
    make_plan,
    search_runs,
    stop_on_interrupt,
    threads_of_a_run,
)
from moselect.search.settings import SearchSettings, preset_settings


class ParetoSearch(BaseEstimator):  # type: ignore[misc]
    """Search the front of linear ordinal models by multi-objective particle swarm.

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
    n_iterations : int, default=120
        Rounds of a run; each evaluates every particle once.
    n_runs : int, default=1
        Independent runs, whose fronts are merged.
    max_evaluations : int, optional
        Most evaluations of all runs together.
    max_seconds : float, optional
        Most time for all runs together, shared out among those that go one after the other. A
        run ends with the round in which its share is used up.
    n_iter_no_change : int, optional
        End a run when the hypervolume above chance has grown by less than ``tol``, as a share of
        itself, in so many rounds. Never, by default.
    tol : float, default=1e-3
        See ``n_iter_no_change``.
    holdout : float, optional
        Share of the samples, stratified by class, that the search does not see and on which the
        front is measured as well.
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
        n_iterations: int = 120,
        n_runs: int = 1,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        n_iter_no_change: int | None = None,
        tol: float = 1e-3,
        holdout: float | None = None,
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
        *,
        callback: Callback | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> Self:
        """Search.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite numeric features, in any units.
        y : array-like of shape (n,)
            Ordinal labels, at least two samples of each class.
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
            If a setting is out of range, or the data cannot be searched.
        """
        settings = SearchSettings.of(self.get_params())
        data = TrainingData.from_table(X, y, self.labels, fewest=2)
        data.warn_of_constants()
        self._note(data)
        rng = np.random.default_rng(settings.random_state)
        kept, held_out = split_holdout(data, settings.holdout, rng)
        training = data.take(kept) if len(held_out) else data

        with one_blas_thread(), stop_on_interrupt() as stop:
            threads = threads_of_a_run(settings.n_runs, settings.n_jobs)
            problem = make_problem(training, settings.thresholds, threads)
            identity = "" if checkpoints is None else settings.identity(data)
            plan = make_plan(settings, problem, rng, identity)
            archive, done = search_runs(problem, plan, settings.n_jobs, stop, callback, checkpoints)
            if done == 0:  # nothing to keep
                raise KeyboardInterrupt
            front = front_of_archive(problem, settings.objectives, archive, training)
        if len(held_out):
            front = measure_holdout(front, data.take(held_out))
        self.front_ = front
        self.holdout_rows_ = held_out
        self.n_evaluations_ = done
        self.interrupted_ = stop.is_set()
        self._training = training
        return self

    def select(
        self,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        *,
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
    ) -> SelectedClassifier:
        """Fit the model that is to cost least on new data, with the evidence for it.

        The front is fitted to the data at hand, and so is its cheapest member, which on new data
        costs more than on those. What is selected is tuned to the costs and then cut at the costs
        to be expected; the ``evidence`` of the result compares the two, and searches the front
        anew without each fold for it (1,000 evaluations each).

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

        Returns
        -------
        SelectedClassifier

        Raises
        ------
        ValueError
            If not exactly one of the two kinds of costs is given, or costs or priors do not fit.
        """
        check_is_fitted(self)
        costs = Costs(class_costs, loss, cost_matrix, priors)
        costs.require()
        data = self._training
        folds = LinearRuleFitter(data.X, data.codes, data.n_classes).folds
        return select(self.front_, data, costs, search_folds(self, data, folds))

    def _note(self, data: TrainingData) -> None:
        """Set what scikit-learn's estimators keep of the data they were fitted to."""
        self.classes_ = data.classes
        self.n_features_in_ = data.X.shape[1]
        if data.feature_names is not None:
            self.feature_names_in_ = np.array(data.feature_names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of an earlier fit
