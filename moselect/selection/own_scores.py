"""`thresholds`: thresholds of the scores of any model, cross-validated for given costs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from moselect._types import CrossValidation, Floats, LabelOrder, Labels, record
from moselect.candidates.candidates import CandidateFits, FitSettings
from moselect.candidates.registry import Candidate
from moselect.costs.costs import AnyCosts, ClassValues, CostFunction, Loss, given_costs
from moselect.costs.limits import CONFIDENCE
from moselect.costs.priced import Priced
from moselect.models.calibration import calibrate_score, thresholds_of_calibration
from moselect.models.learner import RuleLearner
from moselect.models.training_columns import samples_of
from moselect.predictor import OrdinalLinearClassifier
from moselect.predictor.decisions import Thresholds
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.samples.weights import WeightType
from moselect.selection.evidence import Evidence
from moselect.selection.selector import Selector
from moselect.validation import as_numbers, check_aligned, check_all_finite

SCORE = "score"
THRESHOLDS = "thresholds"


class _Thresholds(RuleLearner):
    """Learner of thresholds and calibrated probabilities along the only column."""

    def fit(self, samples: Samples, criteria: object = None) -> OrdinalLinearClassifier:
        assert isinstance(criteria, Priced)
        scores = np.asarray(samples.X, float)[:, 0]
        codes = samples.codes
        weights = samples.sample_weight_or_ones
        solved = criteria.of(samples).solved_for_scores(codes, scores, weights)
        return OrdinalLinearClassifier(
            [1.0],
            thresholds_of_calibration(scores, codes, solved.cells, weights),
            np.arange(samples.n_classes),
            (str(samples.X.columns[0]),),
            None,
            calibrate_score(scores, codes, samples.n_classes, weights, rising=True),
        )


@record
class ScoreThresholds:
    """Thresholds of given scores, and their cross-validated figures.

    Attributes
    ----------
    thresholds : ndarray of shape (r - 1,)
        Ascending, on the scale of the scores; a class is predicted above its threshold.
    cost, std_error : float
        Mean cost of new scores, out of fold, and its standard error; of a metric its value.
    interval : tuple of float
        95 % interval of this cost.
    confusion : DataFrame of shape (r, r)
        Out-of-fold confusion matrix: true classes (rows) by predicted ones.
    fold_thresholds : ndarray of shape (n_folds, r - 1)
        Thresholds of the training rows of each fold.
    evidence : Evidence
        All figures, such as ``evidence.trade_off("severe")`` and ``evidence.limits``.
    classes : ndarray of shape (r,)
        Class labels, lowest first.

    Examples
    --------
    >>> score = np.arange(100.0)
    >>> found = thresholds(score >= 60, score, class_costs=[1, 1])
    >>> found.cost < 0.1, found.confusion.to_numpy().sum()
    (True, np.int64(100))
    """

    thresholds: Floats
    cost: float
    std_error: float
    interval: tuple[float, float]
    confusion: pd.DataFrame
    fold_thresholds: Floats
    evidence: Evidence
    classes: Labels
    _model: OrdinalLinearClassifier

    def predict(self, score: ArrayLike) -> Labels:
        """Predict the class labels (n,) of scores (n,)."""
        return self._model.predict(score_column(score).to_numpy())

    def to_predictor(self) -> OrdinalLinearClassifier:
        """Return the frozen model of a table with the column of scores, to be written.

        The column has the name of the Series of scores, or ``"score"``.
        """
        return self._model


def thresholds(
    y: ArrayLike,
    score: ArrayLike,
    class_costs: ClassValues | None = None,
    loss: Loss = "absolute",
    *,
    costs: AnyCosts | None = None,
    cost_matrix: ArrayLike | CostFunction | None = None,
    priors: ClassValues | None = None,
    metric: str | None = None,
    limits: Mapping[str, float] | None = None,
    confidence: float = CONFIDENCE,
    labels: LabelOrder = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    times: ArrayLike | None = None,
    weight_type: WeightType | None = None,
    cv: CrossValidation = 5,
) -> ScoreThresholds:
    """Find the thresholds of given scores that are best for costs, a metric and limits.

    The scores are out-of-fold or hold-out scores of any model, such as
    `sklearn.model_selection.cross_val_predict` returns: scores of training rows are too good.
    The thresholds minimise the expected cost under class probabilities along the score, and
    are cross-validated.

    Parameters
    ----------
    y : array-like of shape (n,)
        Ordinal labels.
    score : array-like of shape (n,)
        Finite numbers, higher for higher classes, such as a probability or a rating. The
        written model reads them from a column with the name of the Series.
    class_costs, loss, costs, cost_matrix, priors, metric, limits, confidence
        As in `moselect.ParetoSearch.select`.
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical.
    sample_weight, groups, times, weight_type
        As in `moselect.ParetoSearch.fit`; by default each row is a group of its own.
    cv : int or splitter, default=5
        Number of folds, stratified by class; or a splitter of scikit-learn.

    Returns
    -------
    ScoreThresholds

    Raises
    ------
    ValueError
        If scores are not finite, not as many as labels or not higher for higher classes,
        costs do not fit the classes, or there are no costs and no metric.

    Warns
    -----
    UserWarning
        If a limit is not met, with the rate and its error.

    Examples
    --------
    >>> import numpy as np
    >>> score = np.arange(100.0)
    >>> y = np.where(score < 60, "mild", "severe")
    >>> found = thresholds(y, score, class_costs=[1, 5], labels=["mild", "severe"])
    >>> bool(50 < found.thresholds[0] < 61), found.predict([20.0, 90.0]).tolist()
    (True, ['mild', 'severe'])
    """
    stated = given_costs(
        costs=costs,
        class_costs=class_costs,
        loss=loss,
        cost_matrix=cost_matrix,
        priors=priors,
        metric=metric,
    )
    if stated is None:
        raise ValueError(
            "there are no costs: give costs=[1, 1, 5], a cost_matrix or a metric"
        )
    check_aligned(
        score=score, y=y, sample_weight=sample_weight, groups=groups, times=times
    )
    table = score_column(score)
    if groups is None:
        groups = np.arange(len(table))  # equal scores are no copies of rows
    samples, scale = samples_of(
        table,
        y,
        labels=labels,
        sample_weight=sample_weight,
        groups=groups,
        times=times,
        weight_type=weight_type,
    )
    in_order = scale.stated(stated)
    selector = Selector(
        CandidateFits(samples, FitSettings(), Folds.of_samples(samples, cv))
    )
    selector.fits.add(
        Candidate(
            THRESHOLDS,
            rank=2.0,
            is_sum=True,
            has_thresholds=True,
            make=lambda fits: _Thresholds(),
        )
    )
    selector.own_candidates = [THRESHOLDS]
    model: Any = selector.select(in_order, THRESHOLDS, limits, confidence=confidence)
    if not isinstance(model.decision, Thresholds):
        raise ValueError(
            "thresholds are the same for all rows: give costs without columns, and limits "
            "without groups"
        )
    if not model.calibration.slope > 0.0:
        raise ValueError(
            "score is not higher for higher classes: give its negative if it is lower for them"
        )
    for remark in model.evidence.remarks:
        warnings.warn(remark, stacklevel=2)
    evidence = model.evidence
    cost, low, high = evidence.expected_interval
    fold_models = selector.fits.fold_models(THRESHOLDS, evidence.criteria)
    rule = evidence.chosen.rule
    in_folds = [rule.of_model(fold, samples).thresholds for fold in fold_models]
    return ScoreThresholds(
        thresholds=model.thresholds_,
        cost=cost,
        std_error=evidence.expected_se,
        interval=(low, high),
        confusion=evidence.confusion,
        fold_thresholds=np.array(in_folds),
        evidence=evidence,
        classes=model.classes_,
        _model=model,
    )


def score_column(score: ArrayLike) -> pd.DataFrame:
    """Return scores (n,) as a table of one column; ValueError unless they are finite."""
    scores = as_numbers(SCORE, score)
    if scores.ndim != 1:
        raise ValueError(f"score has shape {scores.shape}: give one number a row, (n,)")
    check_all_finite(SCORE, scores)
    name = getattr(score, "name", None)
    return pd.DataFrame({name if isinstance(name, str) else SCORE: scores})
