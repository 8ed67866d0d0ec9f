"""Quality indicators of a front."""

import moocore
import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats


def gain_above_chance(points: Floats, chance: Floats) -> Floats:
    """Normalise objectives (..., m) to 0 at chance (m,) and 1 at perfection.

    Examples
    --------
    >>> gain_above_chance(np.array([0.75, 0.25]), np.array([0.5, 0.5]))
    array([ 0.5, -0.5])
    """
    return (points - chance) / (1.0 - chance)


def hypervolume_above_chance(
    points: ArrayLike,
    chance: ArrayLike,
    *,
    exact_up_to: int = 1_000,
    n_samples: int = 2**18,
) -> float:
    """Share of the volume between chance and perfection that a front dominates.

    Parameters
    ----------
    points : array-like of shape (n, m)
        Objective values, maximised, perfect at 1.
    chance : array-like of shape (m,)
        Reference point: objectives attained without features; only points above it in every
        objective count.
    exact_up_to : int, default=1000
        Largest number of points with an exact hypervolume; above, it is
        approximated by a deterministic quadrature: compare approximate values only
        with approximate ones.
    n_samples : int, default=2**18
        Nodes of the quadrature.

    Returns
    -------
    float
        Between 0 and 1, higher is better.

    Raises
    ------
    ValueError
        If an objective is perfect without features.

    Examples
    --------
    >>> hypervolume_above_chance([[1.0, 0.5], [0.5, 1.0]], [0.0, 0.0])
    0.75
    """
    reference = np.asarray(chance, dtype=np.float64)
    if not (reference < 1.0).all():
        raise ValueError(f"chance must be below 1, but there is {reference.max()}")
    values = np.asarray(points, dtype=np.float64).reshape(-1, len(reference))
    gain = gain_above_chance(values, reference)
    # Points that are no better than chance in some objective add no volume.
    gain = gain[(gain > 0.0).all(axis=1)]
    if len(gain) == 0:
        return 0.0
    gain = gain[moocore.is_nondominated(gain, maximise=True)]
    if len(gain) <= exact_up_to:
        return float(moocore.hypervolume(gain, ref=0.0, maximise=True))
    # scale the front first: the quadrature is best for objectives of similar range
    best = gain.max(axis=0)
    share = moocore.hv_approx(gain / best, ref=0.0, maximise=True, nsamples=n_samples)
    # Scaling a box by its sides scales the volume by their product.
    return float(share * best.prod())
