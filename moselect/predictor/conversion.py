"""Conversion of fitted estimators and pipelines to deployable models."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from sklearn.pipeline import make_pipeline

from moselect._types import Estimator
from moselect.predictor.decisions import LeastCost
from moselect.predictor.model import Model
from moselect.predictor.scorers import ClassifierScorer
from moselect.samples.features import steps_of


@runtime_checkable
class Deployable(Protocol):
    """Fitted estimator with a frozen form."""

    def to_predictor(self) -> Model:
        """Convert to a frozen model."""


def to_predictor(fitted: Estimator) -> Model:
    """Convert a fitted classifier, or a pipeline that ends with one, to a frozen model.

    Classifiers of other packages predict the most probable class. A regressor is a TypeError.

    Examples
    --------
    >>> from moselect.models import ProportionalOdds
    >>> X, y = [[0.0], [1.0], [0.5], [1.5]], [1, 1, 2, 2]
    >>> to_predictor(ProportionalOdds().fit(X, y)).classes_
    array([1, 2])
    """
    *before, last = steps_of(fitted)
    if isinstance(last, Deployable):
        return after_steps(before, last.to_predictor())
    if not hasattr(last, "classes_"):
        raise TypeError("a regressor gives no class probabilities")
    return after_steps(before, Model(ClassifierScorer(last), last.classes_, LeastCost()))


def after_steps(before: Sequence[Any], model: Model) -> Model:
    """Return a model that applies fitted steps before its own columns."""
    steps = [*before, *steps_of(model.columns)]
    return model.replace(columns=make_pipeline(*steps)) if before else model
