"""What the best thresholds of a direction may minimise: mixtures of errors and deviation."""

from __future__ import annotations

import numpy as np

from moselect._types import Integers

# a * errors + b * deviation, besides errors first and MAE first. The ratios lie between those of
# small integers, at which one best solution gives way to the next.
MIXTURES = ((4, 1), (3, 2), (3, 4), (1, 2), (1, 4), (1, 8))
N_MIXTURES = len(MIXTURES) + 2


def pack_mixtures(n_samples: int, n_classes: int) -> tuple[Integers, Integers]:
    """Pack the costs of each mixture and its tie-break into one integer per cell and lane.

    Returns costs (r, r, LANES) and, for each lane, (a, b, shift), as
    `objectives_with_exact_thresholds` takes them.
    """
    ranks = np.arange(n_classes)
    deviation = np.abs(np.subtract.outer(ranks, ranks))
    error = (deviation > 0).astype(np.int64)
    error_bits = n_samples.bit_length()
    deviation_bits = (n_samples * (n_classes - 1)).bit_length()
    costs = [(error << deviation_bits) + deviation]
    lanes = [(1, 0, deviation_bits)]
    for a, b in (*MIXTURES, (0, 1)):
        costs.append(((a * error + b * deviation) << error_bits) + error)
        lanes.append((a, b, error_bits))
    return np.stack(costs, axis=-1), np.array(lanes, dtype=np.int64)
