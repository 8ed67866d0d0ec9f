"""Types of arrays, documents and paths that most modules share."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Array = NDArray[Any]  # of numbers of any type, or of objects
Labels = NDArray[Any]  # class labels: numbers, text or objects
# Class labels, lowest first; None: sorted numbers, or the order of a Categorical.
LabelOrder = Sequence[object] | None
Document = dict[str, Any]  # plain values by name, as JSON holds them
FilePath = str | os.PathLike[str]
