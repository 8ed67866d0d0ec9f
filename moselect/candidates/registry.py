"""`Candidate`, a model that selections compare, and the registry of all, of other packages, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline

from moselect._types import Estimator, record
from moselect.candidates.names import (
    ADDITIVE,
    ENSEMBLE,
    LINEAR,
    PROPORTIONAL_ODDS,
    SCORECARD,
    TRIVIAL,
)
from moselect.candidates.shared_fits import BaseModelLearner, EnsembleLearner
from moselect.costs.priced import Priced
from moselect.models.ensemble.base_models import BASE_MODELS
from moselect.models.learner import Learner, RuleLearner
from moselect.models.linear.linear_rule import fit_linear_rule
from moselect.models.scorecard.estimator import CardLearner, Scorecard
from moselect.predictor import Model
from moselect.samples.samples import Samples

if TYPE_CHECKING:
    from moselect.candidates.candidates import CandidateFits, FitStore

GROUP = "moselect.candidates"  # of entry points


@record
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


@record
class LinearRuleLearner(RuleLearner):
    """Learner of the linear rule, fitted to the decision loss."""

    transformer: Pipeline | None
    store: FitStore

    def fit(self, samples: Samples, criteria: object = None) -> Model:
        """Fit the rule on class codes."""
        assert isinstance(criteria, Priced)
        coded = replace(samples, classes=np.arange(samples.n_classes))
        kept = self.store.refit, self.store.computed
        return fit_linear_rule(coded, self.transformer, criteria, *kept)


class ClassSharesLearner(Learner):
    """Baseline learner that predicts the training class shares."""

    def fit(self, samples: Samples, criteria: object = None) -> DummyClassifier:
        """Count the weighted shares of the classes."""
        return DummyClassifier().fit(samples.X, samples.codes, samples.weights)

    def to_predictor(self, model: object) -> None:
        """Return None: shares of classes are not deployed."""
        return None


# Functions by name, so that a search can be pickled with its fits.
def _card_learner(conditions: int, fits: CandidateFits) -> Learner:
    return CardLearner(Scorecard(conditions, prepare=fits.preparation))


def _linear_learner(fits: CandidateFits) -> Learner:
    return LinearRuleLearner(fits.transformer, fits.store)


def _base_learner(name: str, fits: CandidateFits) -> Learner:
    return BaseModelLearner(fits.shared, [name])


def _ensemble_learner(fits: CandidateFits) -> Learner:
    return EnsembleLearner(fits.shared, [*BASE_MODELS])


def _class_shares(fits: CandidateFits) -> Learner:
    return ClassSharesLearner()


def scorecards(conditions: int = 8) -> Candidate:
    """Return the candidate of scorecards with a number of conditions.

    Examples
    --------
    >>> scorecards(conditions=5).name
    'scorecard'
    """
    return Candidate(
        SCORECARD,
        rank=1.0,
        is_sum=True,
        make=partial(_card_learner, conditions),
    )


OWN = (
    scorecards(),
    Candidate(
        LINEAR,
        rank=2.0,
        is_sum=True,
        has_thresholds=True,
        make=_linear_learner,
    ),
    Candidate(
        ADDITIVE,
        rank=3.0,
        is_sum=True,
        make=partial(_base_learner, "splines"),
    ),
    Candidate(ENSEMBLE, rank=5.0, make=_ensemble_learner),
    Candidate(
        PROPORTIONAL_ODDS,
        is_sum=True,
        is_baseline=True,
        make=partial(_base_learner, "proportional_odds"),
    ),
    Candidate(
        TRIVIAL,
        is_baseline=True,
        is_constant=True,
        make=_class_shares,
    ),
)


@cache
def registered() -> tuple[Candidate, ...]:
    """Return all candidates, simplest first, and then the baselines.

    Those of other packages are the objects that entry points of the group
    ``moselect.candidates`` name.

    Raises
    ------
    ValueError
        If an entry point names no `Candidate`, or two candidates have one name.

    Examples
    --------
    >>> [candidate.name for candidate in registered() if candidate.is_baseline]
    ['proportional odds', 'always one class']
    """
    found = list(OWN)
    for entry in entry_points(group=GROUP):
        candidate = entry.load()
        if not isinstance(candidate, Candidate):
            raise ValueError(
                f"the entry point {entry.value!r} of {GROUP} is no Candidate"
            )
        if candidate.name in {each.name for each in found}:
            raise ValueError(
                f"the entry point {entry.value!r} of {GROUP} has the name of another "
                f"candidate, {candidate.name!r}"
            )
        found.append(candidate)
    return tuple(sorted(found, key=lambda each: (each.is_baseline, each.rank)))


def candidate_names() -> list[str]:
    """Return the names of the candidates that may be selected, simplest first.

    Examples
    --------
    >>> candidate_names()[0]
    'scorecard'
    """
    return [candidate.name for candidate in registered() if not candidate.is_baseline]
