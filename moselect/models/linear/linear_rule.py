"""Linear rule for a decision loss: columns, penalty, direction and thresholds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from moselect._parallel import one_blas_thread
from moselect._types import Floats, Integers
from moselect.budgets import LINEAR
from moselect.costs.priced import Priced
from moselect.models import fit_proportional_odds
from moselect.models.calibration import calibrate_score, smooth_thresholds
from moselect.models.linear.linear_direction import Part, tune_direction
from moselect.models.training_columns import fit_training_columns, refit_without_folds
from moselect.predictor import Model, OrdinalLinearClassifier, class_probabilities
from moselect.preprocessing.steps import Steps
from moselect.samples.folds import Folds
from moselect.samples.parts import rows_to_fit
from moselect.samples.samples import Samples
from moselect.samples.training import merge_equal, merge_within, moments

# Weight of the decision loss relative to the likelihood (experiments/ablation).
EMPHASIS = 3.0


def fit_linear_rule(
    samples: Samples, transformer: Pipeline | None, criteria: Priced
) -> Model:
    """Fit a linear rule to a decision loss.

    Its class probabilities are calibrated on out-of-fold scores.

    Columns that depend on their training samples are refitted in each fold of the
    internal cross-validation.

    Parameters
    ----------
    samples : Samples
        Training samples, with every class.
    transformer : Pipeline, optional
        Unfitted transformer from the table to the columns of the rule; None if the
        features are used directly.
    criteria : Priced
        The decision loss.
    """
    folds = None
    refitted = None
    if not (transformer is None and samples.groups is None and criteria.rows is None):
        folds = Folds.of_samples(replace(samples, times=None))
    if transformer is not None:
        transformer = clone(transformer)
    training = fit_training_columns(samples, transformer, folds)
    if folds is not None and not Steps.of(transformer).cross_fitted:
        refitted = refit_without_folds(samples, transformer, folds)
    if (
        samples.groups is None
        and criteria.rows is None
        and Steps.of(transformer).only_selects
    ):
        folds = None  # redrawn below, independent of the order of the samples
    # The inner folds share one fitter and not `cross_validate`: its penalty, starting points and
    # tuned directions are averages over all folds, which single fits could not give.
    fitter = LinearRuleFitter(training, folds, refitted)
    rule = fitter.fit(criteria.of(samples))
    centre, spread = moments(training.X @ rule.weights, samples.sample_weight_or_ones)
    scores = (centre + spread * rule.cross_scores)[:, None]
    merged, codes, weights, _ = merge_equal(scores, samples.codes, samples.weights)
    return OrdinalLinearClassifier(
        rule.weights,
        rule.thresholds,
        samples.classes,
        training.feature_names or samples.feature_names,
        transformer,
        calibrate_score(
            merged[:, 0],
            codes,
            samples.n_classes,
            weights,
            rising=bool(samples.directions),
        ),
    )


class LinearRule(NamedTuple):
    """Direction, thresholds and out-of-fold scores of a linear rule."""

    weights: Floats  # (p,) in the units of the features
    thresholds: Floats  # (r - 1,)
    cross_scores: Floats  # (n,) standardised by the scores of each inner fold


# Ridge penalties, from the one whose fit is fastest. Nearly separable classes need the weakest;
# a finer grid gains nothing (experiments/ablation).
PENALTIES = (100.0, 10.0, 1.0, 0.1)
# Lower bound of probabilities, for classes that are absent from a training fold.
CLIP_PROBA = 1e-6


class LinearRuleFitter:
    """Fitter of linear rules to one set of samples, for one or several decision losses.

    Steps that do not depend on the decision loss are done once: duplicates are merged
    into weighted samples and sorted, features are standardised, the ridge penalty is
    chosen by cross-validated likelihood, and proportional odds are fitted to all samples
    and in each fold.

    Parameters
    ----------
    samples : Samples
        Finite features (n, p), in any units; each class has samples.
    folds : Folds, optional
        A partition of them; by default five, of merged samples.
    refitted : sequence of Samples, optional
        All samples in columns (n, p_j) that are refitted in each of the given folds, if
        the columns of ``samples`` were prepared on all samples.

    Attributes
    ----------
    penalty : float
        Ridge penalty on the standardised coefficients.
    codes, weights : ndarray of shape (n,)
        Class codes and weights of the merged samples.
    folds : Folds
        Folds of the merged samples.
    index : ndarray of int
        Index among the n merged samples of each input sample with a weight above 0.
    Z : ndarray of shape (n, p)
        Standardised columns of the merged samples.
    parts : list of Part
        All samples, and the training samples of each fold; subsampled evenly if very
        many.
    """

    @one_blas_thread()
    def __init__(
        self,
        samples: Samples,
        folds: Folds | None = None,
        refitted: Sequence[Samples] | None = None,
    ) -> None:
        self.n_classes = samples.n_classes
        if folds is None:
            values, self.codes, self.weights, groups, self.index = merge_within(samples)
            folds = Folds.deal(groups, self.codes, LINEAR.direction_folds, self.weights)
        else:  # rows that are equal in the columns of one fold may differ in another
            values = samples.X
            self.codes = samples.codes
            self.weights = samples.sample_weight_or_ones
            self.index = np.arange(len(samples))
        self.folds = folds
        matrices = [values, *(part.X for part in refitted or ())]
        self._width = max(matrix.shape[1] for matrix in matrices)
        self._are_wide = not refitted and samples.signs is None
        self._are_wide &= self._width > len(self.codes)
        everything = np.arange(len(self.codes))
        rows, weights = self._enough(everything, LINEAR.direction_rows)
        on_all = self._part(values, samples.signs, rows, weights)
        in_folds = []
        for j, (training, _) in enumerate(folds):
            rows, weights = self._enough(training, LINEAR.direction_fold_rows)
            part = on_all._replace(rows=rows, sample_weights=weights)
            if refitted:
                part = self._part(refitted[j].X, refitted[j].signs, rows, weights)
            in_folds.append(part)
        self.Z = on_all.Z
        self.parts = [on_all, *in_folds]
        self._n_columns = samples.X.shape[1]
        self.penalty = self._best_penalty()
        of_all_rows = on_all._replace(rows=everything, sample_weights=self.weights)
        start = self._proportional_odds(of_all_rows, self.penalty)
        self._starts = [start] + [
            self._proportional_odds(part, self.penalty, start) for part in in_folds
        ]

    @one_blas_thread()
    def fit(self, criteria: Priced) -> LinearRule:
        """Fit a rule to a decision loss.

        The direction is the mean of proportional odds, which has less variance, and of a
        direction tuned to the decision loss. The thresholds are those of least expected loss
        under class probabilities that are calibrated on the out-of-fold scores. Costs of
        each row need given folds, in which no samples are merged.
        """
        plain = [
            part.unit(start[0])
            for part, start in zip(self.parts, self._starts, strict=True)
        ]
        # The costs that optimise a metric depend on the scores: first on proportional odds.
        plain_scores = self.cross_scores(plain)
        criteria = criteria.solved_for_scores(self.codes, plain_scores, self.weights)
        directions = []
        for part, start, direction in zip(self.parts, self._starts, plain, strict=True):
            tuned = tune_direction(
                part, self.codes, criteria, self.penalty, EMPHASIS, start
            )
            directions.append(part.unit(direction + part.unit(tuned)))
        cross_scores = self.cross_scores(directions)
        centre = np.average(self.Z @ directions[0], weights=self.weights)
        solved = criteria.solved_for_scores(self.codes, cross_scores, self.weights)
        thresholds = smooth_thresholds(
            centre + cross_scores, self.codes, solved.cells, self.weights
        )
        weights = self.parts[0].weights(directions[0])
        return LinearRule(
            weights[: self._n_columns],
            thresholds + weights @ self.parts[0].offset,
            cross_scores[self.index],
        )

    def _proportional_odds(
        self, part: Part, penalty: float, start: tuple[Floats, Floats] | None = None
    ) -> tuple[Floats, Floats]:
        fit = fit_proportional_odds(
            part.train,
            self.codes[part.rows],
            self.n_classes,
            penalty,
            part.sample_weights,
            start=start,
            signs=part.signs,
        )
        return fit.weights, fit.intercepts

    def _best_penalty(self) -> float:
        """Choose the ridge penalty of greatest out-of-fold likelihood."""
        likelihood = np.zeros(len(PENALTIES))
        for part, (_, test) in zip(self.parts[1:], self.folds, strict=True):
            cells = np.arange(len(test)), self.codes[test]
            start = None
            for k, penalty in enumerate(PENALTIES):
                start = self._proportional_odds(part, penalty, start)
                proba = class_probabilities(part.Z[test] @ start[0], start[1])[cells]
                likelihood[k] += self.weights[test] @ np.log(
                    np.maximum(proba, CLIP_PROBA)
                )
        return PENALTIES[int(likelihood.argmax())]

    def cross_scores(self, directions: Sequence[Floats]) -> Floats:
        """Compute out-of-fold scores (n,) under the direction of each fold.

        ``directions`` has one (p,) per part; the first part, of all samples, is not used.
        Scores are centred on the training mean of the fold.
        """
        scores = np.empty(len(self.Z))
        for direction, part, (_, test) in zip(
            directions[1:], self.parts[1:], self.folds, strict=True
        ):
            centre = np.average(part.train, axis=0, weights=part.sample_weights)
            scores[test] = (part.Z[test] - centre) @ direction
        return scores

    def _enough(self, rows: Integers, most: int) -> tuple[Integers, Floats]:
        """Subsample rows to a greatest number; return them with their weights."""
        some, weights = rows_to_fit(self.codes[rows], self.weights[rows], most)
        return rows[some], self.weights[rows] if weights is None else weights

    def _part(
        self, matrix: Floats, signs: Integers | None, rows: Integers, weights: Floats
    ) -> Part:
        # padded with columns of zeros, whose coefficients are 0
        padding = 0, self._width - matrix.shape[1]
        matrix = np.pad(matrix, ((0, 0), padding))
        if signs is not None:
            signs = np.pad(signs, padding)
        offset, scale = moments(matrix, self.weights)
        varying = (np.ptp(matrix, axis=0) > 0.0) & (scale > 0.0)
        inverse_scale = np.divide(1.0, scale, out=np.zeros_like(scale), where=varying)
        Z = (matrix - offset) * inverse_scale
        if self._are_wide:
            # A ridge solution lies in the row space of the samples.
            U, lengths, Vt = np.linalg.svd(Z, full_matrices=False)
            return Part(U * lengths, rows, weights, offset, inverse_scale, None, Vt.T)
        return Part(Z, rows, weights, offset, inverse_scale, signs)
