"""Progress of a search for callbacks, and the history of its hypervolume."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from moselect._types import Floats
from moselect.pareto import hypervolume_above_chance


@dataclass(frozen=True)
class SearchProgress:
    """Progress of a search.

    Attributes
    ----------
    run : int
        Index of the run, from 0.
    n_evaluations : int
        Evaluations done, all runs together.
    budget : int or None
        Maximum number of evaluations of all runs; None with a time limit only.
    points : ndarray of shape (k, m)
        Objective values of the run's archive; a view, valid during the callback only.
    chance : ndarray of shape (m,)
        Objectives attained without features, on the rows of ``points``.
    run_evaluations : int
        Evaluations done by this run.
    run_seconds : float
        Search time of this run.
    n_samples : int
        Number of rows of the current stage: a subsample at first, finally all.

    Examples
    --------
    >>> import numpy as np
    >>> def show(progress):
    ...     print(f"{progress.n_evaluations} of {progress.budget}: {len(progress.points)} models")
    >>> show(SearchProgress(0, 500, 1000, np.zeros((42, 6)), np.zeros(6), 500, 0.1, 506))
    500 of 1000: 42 models
    """

    run: int
    n_evaluations: int
    budget: int | None
    points: Floats
    chance: Floats
    run_evaluations: int
    run_seconds: float
    n_samples: int


Callback = Callable[[SearchProgress], None]


def quick_hypervolume(progress: SearchProgress) -> float:
    """Approximate the hypervolume above chance in milliseconds, to about 0.001."""
    return hypervolume_above_chance(
        progress.points, progress.chance, exact_up_to=50, n_samples=2**12
    )


class History:
    """Record the convergence of the hypervolume, as ``callback`` of `ParetoSearch.fit`.

    Each round takes a few milliseconds for an approximation to about 0.001. The front is
    the same with and without it.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> history = History()
    >>> search = moselect.ParetoSearch(n_iterations=4, n_runs=2, random_state=1)
    >>> front = search.fit(X, y, callback=history).front_
    >>> history.table["n_evaluations"].tolist()
    [100, 200, 300, 400, 100, 200, 300, 400]
    """

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, float, float]] = []

    def __call__(self, progress: SearchProgress) -> None:
        """Record the progress of a run; records of one run must come in order."""
        volume = quick_hypervolume(progress)
        self._rows.append(
            (progress.run, progress.run_evaluations, volume, progress.run_seconds)
        )

    @property
    def table(self) -> pd.DataFrame:
        """Recorded values, a row each: run, n_evaluations, hypervolume, seconds.

        Evaluations and seconds of the run, excluding callbacks.
        """
        return pd.DataFrame(
            sorted(self._rows), columns=["run", "n_evaluations", "hypervolume", "seconds"]
        )
