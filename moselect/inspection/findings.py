"""Findings of a selection or comparison that are no figures: exclusions, and its origin."""

from collections.abc import Mapping
from typing import NamedTuple

from moselect._types import Labels


def excluded_sentences(reasons: Mapping[str, str]) -> list[str]:
    """Report the reason of each exclusion.

    Examples
    --------
    >>> excluded_sentences({"forest": "ValueError: too few rows"})
    ['forest is excluded: ValueError: too few rows']
    """
    return [f"{name} is excluded: {why}" for name, why in reasons.items()]


class Comparison(NamedTuple):
    """Origin of a comparison: its class scale, and what repeats it.

    Attributes
    ----------
    scale : ndarray
        All classes, lowest first, including classes without samples.
    order_is_guessed : bool
        Whether the order of the classes was inferred from a known scale.
    random_state, fingerprint : int and str
        Seed of the folds and models, and hash of the data.

    Examples
    --------
    >>> import numpy as np
    >>> Comparison(np.array([1, 2]), False, 0, "").random_state
    0
    """

    scale: Labels
    order_is_guessed: bool
    random_state: int | None
    fingerprint: str
