"""`Searched`: the result of a search, which a selection takes without the search itself."""

from dataclasses import dataclass

import numpy as np

from moselect._types import Integers
from moselect.search.front import Front
from moselect.search.search_samples import SearchSamples


@dataclass(frozen=True, eq=False)
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
