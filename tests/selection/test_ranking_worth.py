"""Standard errors of objectives against known laws, and against `ranking_inference`."""

import numpy as np
import pytest

from moselect.learning import Predictions
from moselect.metrics import ranking_inference, ranking_scores
from moselect.metrics.objectives import RANKING_OBJECTIVES, objective_named
from moselect.samples.samples import Samples
from moselect.selection.objective_figures import objective_figures
from moselect.selection.ranking_utility import cross_validated_utility

OBJECTIVES = [objective_named(name) for name in ("accuracy", *RANKING_OBJECTIVES)]
N_FOLDS = 5


def scored(sizes, distance, rng, n_groups=0):
    """Draw samples with scores N(k distance, 1), of groups with an effect of their own."""
    codes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    scores = distance * codes + rng.normal(size=len(codes))
    groups, folds = None, np.empty(len(codes), dtype=int)
    if n_groups:
        groups = np.arange(len(codes)) % n_groups
        scores += 0.7 * rng.normal(size=n_groups)[groups]
        folds = rng.permutation(np.arange(n_groups) % N_FOLDS)[groups]
    else:  # stratified
        order = np.argsort(codes, kind="stable")
        folds[order] = np.arange(len(codes)) % N_FOLDS
    samples = Samples(
        np.empty((len(codes), 0)), codes, np.arange(len(sizes)), groups=groups
    )
    predicted = np.digitize(scores, distance * (np.arange(1, len(sizes)) - 0.5))
    return samples, Predictions(predicted, scores, None), folds


def known_ranking(sizes, distance, n_groups):
    """Return what rankings are expected to be, from very many samples."""
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(len(sizes)), 2000 * np.array(sizes))
    spread = np.hypot(1.0, 0.7) if n_groups else 1.0
    return ranking_scores(codes, distance * codes + spread * rng.normal(size=len(codes)))


@pytest.mark.parametrize(
    ("sizes", "distance", "n_groups"),
    [
        ([4, 5, 6], 1.0, 0),
        ([5, 5, 5, 5], 1.5, 0),
        ([10, 10, 10], 1.0, 0),
        ([20, 20, 20], 1.0, 6),
        ([40, 40, 40], 1.0, 10),
        ([60, 60, 60], 1.0, 25),
    ],
)
def test_standard_errors_of_rankings_are_those_of_further_draws(
    sizes, distance, n_groups
):
    rng, known = np.random.default_rng(1), known_ranking(sizes, distance, n_groups)
    drawn = [
        objective_figures(OBJECTIVES, *scored(sizes, distance, rng, n_groups))
        for _ in range(200)
    ]
    values, errors = (np.array(part)[:, 1:] for part in zip(*drawn, strict=True))
    is_known = ~np.isnan(values).any(axis=1)  # some fold has every class
    z = (values[is_known] - known) / errors[is_known]
    # 5 % is the standard error of a standard deviation of 200; few groups are skewed.
    assert (z.std(axis=0) < (1.4 if n_groups == 6 else 1.25)).all()
    ratio = errors[is_known].mean(axis=0) / values[is_known].std(axis=0)
    # Of few groups, errors are as long as Student's t reaches further.
    assert (ratio > 0.85).all()
    assert (ratio < (1.7 if n_groups else 1.3)).all()


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("place", range(4))
def test_without_folds_errors_are_those_of_ranking_inference(place, grouped):
    rng = np.random.default_rng(place)
    samples, responses, _ = scored([20, 20, 20], 1.0, rng, 12)
    weights, units = rng.exponential(size=60), samples.groups
    if not grouped:
        units = np.arange(60)
    codes, scores = samples.codes, responses.scores
    worth, influence = cross_validated_utility(
        np.eye(4)[place], codes, 3, scores, weights, units=units
    )
    sum_by_cluster = np.bincount(units, weights * influence) / weights.sum()
    found = ranking_inference(
        codes,
        scores,
        RANKING_OBJECTIVES[place],
        "delong",
        sample_weight=weights,
        groups=units,
    )
    assert worth == pytest.approx(found.estimates[0])
    assert sum_by_cluster @ sum_by_cluster == pytest.approx(found.covariance[0, 0])


def test_a_mistake_more_counts_where_none_was_seen():
    codes = np.repeat(np.arange(3), [5, 10, 25])
    samples = Samples(np.empty((40, 0)), codes, np.arange(3))
    values, errors = objective_figures(
        OBJECTIVES, samples, Predictions(codes, codes.astype(float), None)
    )
    assert values == pytest.approx(1.0)
    assert errors[0] == pytest.approx(1.0 / 40)
    # Half a misranked sample of the smallest class: all chains of VUS through it.
    assert errors[1] == pytest.approx(np.sqrt(0.5) / 5)
    assert (errors > 0.0).all()


def test_intervals_stay_within_what_objectives_can_be():
    counts = [5, 5, 5]
    assert objective_named("vus").interval(0.1, 0.35, counts) == (0.0, 0.1 + 0.35)
    assert objective_named("accuracy").interval(0.9, 0.35, counts) == (0.9 - 0.35, 1.0)
    assert objective_named("one_minus_mae").interval(-0.9, 0.35, counts)[0] == -1.0
