"""`ParetoSearch`: from a table to the front of its linear ordinal models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from threadpoolctl import threadpool_limits

from moselect.decision import LinearRuleFitter, Loss
from moselect.labels import class_labels, encode_labels
from moselect.models import feature_matrix
from moselect.search.checks import check_classes, warn_of_constants
from moselect.search.front import Front
from moselect.search.holdout import measure_holdout, split_holdout
from moselect.search.interrupt import stop_on_interrupt
from moselect.search.objectives import OBJECTIVES
from moselect.search.plan import identify, make_plan
from moselect.search.problem import OrdinalProblem
from moselect.search.runs import Checkpoints, Report, search_runs, threads_of_a_run
from moselect.search.selection import (
    SelectedClassifier,
    make_fitter,
    search_folds,
    select_rule,
)
from moselect.search.settings import check_settings, preset_settings

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


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
        Share of the objects, stratified by class, that the search does not see and on which the
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
        All models found that no other found model dominates, best accuracy first.
    classes_ : ndarray of shape (r,)
        Class labels, lowest first.
    n_features_in_ : int
        Number of features.
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

    _for_any_costs: tuple[LinearRuleFitter, list[Front] | None] | None

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
        """Give a search with the settings of a publication, but for ``changes``.

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
        report: Report | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> Self:
        """Search.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite numeric features, in any units.
        y : array-like of shape (n,)
            Ordinal labels, at least two objects of each class.
        report : callable, optional
            Called with a `Progress` after every round of every run, from the run's thread; with
            processes or a cluster, when a run ends.
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
        settings = self.get_params()
        columns = check_settings(settings)
        values, codes = self._take(X, y)
        classes = self.classes_
        names = tuple(self.feature_names_in_) if hasattr(self, "feature_names_in_") else None
        warn_of_constants(values, names)
        rng = np.random.default_rng(self.random_state)
        kept, held_out = split_holdout(codes, classes, self.holdout, rng)

        # One thread for BLAS: its sums depend on how many share them, and ours must not.
        with threadpool_limits(limits=1, user_api="blas"), stop_on_interrupt() as stop:
            problem = OrdinalProblem(
                values if held_out is None else values[kept],
                codes[kept],
                thresholds=self.thresholds,
                labels=range(len(classes)),
                n_jobs=threads_of_a_run(self.n_runs, self.n_jobs),
            )
            identity = "" if checkpoints is None else identify(settings, values, codes)
            plan = make_plan(settings, problem, columns, rng, identity)
            archive, done = search_runs(problem, plan, self.n_jobs, stop, report, checkpoints)
            if done == 0:  # nothing to keep
                raise KeyboardInterrupt
            front = Front.from_archive(problem, columns, archive, classes, names)
        if held_out is not None:
            front = measure_holdout(front, values[held_out], classes[codes[held_out]])
        self.n_evaluations_ = done
        self.interrupted_ = stop.is_set()
        self._hold(front, values, codes, kept)
        return self

    def adopt(self, front: Front, X: ArrayLike | pd.DataFrame, y: ArrayLike) -> Self:
        """Take a front that the same search of the same data found before, in the place of `fit`.

        Parameters
        ----------
        front : Front
            The front, such as that of `moselect.storage.read_run`.
        X, y
            All data of that search, as `fit` took them; what it held out is held out again.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the data are not such as the front was fitted to.
        """
        check_settings(self.get_params())
        values, codes = self._take(X, y)
        if values.shape[1] != front.weights.shape[1] or len(self.classes_) != len(front.classes):
            raise ValueError(
                f"the front has {front.weights.shape[1]} features and {len(front.classes)} "
                f"classes, the data have {values.shape[1]} and {len(self.classes_)}"
            )
        rng = np.random.default_rng(self.random_state)
        kept, _ = split_holdout(codes, self.classes_, self.holdout, rng)
        self._hold(front, values, codes, kept)
        return self

    def select(
        self,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        *,
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
    ) -> SelectedClassifier:
        """Give the rule that is to cost least on new data, fitted to the objects of the search.

        Parameters and errors as in `Front.select`.
        """
        X, y = self._fitted_on
        if self._for_any_costs is None:
            codes = encode_labels(y, self.classes_)
            fitter = make_fitter(X, codes, len(self.classes_))
            self._for_any_costs = fitter, search_folds(self, X, codes, fitter.folds)
        return select_rule(
            self.front_, X, y, class_costs, loss, cost_matrix, priors, *self._for_any_costs
        )

    def _take(self, X: ArrayLike | pd.DataFrame, y: ArrayLike) -> tuple[Floats, Integers]:
        """Check data and note what they are like; gives features and class codes."""
        values = feature_matrix(X, None)
        self.classes_ = class_labels(y, self.labels)
        codes = encode_labels(y, self.classes_)
        check_classes(values, codes, self.classes_, fewest=2)
        self.n_features_in_ = values.shape[1]
        if isinstance(X, pd.DataFrame):
            self.feature_names_in_ = np.array([str(name) for name in X.columns], dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of an earlier fit
        return values, codes

    def _hold(self, front: Front, values: Floats, codes: Integers, kept: Integers) -> None:
        """Keep a front and the objects it was fitted to, for `select`."""
        self.front_ = front
        everything = len(kept) == len(codes)
        self._fitted_on = (
            values if everything else values[kept],
            self.classes_[codes if everything else codes[kept]],
        )
        self._for_any_costs = None
