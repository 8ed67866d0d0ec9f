"""Measures as scorers for model selection in scikit-learn."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.metadata_routing import MetadataRequest

from moselect._types import Classifier, Estimator, Floats, Labels
from moselect.labels.labels import (
    class_labels,
    distinct_labels,
    encode_labels,
    ordered_categories,
)
from moselect.metrics import confusion, ranking
from moselect.metrics.errors import ERRORS, expected_cost, mean_absolute_error
from moselect.metrics.probability import expected_class, ranked_probability_error
from moselect.validation import check_choice

Metric = Callable[..., float | Floats]


@dataclass(frozen=True)
class OrdinalScorer:
    """Scorer of scikit-learn for one measure; higher is better, except for errors.

    ``scorer(estimator, X, y, sample_weight=None)`` returns a float.
    """

    name: str
    metric: Metric
    response: Literal["score", "predict", "proba"]
    scale: float = 1.0
    offset: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    request: bool | str | None = None  # of sample weights, for metadata routing

    @property
    def sign(self) -> float:
        """Sign of the optimisation: 1.0, or -1.0 for an error that is not negated."""
        if self.name.endswith("_error") and self.scale > 0.0:
            return -1.0
        return 1.0

    def __call__(
        self,
        estimator: Classifier,
        X: object,
        y_true: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Evaluate an estimator on labelled samples."""
        # Classes of the estimator alone would lack those that occur in y only.
        labels = self.options.get("labels")
        is_known = labels is not None or ordered_categories(y_true) is not None
        if is_known or not hasattr(estimator, "classes_"):
            classes = class_labels(y_true, labels, keep_unused=True)
        else:
            classes = class_labels(distinct_labels(y_true, estimator.classes_))
        if self.response == "score":
            predictions = ordinal_scores(estimator, X, classes)
        elif self.response == "proba":
            predictions = predicted_probabilities(estimator, X, classes)
        else:
            predictions = estimator.predict(X)
        return self.measure(y_true, predictions, classes, sample_weight)

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """Return the scorer with a request of sample weights, for metadata routing."""
        return replace(self, request=sample_weight)

    def get_metadata_routing(self) -> MetadataRequest:
        """Return the metadata that scikit-learn routes to the scorer: requested sample weights."""
        routing = MetadataRequest(owner=self)
        routing.score.add_request(param="sample_weight", alias=self.request)
        return routing

    def measure(
        self,
        y_true: ArrayLike,
        predictions: object,
        classes: Labels,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Evaluate the ``response`` of a model with ``classes`` (r,)."""
        options = {**self.options, "sample_weight": sample_weight}
        if self.response == "proba":
            options["labels"] = classes.tolist()
        elif self.response == "predict" and options.get("labels") is None:
            # distances on the scale of all classes, averages over classes with samples
            y_true = pd.Categorical(np.asarray(y_true), categories=classes, ordered=True)
        return self.offset + self.scale * float(
            self.metric(y_true, predictions, **options)
        )


def get_scorer(name: str, **options: object) -> OrdinalScorer:
    """Return a measure as a scorer for `cross_val_score`, `GridSearchCV` and the like.

    Ranking measures take the estimator's one-dimensional ``decision_function``; failing
    that, the expected class under ``predict_proba``; failing that, its predictions. Errors
    are negated and called ``neg_...``, so that higher is always better.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`.
    **options
        Passed to the measure, for example ``labels=["low", "mid", "high"]``, required
        for strings (unless ``y`` is an ordered Categorical), or
        ``ties="average"``. ``"neg_expected_cost"`` needs ``cost_matrix`` and takes
        ``priors``.

    Returns
    -------
    OrdinalScorer
        Callable as ``scorer(estimator, X, y, sample_weight=None)``.

    Raises
    ------
    ValueError
        If the name is unknown.
    TypeError
        If the measure has no such option, or lacks one that it needs.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = [[0.1], [0.3], [0.2], [0.8], [0.9], [0.7]], [1, 2, 1, 3, 3, 2]
    >>> cross_val_score(LogisticRegression(), X, y, cv=2, scoring=get_scorer("vus"))
    array([1., 1.])
    """
    check_choice("the name of a scorer", name, get_scorer_names())
    scorer = SCORERS[name]
    try:
        # The first two parameters are y_true and y_score, y_pred or y_proba.
        inspect.signature(scorer.metric).bind(None, None, **options)
    except TypeError as error:
        raise TypeError(f"the options of {name} are wrong: {error}") from None
    return replace(scorer, options=options)


def get_scorer_names() -> list[str]:
    """List the names of the scorers of `get_scorer`, in alphabetical order.

    Examples
    --------
    >>> get_scorer_names()[:3]
    ['accuracy', 'minimum_sensitivity', 'neg_expected_cost']
    """
    return sorted(SCORERS)


def find_measures(names: Sequence[str]) -> tuple[OrdinalScorer, ...]:
    """Return measures by name; ValueError for none, unknown or repeated names."""
    names = [names] if isinstance(names, str) else list(names)
    if not names:
        raise ValueError("measures is empty: name at least one")
    for name in names:
        check_choice("a measure", name, sorted(MEASURES))
    if len(set(names)) < len(names):
        raise ValueError(f"measures names one twice: {', '.join(names)}")
    return tuple(MEASURES[name] for name in names)


SCORES: tuple[Metric, ...] = (
    ranking.vus_score,
    ranking.u_cons_score,
    ranking.u_ovo_score,
    ranking.u_pairs_score,
)
AGREEMENTS: tuple[Metric, ...] = (
    confusion.accuracy_score,
    confusion.minimum_sensitivity_score,
    confusion.off_by_one_accuracy_score,
    confusion.weighted_kappa_score,
)
ALL_MEASURES = (
    *(OrdinalScorer(m.__name__.removesuffix("_score"), m, "score") for m in SCORES),
    *(OrdinalScorer(m.__name__.removesuffix("_score"), m, "predict") for m in AGREEMENTS),
    *(OrdinalScorer(name, m, "predict") for name, m in ERRORS.items()),
    OrdinalScorer("ranked_probability_error", ranked_probability_error, "proba"),
    OrdinalScorer("one_minus_mae", mean_absolute_error, "predict", -1.0, 1.0),
)
# Errors, not negated. The expected cost is missing: it needs costs.
MEASURES = {measure.name: measure for measure in ALL_MEASURES}
# scikit-learn maximises, so its errors are negated.
ALL_SCORERS = (
    *(
        each if each.sign > 0.0 else replace(each, name=f"neg_{each.name}", scale=-1.0)
        for each in ALL_MEASURES
    ),
    OrdinalScorer("neg_expected_cost", expected_cost, "predict", -1.0),
)
SCORERS = {scorer.name: scorer for scorer in ALL_SCORERS}


def predicted_probabilities(estimator: Classifier, X: object, classes: Labels) -> Floats:
    """Return predicted probabilities (n, r) with a column for each of ``classes``, in their order.

    Classes that the estimator does not know have probability 0.
    """
    known = np.asarray(estimator.predict_proba(X), float)
    proba = np.zeros((len(known), len(classes)))
    proba[:, encode_labels(estimator.classes_, classes)] = known
    return proba


def ordinal_scores(estimator: Classifier, X: object, classes: Labels) -> Floats:
    """Score samples (n,) by a fitted estimator; higher means a higher class of ``classes`` (r,).

    The score is a one-dimensional decision function; failing that, the expected class
    under the probabilities; failing that, the prediction.
    """
    if hasattr(estimator, "decision_function"):
        scores = np.asarray(estimator.decision_function(X))
        # A matrix of one column a class is no score.
        if scores.ndim == 1:
            if _is_reversed(estimator, classes):
                return -scores
            return scores
    if hasattr(estimator, "predict_proba"):
        return expected_class(predicted_probabilities(estimator, X, classes))
    predicted = np.asarray(estimator.predict(X))
    # Numbers are scores already; labels of text count by their rank.
    if predicted.dtype.kind in "fiub":
        return predicted
    return encode_labels(predicted, classes).astype(float)


def _is_reversed(estimator: Estimator, classes: Labels) -> bool:
    """Return whether a high decision function favours the lower of two classes."""
    known = getattr(estimator, "classes_", None)
    if known is None or len(known) != 2:
        return False
    low, high = encode_labels(known, classes)
    return bool(high < low)
