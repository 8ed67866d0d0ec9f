"""The index of Ballante et al.: its worked example, its toy examples and its properties."""

import numpy as np
import pytest

from moselect.metrics import ballante_index

# Tables 1 and 2: class probabilities and real classes of ten observations.
TABLE_1 = [
    (0.288, 0.174, 0.538, 1),
    (0.325, 0.478, 0.197, 2),
    (0.828, 0.013, 0.159, 1),
    (0.310, 0.106, 0.584, 3),
    (0.120, 0.262, 0.618, 3),
    (0.426, 0.167, 0.407, 3),
    (0.849, 0.126, 0.025, 2),
    (0.520, 0.401, 0.079, 1),
    (0.147, 0.670, 0.183, 2),
    (0.142, 0.593, 0.265, 3),
]


def test_worked_example():
    *proba, y = np.array(TABLE_1).T
    proba = np.column_stack(proba)
    assert ballante_index(y, proba, normalise=False) == pytest.approx(
        0.3 * 1 + 0.1 * 2 / 3 + 0.2 * 1 / 3, rel=1e-12
    )
    assert ballante_index(y, proba, normalise=False) == pytest.approx(0.4333, abs=5e-5)
    assert ballante_index(y, proba) == pytest.approx(0.2549, abs=5e-5)


def toy_example(wrong_class, sizes, place):
    """Estimated classes 1, 2, 3 of given sizes; in the first, the sample at a place is wrong."""
    y, proba = [], []
    for j, size in enumerate(sizes):
        for i in range(size):
            top = 0.95 - 0.05 * i
            row = np.full(3, (1 - top) / 2)
            row[j] = top
            proba.append(row)
            y.append(wrong_class if j == 0 and i == place - 1 else j + 1)
    return y, np.array(proba)


@pytest.mark.parametrize(
    ("wrong_class", "sizes", "place", "index", "normalised"),
    [
        (3, (6, 7, 7), 2, 0.0833, 0.0505),  # tables 3 and 5
        (2, (6, 6, 8), 2, 0.0417, 0.0245),  # tables 4 and 5
        (3, (6, 7, 7), 6, 0.0167, 0.0101),  # table 7
    ],
)
def test_toy_examples(wrong_class, sizes, place, index, normalised):
    y, proba = toy_example(wrong_class, sizes, place)
    assert ballante_index(y, proba, normalise=False) == pytest.approx(index, abs=5e-5)
    assert ballante_index(y, proba) == pytest.approx(normalised, abs=5e-5)


def brute_index(y, proba, r):
    """Definition 3.3 by walking along the classification function, the wrong first in a tie."""
    n, index, greatest = len(y), 0.0, 0.0
    estimated = proba.argmax(axis=1)
    for j in range(r):
        members = [i for i in range(n) if estimated[i] == j]
        members.sort(key=lambda i: (-proba[i, j], y[i] == j))
        errors = [abs(y[i] - j) for i in members]
        wrong = [place for place, e in enumerate(errors) if e]
        if members:
            weight = (len(members) - wrong[0]) / len(members) if wrong else 0.0
            index += weight * sum(errors) / n
            greatest += len(members) / n * max(r - 1 - j, j)
    return index, index / greatest


@pytest.mark.parametrize("seed", range(10))
def test_definition(seed):
    rng = np.random.default_rng(seed)
    r = 2 + seed % 3
    counts = rng.multinomial(6, np.ones(r) / r, size=40)  # few different values: ties
    proba = counts / 6
    y = np.concatenate([np.arange(r), np.where(rng.random(40 - r) < 0.6, counts[r:].argmax(1), 0)])
    index, normalised = brute_index(y, proba, r)
    assert ballante_index(y, proba, normalise=False) == pytest.approx(index, rel=1e-12)
    assert ballante_index(y, proba) == pytest.approx(normalised, rel=1e-12)


def test_ties_average_the_places():
    proba = [[0.8, 0.2]] * 4 + [[0.1, 0.9]]
    y = [1, 1, 2, 1, 2]
    assert ballante_index(y, proba, normalise=False) == pytest.approx(1 * 1 / 5)
    average = ballante_index(y, proba, normalise=False, ties="average")
    assert average == pytest.approx((1 - 1.5 / 4) / 5)


def test_perfect_and_worst():
    y = np.array([1, 2, 3, 3])
    assert ballante_index(y, np.eye(3)[y - 1]) == 0.0
    assert ballante_index([3, 3, 1, 1], np.eye(3)[[0, 0, 2, 2]], labels=[1, 2, 3]) == 1.0


def test_two_classes_with_errors_first_have_the_error_rate():
    # Proposition 3.6, with its weights of 1: the wrong samples are the surest.
    proba = [[0.9, 0.1], [0.6, 0.4], [0.1, 0.9], [0.3, 0.7], [0.4, 0.6]]
    assert ballante_index([2, 1, 1, 2, 2], proba) == pytest.approx(2 / 5)
