"""Types of arrays, documents and paths that most modules share."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Array = NDArray[Any]  # of numbers of any type, or of objects
Labels = NDArray[Any]  # class labels: numbers, text or objects
Document = dict[str, Any]  # plain values by name, as JSON holds them
FilePath = str | os.PathLike[str]
