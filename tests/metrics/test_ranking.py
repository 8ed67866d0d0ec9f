"""VUS, U_cons, U_ovo and U_pairs against their definitions, written out."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import roc_auc_score

from moselect.metrics import (
    pairwise_auc_matrix,
    ranking_scores,
    u_cons_score,
    u_ovo_score,
    u_pairs_score,
    vus_score,
)
from moselect.search import OrdinalProblem

# Sommer (2015), table 3.2: classes in ascending order of score, VUS and BSC (the share of
# right pairs, if no scores tie) in per cent.
TABLE_3_2 = [
    ([1, 2, 3, 4, 5, 6, 7], 100.00, 100.00),
    ([1, 1, 1, 2, 3, 4, 5], 100.00, 100.00),
    ([7, 6, 5, 4, 3, 2, 1], 0.00, 0.00),
    ([5, 4, 3, 2, 1, 1, 1], 0.00, 0.00),
    ([1, 1, 1, 2, 3, 5, 4], 0.00, 94.44),
    ([5, 1, 1, 1, 2, 3, 4], 0.00, 66.67),
    ([5, 1, 1, 1, 1, 1, 1], 0.00, 0.00),
    ([5, 1, 1, 1, 1, 1, 6], 0.00, 54.55),
    ([5, 1, 1, 1, 1, 1, 5], 50.00, 50.00),
    ([1, 1, 1, 5, 1, 1, 1], 50.00, 50.00),
    ([5, 1, 1, 5, 1, 1, 1], 20.00, 20.00),
    ([1, 5, 2, 3, 4, 5, 4], 25.00, 73.68),
]


def sequence_credit(scores, half_credit):
    """Credit of a sequence of scores: 1 if ascending, with optional half credit for ties."""
    if any(a > b for a, b in itertools.pairwise(scores)):
        return 0.0
    runs = [len(list(group)) for _, group in itertools.groupby(scores)]
    if half_credit:
        return math.prod(1 / math.factorial(m) for m in runs)
    return float(max(runs) == 1)


def brute_vus(codes, scores, weights, half_credit):
    members = [np.flatnonzero(codes == k) for k in range(codes.max() + 1)]
    credit = total = 0.0
    for chain in itertools.product(*members):
        weight = math.prod(weights[i] for i in chain)
        credit += weight * sequence_credit([scores[i] for i in chain], half_credit)
        total += weight
    return credit / total


def brute_measures(codes, scores, weights, half_credit):
    r = codes.max() + 1
    # Ties count against the higher class unless they have half credit.
    ranked = scores if half_credit else scores - 1e-6 * codes

    def auc(rows, boundary):
        return roc_auc_score(
            codes[rows] >= boundary, ranked[rows], sample_weight=weights[rows]
        )

    pairs = list(itertools.combinations(range(r), 2))
    ovo = [auc(np.isin(codes, pair), pair[1]) for pair in pairs]
    masses = np.bincount(codes, weights)
    return [
        brute_vus(codes, scores, weights, half_credit),
        np.mean([auc(codes >= 0, boundary) for boundary in range(1, r)]),
        np.mean(ovo),
        np.average(ovo, weights=[masses[k] * masses[m] for k, m in pairs]),
    ]


@st.composite
def rankings(draw):
    r = draw(st.integers(2, 5))
    extra = draw(st.lists(st.integers(0, r - 1), max_size=8))
    codes = np.array(draw(st.permutations([*range(r), *extra])))
    n = len(codes)
    scores = np.array(draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))) / 3
    weights = np.array(
        draw(st.lists(st.sampled_from([1, 2, 0.3]), min_size=n, max_size=n))
    )
    return codes, scores, weights


@pytest.mark.checks(
    "Measures",
    "enumeration of all pairs and sequences, with ties and weights",
)
@given(rankings(), st.booleans(), st.booleans())
def test_definitions(ranking, weighted, half_credit):
    codes, scores, weights = ranking
    expected = brute_measures(
        codes, scores, weights if weighted else 1 + 0 * weights, half_credit
    )
    found = ranking_scores(
        codes,
        scores,
        ties="average" if half_credit else "strict",
        sample_weight=weights if weighted else None,
    )
    assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("r", [2, 3, 5, 8, 12])
@pytest.mark.parametrize("digits", [1, 15])
@pytest.mark.parametrize("n", [60, 20_000])  # for the latter, more sequences than 2**53
def test_a_search_gives_the_same_bits(r, digits, n, rng):
    codes = np.concatenate([np.arange(r), rng.integers(0, r, n)])
    scores = np.round(codes + rng.normal(size=len(codes)), digits)
    found = ranking_scores(codes, scores)
    problem = OrdinalProblem(scores[:, None], codes)
    searched = problem.evaluate(np.ones((1, 1)))[0, 0]
    assert_array_equal(found, searched[2:])
    singles = [
        f(codes, scores) for f in (vus_score, u_cons_score, u_ovo_score, u_pairs_score)
    ]
    assert_array_equal(found, singles)


@pytest.mark.checks("Measures", "printed values of Waegeman et al. (2008)")
@pytest.mark.parametrize(("classes", "vus", "bsc"), TABLE_3_2)
def test_table_3_2(classes, vus, bsc):
    scores = np.arange(len(classes))
    assert 100 * vus_score(classes, scores) == pytest.approx(vus, abs=0.005)
    assert 100 * u_pairs_score(classes, scores) == pytest.approx(bsc, abs=0.005)


@pytest.mark.parametrize("base", [1.0, -7.3, 1e-300])
def test_adjacent_floats_are_different_scores(base):
    higher = np.nextafter(base, np.inf)
    assert vus_score([1, 2], [base, higher]) == 1.0
    assert vus_score([1, 2], [higher, base]) == 0.0
    assert vus_score([1, 2], [base, base]) == 0.0
    assert vus_score([1, 2], [base, base], ties="average") == 0.5


def test_more_sequences_than_float64_can_count():
    y = np.repeat(np.arange(120), 1000)
    with pytest.raises(ValueError, match="120 classes of this size"):
        vus_score(y, y)
    with pytest.raises(ValueError, match="more sequences than VUS can count"):
        OrdinalProblem(y[:, None], y)


@pytest.mark.checks("Measures", "scikit-learn's roc_auc_score of each pair of classes")
@pytest.mark.parametrize("weighted", [False, True])
def test_matrix_with_half_credit_holds_binary_aucs(weighted, rng):
    y = rng.integers(1, 5, 60)
    scores = np.round(y + rng.normal(size=60), 1)
    weights = rng.integers(0, 4, 60) if weighted else None
    matrix = pairwise_auc_matrix(y, scores, ties="average", sample_weight=weights)
    for k in range(4):
        assert matrix[k, k] == 0.5
        for m in set(range(4)) - {k}:
            two = np.isin(y, [k + 1, m + 1])
            expected = roc_auc_score(
                y[two] == m + 1,
                scores[two],
                sample_weight=weights[two] if weighted else None,
            )
            assert matrix[k, m] == pytest.approx(expected, rel=1e-12)
