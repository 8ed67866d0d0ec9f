"""Drift: distributions of the columns compared with those in training."""

from __future__ import annotations

import numpy as np
import pandas as pd

from moselect.samples.samples import Samples
from moselect.selection.reference import Reference, in_clusters

# Draws of a distance: at least so many per column that its quantile is within them.
N_DRAWS = 2_000


def column_drift(reference: Reference, samples: Samples) -> pd.DataFrame:
    """Compare the distribution of each column with training, by total variation distance.

    The null distribution of the distance is simulated: both tables are drawn from the
    pooled shares, with their effective sample sizes. The bounds are Bonferroni-corrected.
    """
    rng = np.random.default_rng(0)
    rows = {}
    n_columns = max(len(reference.columns), 1)
    draws_a_column = 40
    n_draws = max(N_DRAWS, draws_a_column * n_columns)
    clusters = in_clusters(samples)
    # Familywise error rate: if nothing has changed, some column is flagged in 5 % of
    # tables.
    level = 0.05
    for profile in reference.columns:
        if profile.name not in samples.X:
            continue
        then = np.array(profile.shares)
        now, n_now, outside = profile.shares_of(samples.X[profile.name], clusters)
        distance = float(np.abs(now - then).sum() / 2.0)
        pooled = (n_now * now + profile.rows * then) / (n_now + profile.rows)
        sizes = [max(1, round(n)) for n in (n_now, profile.rows)]
        first, second = (rng.multinomial(n, pooled, n_draws) / n for n in sizes)
        distances = np.abs(first - second).sum(axis=1) / 2.0
        # Weibull's plotting position: a further draw exceeds this order statistic with that
        # probability.
        unchanged = np.quantile(distances, 1.0 - level / n_columns, method="weibull")
        rows[profile.name] = (outside, distance, unchanged, bool(distance > unchanged))
    names = ["outside", "distance", "unchanged", "drifted"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)
