"""What a front asks of those who name its objectives or bring objects to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect.labels import encode_labels
from moselect.models import feature_matrix
from moselect.search.checks import check_classes

if TYPE_CHECKING:
    from moselect.search.front import Front


def check_objective(front: Front, objective: str) -> None:
    """Raise ValueError unless an objective is one of the front's."""
    if objective not in front.objectives:
        known = ", ".join(map(str, front.objectives))
        raise ValueError(f"unknown objective {objective!r}: choose from {known}")


def front_features(front: Front, X: ArrayLike | pd.DataFrame) -> NDArray[np.float64]:
    """Give the features (n, p) of a front; ValueError unless X has them."""
    return feature_matrix(X, front.feature_names, front.weights.shape[1])


def front_objects(
    front: Front, X: ArrayLike | pd.DataFrame, y: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Give features (n, p) and class codes (n,); ValueError unless every class has objects."""
    values = front_features(front, X)
    codes = encode_labels(y, front.classes)
    check_classes(values, codes, front.classes)
    return values, codes
