"""Scalarisations: weighted costs of two objectives that the thresholds of a direction minimise."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from moselect._types import Floats, Integers
from moselect.metrics.objective import Objective
from moselect.metrics.objectives import DECLARED
from moselect.models.linear_batch import LinearBatch
from moselect.models.objective_values import chance_levels

# Besides the lexicographic ones (errors or MAE first): a * errors + b * deviation. The
# optimum changes at ratios of small integers; these ratios lie between them.
SCALARISATIONS = ((4, 1), (3, 2), (3, 4), (1, 2), (1, 4), (1, 8))

# Unit of sample weights: multiples add up exactly and can be packed into integers.
UNIT = 1.0 / 1_024

# Objectives whose thresholds are evaluated if no given objective is linear.
PROPOSERS = (DECLARED["one_minus_mse"], DECLARED["one_minus_macro_mae"])


def pack_scalarisations(n_samples: int, n_classes: int) -> tuple[Integers, Integers]:
    """Pack the costs of scalarisations and their tie-breaks into integers.

    Returns costs (r, r, LANES) for `least_costs` and, for each lane, (a, b, shift) for
    `unpack_totals`.
    """
    ranks = np.arange(n_classes)
    deviation = np.abs(np.subtract.outer(ranks, ranks))
    error = (deviation > 0).astype(int)
    error_bits = n_samples.bit_length()
    deviation_bits = (n_samples * (n_classes - 1)).bit_length()
    costs = [(error << deviation_bits) + deviation]
    lanes = [(1, 0, deviation_bits)]
    for a, b in (*SCALARISATIONS, (0, 1)):
        costs.append(((a * error + b * deviation) << error_bits) + error)
        lanes.append((a, b, error_bits))
    return np.stack(costs, axis=-1), np.array(lanes, int)


# Cost of a sample one class away, at most, with its tie-break.
LARGEST_COST = 9


def integer_weights(batch: LinearBatch) -> Integers | None:
    """Return the sample weight of each class (r,) as an integer, in units of 1 or `UNIT`.

    None if weights differ within a class, are no multiples of a unit, or so large that
    packed costs (`pack_scalarisations`) would overflow.
    """
    if batch.varying_weights is not None:
        return None
    for unit_weight in (1.0, UNIT):
        units = batch.class_rates / unit_weight
        total = math.ceil(batch.class_weights.sum() / unit_weight)
        most = LARGEST_COST * (batch.n_classes - 1) * total << total.bit_length()
        if (units == np.rint(units)).all() and most < 2**63:
            return units.astype(int)
    return None


def unpack_totals(totals: Integers, lanes: Integers, n: int) -> Floats:
    """Unpack totals (P, LANES) of n samples into accuracy and 1 - MAE (P, LANES, 2).

    ``(a, b, shift)`` of a lane (`pack_scalarisations`) stand for ``total = (a * errors + b *
    deviation) << shift | low``, where ``low`` is the errors, or, in the lane that
    minimises errors first (b = 0), the deviation.
    """
    a, b, shift = lanes.T
    high = totals >> shift
    low = totals & ((np.int64(1) << shift) - 1)
    errors = np.where(b == 0, high, low)
    deviation = np.where(b == 0, low, (high - a * low) // np.maximum(b, 1))
    return np.stack([(n - errors) / n, 1.0 - deviation / n], axis=-1)


# Weight of the other objectives where one is minimised first.
TIE_BREAK = 1e-9
# Weights of two objectives with other costs, in units of their values without
# features. Six pairs of weights took longer and gave no larger fronts.
MIXED_SHARES = (0.65, 0.35)


def scalarise_costs(objectives: Sequence[Objective], batch: LinearBatch) -> Floats:
    """Return the costs (k, r, r) of the k scalarisations of objectives.

    First each linear objective alone, with ties broken by the others, then weighted sums
    of each pair; the costs of `PROPOSERS` if no objective is linear.
    """
    counts = batch.class_weights
    linear = [objective for objective in objectives if objective.costs] or PROPOSERS
    chance = chance_levels(linear, batch)
    costs = [objective.costs(counts) for objective in linear if objective.costs]
    scaled = np.array(costs) / (1.0 - chance)[:, None, None]
    mixed = list(scaled + TIE_BREAK * (scaled.sum(axis=0) - scaled))
    for first, second in itertools.combinations(scaled, 2):
        mixed += [share * first + (1.0 - share) * second for share in MIXED_SHARES]
    return np.array(mixed)
