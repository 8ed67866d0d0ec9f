"""What the fronts of several runs reach together."""

from __future__ import annotations

from collections.abc import Sequence

import moocore
import numpy as np
from numpy.typing import ArrayLike, NDArray


def attainment_surface(fronts: Sequence[ArrayLike], share: float = 0.5) -> NDArray[np.float64]:
    """Find what at least a share of the runs reach: the front of the typical run, for 0.5.

    Parameters
    ----------
    fronts : sequence of array-like of shape (any, m)
        The front of each run, maximised, of two or three objectives.
    share : float, default=0.5
        Share of the runs, from above 0 to 1; 1 is what every run reaches.

    Returns
    -------
    ndarray of shape (k, m)
        The corners of the surface: points of which none is better in everything, ascending in the
        first objective.

    Raises
    ------
    ValueError
        If there are no fronts, they do not have the same two or three objectives, or the share is
        none.

    References
    ----------
    Grunert da Fonseca, Fonseca, Hall (2001), Inferential performance assessment of stochastic
    optimisers and the attainment function, EMO 2001, 213-225; computed by moocore.

    Examples
    --------
    >>> runs = [[[1.0, 0.0], [0.0, 1.0]], [[0.5, 0.5]], [[0.4, 0.8]]]
    >>> attainment_surface(runs, share=0.5)
    array([[0. , 0.8],
           [0.4, 0.5],
           [0.5, 0. ]])
    """
    tables = [np.asarray(front, dtype=np.float64) for front in fronts]
    widths = {table.shape[1:] for table in tables}
    if not widths or not widths <= {(2,), (3,)} or len(widths) > 1:
        raise ValueError("give fronts of the same two or three objectives, one for each run")
    if not 0.0 < share <= 1.0:
        raise ValueError(f"share is {share!r}: give a share of the runs above 0, at most 1")
    runs = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    found = moocore.eaf(-np.vstack(tables), runs, percentiles=[100.0 * share])
    surface = -found[:, :-1]
    return surface[np.lexsort(surface.T[::-1])]
