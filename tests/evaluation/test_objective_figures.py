"""Standard errors of objectives against known laws, and against `ranking_inference`."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from moselect.evaluation.objective_figures import objective_figures
from moselect.inference import ranking_inference
from moselect.inference.cross_validated_ranking import cross_validated_utility
from moselect.metrics import objective_named, ranking_scores
from moselect.metrics.objectives import DEFAULT, RANKING_OBJECTIVES
from moselect.models import Predictions
from tests.without_features import samples_of

OBJECTIVES = [objective_named(name) for name in ("accuracy", *RANKING_OBJECTIVES)]
N_FOLDS = 5  # or as many as the smallest class has samples


def scored(sizes, distance, rng, n_groups=0):
    """Draw samples with scores N(k distance, 1), in groups with random effects."""
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    scores = distance * codes + rng.normal(size=len(codes))
    groups = None
    n_folds = min(N_FOLDS, *sizes)
    if n_groups:
        groups = np.arange(len(codes)) % n_groups
        scores += 0.7 * rng.normal(size=n_groups)[groups]
        folds = rng.permutation(np.arange(n_groups) % n_folds)[groups]
    else:  # stratified: by the places in the order of the classes
        folds = np.argsort(np.argsort(codes, kind="stable")) % n_folds
    samples = samples_of(codes, groups=groups)
    predicted = np.digitize(scores, distance * (np.arange(1, len(sizes)) - 0.5))
    return samples, Predictions(predicted, scores, None), folds


def known_ranking(sizes, distance, n_groups):
    """Estimate the expected ranking measures from very many samples."""
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(len(sizes)), 2000 * np.array(sizes))
    spread = np.hypot(1.0, 0.7) if n_groups else 1.0
    return ranking_scores(codes, distance * codes + spread * rng.normal(size=len(codes)))


@pytest.mark.checks("Standard errors and intervals", "repeated draws of a known law")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "distance", "n_groups"),
    [
        ([4, 5, 6], 1.0, 0),
        ([5, 5, 5, 5], 1.5, 0),
        ([20, 20, 20], 1.0, 6),
        ([60, 60, 60], 1.0, 25),
    ],
)
def test_standard_errors_of_ranking_measures_match_repeated_draws(
    sizes, distance, n_groups, rng
):
    known = known_ranking(sizes, distance, n_groups)
    drawn = [
        objective_figures(OBJECTIVES, *scored(sizes, distance, rng, n_groups))
        for _ in range(200)
    ]
    values, errors = (np.array(part)[:, 1:] for part in zip(*drawn, strict=True))
    is_known = ~np.isnan(values).any(axis=1)  # at least one fold contains every class
    # With correct standard errors, z has a standard deviation of 1.
    z = (values[is_known] - known) / errors[is_known]
    # The standard error of a standard deviation of 200 draws is 5 %; few groups are skewed.
    assert (z.std(axis=0) < (1.4 if n_groups == 6 else 1.25)).all()
    ratio = errors[is_known].mean(axis=0) / values[is_known].std(axis=0)
    # With few groups or small classes, errors are widened by the quantiles of Student's t.
    assert (ratio > 0.85).all()
    assert (ratio < (1.7 if n_groups else 1.35)).all()


def test_errors_of_ranking_measures_allow_for_classes_of_few_samples(rng):
    sizes = [2, 4, 9, 18, 30, 40, 50, 55, 60, 60, 60, 60, 55, 50, 40, 30, 18, 9, 4, 2]
    known = known_ranking(sizes, 0.2, 0)
    z = []
    for _ in range(100):
        values, errors = objective_figures(OBJECTIVES, *scored(sizes, 0.2, rng))
        z.append((values[1:] - known) / errors[1:])
    # U_cons, U_ovo and U_pairs; chains of twenty classes are hardly ever right
    assert (np.std(z, axis=0)[1:] < 1.25).all()


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("index", range(4))
def test_standard_errors_without_folds_equal_ranking_inference(index, grouped, rng):
    samples, (_, scores, _), _ = scored([20, 20, 20], 1.0, rng, 12)
    weights = rng.exponential(size=60)
    clusters = samples.groups if grouped else np.arange(60)
    weighted = replace(samples, weights=weights, groups=clusters)
    utility, influence = cross_validated_utility(np.eye(4)[index], weighted, scores)
    sum_by_cluster = np.bincount(clusters, weights * influence) / weights.sum()
    found = ranking_inference(
        samples.codes,
        scores,
        RANKING_OBJECTIVES[index],
        "delong",
        sample_weight=weights,
        groups=clusters,
    )
    assert utility == pytest.approx(found.estimates[0])
    assert sum_by_cluster @ sum_by_cluster == pytest.approx(found.covariance[0, 0])


def test_objectives_are_computed_within_folds():
    samples, (predicted, scores, _), _ = scored(
        [40, 50, 30], 1.5, np.random.default_rng(0)
    )
    codes = samples.codes
    folds = np.arange(len(codes)) % 2
    is_correct = codes == predicted
    errors = [is_correct.mean(), 1.0 - np.abs(codes - predicted).mean()]
    values, _ = objective_figures(DEFAULT, samples, Predictions(predicted, scores, None))
    assert_allclose(values, [*errors, *ranking_scores(codes, scores)])
    shifted = scores + 1e3 * folds  # scores of different folds are not comparable
    # Ranking measures are averaged over folds.
    halves = [ranking_scores(codes[folds == j], scores[folds == j]) for j in (0, 1)]
    values, deviations = objective_figures(
        DEFAULT, samples, Predictions(predicted, shifted, None), folds
    )
    assert_allclose(values, [*errors, *np.mean(halves, axis=0)])
    n = len(codes)
    # Accuracy: binomial variance, excess variance between folds, and one more mistake.
    binomial = is_correct.var(ddof=1) / n
    halves = [is_correct[folds == j].mean() for j in (0, 1)]
    excess = 1.5 * max(0.0, np.var(halves, ddof=1) - 2.0 * binomial)
    assert deviations[0] == pytest.approx(np.sqrt(binomial + excess + n**-2.0))


def test_perfect_predictions_have_a_standard_error_of_one_mistake():
    codes = np.repeat(np.arange(3), [5, 10, 25])
    samples = samples_of(codes)
    values, errors = objective_figures(
        OBJECTIVES, samples, Predictions(codes, codes.astype(float), None)
    )
    assert values == pytest.approx(1.0)
    assert errors[0] == pytest.approx(1.0 / 40)
    # Half a sample of the smallest class is misranked in all of its VUS chains.
    assert errors[1] == pytest.approx(np.sqrt(0.5) / 5)
    assert (errors > 0.0).all()
