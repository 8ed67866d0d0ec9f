"""`ParetoArchive`: all non-dominated points with their payload."""

import numpy as np
from numpy.typing import NDArray

from moselect._kernels.pareto import insert
from moselect._types import Floats


class ParetoArchive:
    """Unbounded, exact set of non-dominated points, all objectives maximised.

    A point is non-dominated if no other point is at least as good in every objective and
    better in one.

    Parameters
    ----------
    n_objectives : int
        Number of objectives m.
    payload_width : int
        Number of floats kept with each point.

    Notes
    -----
    Of equal points the first is kept. The order of the points is arbitrary but
    reproducible.

    Examples
    --------
    >>> import numpy as np
    >>> archive = ParetoArchive(n_objectives=2, payload_width=1)
    >>> archive.add(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.5]]), np.array([[7.0], [8.0], [9.0]]))
    array([0, 1])
    >>> len(archive)
    2
    """

    def __init__(self, n_objectives: int, payload_width: int) -> None:
        self._columns = np.empty((n_objectives, 0))
        # row of the payload, for each column of points
        self._ids = np.empty(0, dtype=np.int64)
        self._payload = np.empty((0, payload_width))
        self._size = 0
        self._stored = 0

    def __len__(self) -> int:
        return self._size

    @property
    def columns(self) -> Floats:
        """Points as columns, shape (m, n), the layout of the kernels."""
        return self._columns[:, : self._size]

    @property
    def points(self) -> Floats:
        """Points, shape (n, m)."""
        return self.columns.T

    @property
    def payload(self) -> Floats:
        """Payload of the points, shape (n, payload_width)."""
        return self._payload[self._ids[: self._size]]

    def add(self, points: Floats, payload: Floats) -> NDArray[np.int64]:
        """Insert points (k, m) with their payload (k, width), one after the other.

        Returns
        -------
        ndarray of int
            Indices of the inserted points that are members now, ascending.
        """
        k = len(points)
        self._reserve(k)
        first = self._stored
        self._size = int(
            insert(
                self._columns,
                self._ids,
                self._size,
                np.ascontiguousarray(points),
                np.arange(first, first + k),
            )
        )
        ids = self._ids[: self._size]
        is_new = ids >= first
        # Ids above those in store are new; the kernel reorders points, so they come
        # unsorted.
        entered = np.sort(ids[is_new])
        # Renumbered without gaps: candidates that were dominated at once leave no room.
        ids[is_new] = first + np.searchsorted(entered, ids[is_new])
        self._stored = first + len(entered)
        self._payload[first : self._stored] = payload[entered - first]
        return entered - first

    def _reserve(self, k: int) -> None:
        """Reserve capacity for ``k`` more points, and drop the payload of removed ones."""
        if self._size + k <= self._columns.shape[1] and self._stored + k <= len(
            self._payload
        ):
            return
        # Twice the need, so that copies are rare.
        capacity = 2 * (self._size + k)
        columns = np.empty((len(self._columns), capacity))
        columns[:, : self._size] = self.columns
        payload = np.empty((capacity, self._payload.shape[1]))
        payload[: self._size] = self.payload
        self._columns = columns
        self._payload = payload
        # Removed points drop out here: payload is copied in the order of the points.
        self._ids = np.arange(capacity)
        self._stored = self._size
