"""`Candidate`: a model that selections compare, as packages register it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from moselect._types import Estimator

if TYPE_CHECKING:
    from moselect.candidates.candidates import CandidateFits
    from moselect.models.learner import Learner


@dataclass(frozen=True, eq=False)
class Candidate:
    """A model that a selection cross-validates and compares with others.

    Other packages register theirs by an entry point of the group ``moselect.candidates``.

    Attributes
    ----------
    name : str
        Name in tables, pictures, files and options.
    estimator : estimator, optional
        Classifier of scikit-learn with ``predict_proba``, not fitted; it is fitted after the
        preprocessing of the table.
    rank : float
        Rank of simplicity: scorecard 1, linear 2, additive 3, ensemble 5.
    is_sum : bool
        Whether its model has a single score, a sum of terms, which every file form can hold.
    has_thresholds : bool
        Whether it minimises the decision loss by thresholds of a score.
    is_baseline : bool
        Whether it is compared only, and selected by name alone.
    is_constant : bool
        Whether it predicts one class.
    make : callable, optional
        Returns the learner for a table, in place of an estimator, by the `CandidateFits` of
        the table: its samples, folds and preprocessing.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> bayes = Candidate("bayes", GaussianNB())
    >>> bayes.rank, bayes.is_sum
    (4.0, False)
    """

    name: str
    estimator: Estimator | None = None
    rank: float = 4.0
    is_sum: bool = False
    has_thresholds: bool = False
    is_baseline: bool = False
    is_constant: bool = False
    make: Callable[[CandidateFits], Learner] | None = None
