"""Types of arrays and documents that most modules share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Array = NDArray[Any]  # of numbers of any type, or of objects
Labels = NDArray[Any]  # class labels: numbers, text or objects
Document = dict[str, Any]  # plain values by name, as JSON holds them
