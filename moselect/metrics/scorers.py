"""Measures by name, as scikit-learn's model selection wants them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.labels import class_labels, is_ordered_categorical
from moselect.metrics import agreement, association, pairwise, ranking
from moselect.metrics.ballante import ballante_index
from moselect.metrics.error import accuracy_score, mean_absolute_error
from moselect.metrics.expected_cost import expected_cost
from moselect.metrics.probability import ranked_probability_error
from moselect.metrics.responses import class_probabilities, ordinal_scores
from moselect.metrics.trivial import ERRORS
from moselect.metrics.validation import check_choice

Metric = Callable[..., float]


@dataclass(frozen=True)
class OrdinalScorer:
    """A measure that calls an estimator for what it measures; higher is better.

    Use `get_scorer` to make one. ``scorer(estimator, X, y, sample_weight=None)`` gives a float.
    """

    name: str
    metric: Metric
    response: Literal["score", "predict", "proba"]
    scale: float = 1.0
    offset: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(
        self, estimator: Any, X: Any, y_true: Any, sample_weight: ArrayLike | None = None
    ) -> float:
        """Measure an estimator on labelled objects."""
        options = dict(self.options) | {"sample_weight": sample_weight}
        classes = _class_order(estimator, y_true, options.get("labels"))
        if self.response == "score":
            response: Any = ordinal_scores(estimator, X, classes)
        elif self.response == "proba":
            response = class_probabilities(estimator, X, classes)
            options["labels"] = classes.tolist()
        else:
            response = estimator.predict(X)
            if options.get("labels") is None:  # distances over all, averages over those seen
                y_true = pd.Categorical(np.asarray(y_true), categories=classes, ordered=True)
        return self.offset + self.scale * float(self.metric(y_true, response, **options))


def get_scorer(name: str, **options: Any) -> OrdinalScorer:
    """Give a measure as a scorer for `cross_val_score`, `GridSearchCV` and the like.

    Measures of a ranking take the estimator's one-dimensional ``decision_function``; failing
    that, the expected class under ``predict_proba``; failing that, what it predicts. Errors are
    negated and called ``neg_...``, so that higher is always better.

    Parameters
    ----------
    name : str
        One of `get_scorer_names`.
    **options
        Passed to the measure, for example ``labels=["low", "mid", "high"]``, which strings need
        (an ordered Categorical as ``y`` does as well), or ``ties="average"``.
        ``"neg_expected_cost"`` needs ``cost_matrix`` and takes ``priors``.

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
    for option in options:
        if option not in inspect.signature(scorer.metric).parameters or option == "sample_weight":
            raise TypeError(f"{name} has no option {option!r}")
    for option, parameter in list(inspect.signature(scorer.metric).parameters.items())[2:]:
        if parameter.default is parameter.empty and option not in options:
            raise TypeError(f"{name} needs the option {option!r}")
    return replace(scorer, options=options)


def get_scorer_names() -> list[str]:
    """List the names that `get_scorer` knows, in alphabetical order.

    Examples
    --------
    >>> get_scorer_names()[:3]
    ['accuracy', 'bubble_sort_coefficient', 'goodman_kruskal_gamma']
    """
    return sorted(SCORERS)


def _class_order(estimator: Any, y_true: Any, labels: Any) -> NDArray[Any]:
    """Give all classes that are known: from ``labels``, a Categorical, or estimator and labels."""
    classes = class_labels(y_true, labels, keep_unused=True)
    known = labels is not None or is_ordered_categorical(y_true)
    if known or not hasattr(estimator, "classes_"):
        return classes
    return np.union1d(classes, estimator.classes_)


def _make_scorers() -> dict[str, OrdinalScorer]:
    scores = [
        ranking.vus_score,
        ranking.u_ovo_score,
        ranking.u_cons_score,
        ranking.u_pairs_score,
        pairwise.bubble_sort_coefficient,
        association.regression_roc_auc_score,
        association.somers_d_score,
        association.goodman_kruskal_gamma_score,
        association.kendall_tau_b_score,
        association.spearman_score,
    ]
    agreements = [
        accuracy_score,
        agreement.off_by_one_accuracy_score,
        agreement.minimum_sensitivity_score,
        agreement.weighted_kappa_score,
    ]
    probabilities = [ranked_probability_error, ballante_index]
    scorers = [
        *(OrdinalScorer(m.__name__.removesuffix("_score"), m, "score") for m in scores),
        *(OrdinalScorer(m.__name__.removesuffix("_score"), m, "predict") for m in agreements),
        *(OrdinalScorer(f"neg_{m.__name__}", m, "predict", -1.0) for m in ERRORS.values()),
        *(OrdinalScorer(f"neg_{m.__name__}", m, "proba", -1.0) for m in probabilities),
        OrdinalScorer("neg_expected_cost", expected_cost, "predict", -1.0),
        OrdinalScorer("one_minus_mae", mean_absolute_error, "predict", -1.0, 1.0),
    ]
    return {scorer.name: scorer for scorer in scorers}


SCORERS = _make_scorers()
