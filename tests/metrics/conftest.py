import itertools
import math

import numpy as np
import pytest


def sequence_credit(scores, half_credit):
    """Credit of a sequence of scores: 1 if ascending, with optional half credit for ties."""
    if any(a > b for a, b in itertools.pairwise(scores)):
        return 0.0
    runs = [len(list(group)) for _, group in itertools.groupby(scores)]
    if half_credit:
        return math.prod(1 / math.factorial(m) for m in runs)
    return float(max(runs) == 1)


@pytest.fixture(scope="session")
def article():
    """Targets, and scores of the three models of the article on ranking metrics, by its seeds."""
    seeds = np.random.RandomState(42).randint(low=0, high=2**32 - 1, size=4)
    streams = [np.random.RandomState(seed) for seed in seeds]
    y = streams[0].normal(size=1_000)
    return y, [
        np.exp(3 + y) + streams[1].normal(size=1_000),
        3 * y + streams[2].normal(size=1_000),
        streams[3].normal(size=1_000),
    ]
