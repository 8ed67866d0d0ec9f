"""What is maximised."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

OBJECTIVES = ("accuracy", "one_minus_mae", "vus", "u_cons", "u_ovo", "u_pairs")
OBJECTIVE_WORDS = {
    "accuracy": "accuracy",
    "one_minus_mae": "1 - MAE",
    "vus": "VUS",
    "u_cons": "U cons",
    "u_ovo": "U ovo",
    "u_pairs": "U pairs",
}


def objective_columns(names: Sequence[str]) -> NDArray[np.int64]:
    """Give the places of at least two different objectives, or say what is wrong with them."""
    if isinstance(names, str):
        raise TypeError(f"objectives is a string: give a sequence, such as ({OBJECTIVES[0]!r},)")
    for name in names:
        if name not in OBJECTIVES:
            raise ValueError(f"unknown objective {name!r}: choose from {', '.join(OBJECTIVES)}")
    if len(set(names)) < max(2, len(names)):
        raise ValueError(f"objectives must be at least two different ones, not {list(names)}")
    return np.array([OBJECTIVES.index(name) for name in names])
