"""What pictures of a front ask for."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.models import feature_matrix
from moselect.search import Front


def check_objective(front: Front, objective: str) -> None:
    """Raise ValueError unless an objective is one of the front's."""
    if objective not in front.objectives:
        known = ", ".join(map(str, front.objectives))
        raise ValueError(f"unknown objective {objective!r}: choose from {known}")


def front_features(front: Front, X: ArrayLike | pd.DataFrame) -> NDArray[np.float64]:
    """Give the features (n, p) of a front; ValueError unless X has them."""
    return feature_matrix(X, front.feature_names, front.weights.shape[1])
