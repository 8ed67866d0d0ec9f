import itertools
import math


def sequence_credit(scores, half_credit):
    """Credit of a sequence of scores: 1 if ascending, with optional half credit for ties."""
    if any(a > b for a, b in itertools.pairwise(scores)):
        return 0.0
    runs = [len(list(group)) for _, group in itertools.groupby(scores)]
    if half_credit:
        return math.prod(1 / math.factorial(m) for m in runs)
    return float(max(runs) == 1)
