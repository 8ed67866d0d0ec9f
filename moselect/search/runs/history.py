"""How the hypervolume grew while a search went on."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

import pandas as pd

from moselect.search.runs.parallel import SearchProgress
from moselect.search.runs.run import quick_hypervolume

GROWTH = 1.25  # of the evaluations between two measurements

Row = tuple[int, int, float, float]


@dataclass
class _RunHistory:
    rows: list[Row] = field(default_factory=list)
    next_mark: float = 0.0
    last: SearchProgress | None = None  # if it is not measured yet


def _row(progress: SearchProgress) -> Row:
    volume = quick_hypervolume(progress.points, progress.chance)
    return progress.run, progress.run_evaluations, volume, progress.run_seconds


class History:
    """Record how the hypervolume above chance grows, as the ``callback`` of `ParetoSearch.fit`.

    Each run is measured at its first round, whenever its evaluations have grown by a quarter, and
    at its end, with the quick approximation that is good to some thousandths. The search finds the
    same front with it as without.

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
        self._runs: dict[int, _RunHistory] = {}
        self._lock = threading.Lock()

    def __call__(self, progress: SearchProgress) -> None:
        """Record the progress of a run; each run's must come in order, from any thread."""
        with self._lock:
            run = self._runs.setdefault(progress.run, _RunHistory())
        done = progress.run_evaluations
        if done >= run.next_mark:
            run.next_mark = done * GROWTH
            run.last = None
            run.rows.append(_row(progress))
        else:
            run.last = replace(progress, points=progress.points.copy())

    @property
    def table(self) -> pd.DataFrame:
        """One row a measurement, by run: ``run``, ``n_evaluations``, ``hypervolume``, ``seconds``.

        Evaluations and seconds are those of the run itself, without the time that callbacks take.
        """
        rows = []
        for _, run in sorted(self._runs.items()):
            rows += run.rows
            if run.last is not None:
                rows.append(_row(run.last))
        return pd.DataFrame(rows, columns=["run", "n_evaluations", "hypervolume", "seconds"])
