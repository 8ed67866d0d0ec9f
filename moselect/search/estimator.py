"""`ParetoSearch`: from a table to the front of its linear ordinal models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from threadpoolctl import threadpool_limits

from moselect.decision import Loss
from moselect.metrics import class_labels, encode_labels
from moselect.models import feature_matrix
from moselect.pareto import ParetoArchive
from moselect.search.checks import check_classes, warn_of_constants
from moselect.search.classic import ClassicSwarm
from moselect.search.front import Front
from moselect.search.holdout import measure_holdout, split_holdout
from moselect.search.problem import OBJECTIVES, OrdinalProblem
from moselect.search.run import Progress, Swarm, run_swarm, stop_on_interrupt
from moselect.search.selection import SelectedClassifier, search_folds, select_rule
from moselect.search.swarm import DirectionSwarm

Floats = NDArray[np.float64]
Report = Callable[[Progress], None]

PRESETS: dict[str, dict[str, Any]] = {
    # 20 runs, 500 particles, and their first positions moved 100 times (section 4.2)
    "waegeman2008": {
        "thresholds": "search",
        "n_particles": 500,
        "n_iterations": 101,
        "n_runs": 20,
        "turbulence": 0.0,
    },
}


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
    n_particles : int, default=100
        Size of the swarm.
    n_iterations : int, default=120
        Rounds of a run; each evaluates every particle once.
    n_runs : int, default=1
        Independent runs, whose fronts are merged.
    max_evaluations : int, optional
        Most evaluations of all runs together.
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
        Threads for the runs. The front is the same for any number.
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

    def __init__(
        self,
        objectives: Sequence[str] = OBJECTIVES,
        *,
        thresholds: Literal["exact", "search"] = "exact",
        n_particles: int = 100,
        n_iterations: int = 120,
        n_runs: int = 1,
        max_evaluations: int | None = None,
        holdout: float | None = None,
        turbulence: float = 0.1,
        velocity_range: tuple[float, float] = (-1.0, 1.0),
        labels: Sequence[Any] | None = None,
        n_jobs: int | None = None,
        random_state: int | None = None,
    ) -> None:
        self.objectives = objectives
        self.thresholds = thresholds
        self.n_particles = n_particles
        self.n_iterations = n_iterations
        self.n_runs = n_runs
        self.max_evaluations = max_evaluations
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
        if name not in PRESETS:
            raise ValueError(f"unknown preset {name!r}: choose from {', '.join(PRESETS)}")
        return cls(**{**PRESETS[name], **changes})

    def fit(
        self, X: ArrayLike | pd.DataFrame, y: ArrayLike, *, report: Report | None = None
    ) -> Self:
        """Search.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite numeric features, in any units.
        y : array-like of shape (n,)
            Ordinal labels, at least two objects of each class.
        report : callable, optional
            Called with a `Progress` after every round of every run, from the run's thread.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a setting is out of range, or the data cannot be searched.
        """
        columns = self._check_settings()
        values = feature_matrix(X, None)
        classes = class_labels(y, self.labels)
        codes = encode_labels(y, classes)
        check_classes(values, codes, classes, fewest=2)
        names = tuple(str(c) for c in X.columns) if isinstance(X, pd.DataFrame) else None
        warn_of_constants(values, names)
        rng = np.random.default_rng(self.random_state)
        kept, held_out = split_holdout(codes, classes, self.holdout, rng)

        # One thread for BLAS: its sums depend on how many share them, and ours must not.
        with threadpool_limits(limits=1, user_api="blas"), stop_on_interrupt() as stop:
            problem = OrdinalProblem(
                values[kept],
                codes[kept],
                thresholds=self.thresholds,
                labels=range(len(classes)),
            )
            swarms = self._swarms(problem, columns, rng)
            budgets = self._budgets()

            def run_one(run: int) -> int:
                def pass_on(done: int, points: Floats) -> None:
                    if report is not None:
                        report(Progress(run, done, sum(budgets), points, problem.chance[columns]))

                return run_swarm(problem, swarms[run], budgets[run], pass_on, stop)

            done = Parallel(n_jobs=self.n_jobs, require="sharedmem")(
                delayed(run_one)(run) for run in range(self.n_runs)
            )
            interrupted = stop.is_set()
            if not any(done):  # nothing to keep
                raise KeyboardInterrupt
            archive = _merge([swarm.archive for swarm in swarms])
            best_first = np.lexsort((*archive.columns[::-1],))[::-1]
            payload = archive.payload[best_first]
            weights, thresholds = problem.models(payload[:, :-1], payload[:, -1].astype(np.int64))

        objective_names = [OBJECTIVES[j] for j in columns]
        self.front_ = Front(
            objectives=pd.DataFrame(archive.points[best_first], columns=objective_names),
            weights=weights,
            thresholds=thresholds,
            classes=classes,
            feature_names=names,
            chance=pd.Series(problem.chance[columns], index=objective_names),
        )
        if held_out is not None:
            self.front_ = measure_holdout(self.front_, values[held_out], classes[codes[held_out]])
        self.classes_ = classes
        self.n_features_in_ = values.shape[1]
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        self.n_evaluations_ = int(sum(done))
        self.interrupted_ = interrupted
        self._fitted_on = (values[kept], classes[codes[kept]])
        self._fold_fronts: list[Front] | None = None
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
        if self._fold_fronts is None:  # once: they do not depend on the costs
            self._fold_fronts = search_folds(self, X, encode_labels(y, self.classes_))
        return select_rule(
            self.front_, X, y, class_costs, loss, cost_matrix, priors, self._fold_fronts
        )

    def _check_settings(self) -> NDArray[np.int64]:
        """Give the places of the objectives, or say which setting is wrong."""
        if isinstance(self.objectives, str):
            raise TypeError(
                f"objectives is a string: give a sequence, such as ({OBJECTIVES[0]!r},)"
            )
        names = list(self.objectives)
        for name in names:
            if name not in OBJECTIVES:
                raise ValueError(f"unknown objective {name!r}: choose from {', '.join(OBJECTIVES)}")
        if len(set(names)) < max(2, len(names)):
            raise ValueError(f"objectives must be at least two different ones, not {names}")
        for setting in ("n_particles", "n_iterations", "n_runs", "max_evaluations"):
            value = getattr(self, setting)
            if value is None and setting == "max_evaluations":
                continue
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise ValueError(f"{setting} is {value!r}: give a whole number of at least 1")
        if self.holdout is not None and not 0.0 < self.holdout < 1.0:
            raise ValueError(f"holdout is {self.holdout}: give a share between 0 and 1")
        if not 0.0 <= self.turbulence <= 1.0:
            raise ValueError(f"turbulence is {self.turbulence}: give a share between 0 and 1")
        if np.shape(self.velocity_range) != (2,) or not np.diff(self.velocity_range) > 0.0:
            raise ValueError(f"velocity_range is {self.velocity_range}: give (low, high)")
        return np.array([OBJECTIVES.index(name) for name in names])

    def _budgets(self) -> list[int]:
        """Give the evaluations of each run; a common limit is shared out evenly."""
        each = self.n_particles * self.n_iterations
        if self.max_evaluations is None:
            return [each] * self.n_runs
        share, rest = divmod(min(self.max_evaluations, each * self.n_runs), self.n_runs)
        return [share + (run < rest) for run in range(self.n_runs)]

    def _swarms(
        self, problem: OrdinalProblem, columns: NDArray[np.int64], rng: np.random.Generator
    ) -> list[Swarm]:
        rngs = rng.spawn(self.n_runs)
        if self.thresholds == "search":
            return [
                ClassicSwarm(
                    problem, columns, self.n_particles, self.turbulence, self.velocity_range, own
                )
                for own in rngs
            ]
        starts = np.array(list(problem.ready_made().values()))
        return [DirectionSwarm(problem, columns, self.n_particles, starts, own) for own in rngs]


def _merge(archives: Sequence[ParetoArchive]) -> ParetoArchive:
    first, *others = archives
    for other in others:
        first.add(other.points, other.payload)
    return first
