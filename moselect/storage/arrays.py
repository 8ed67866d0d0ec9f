"""Plain arrays from an ``npz`` file that anyone may have made."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from moselect._validation import shortened
from moselect.storage.damage import DAMAGE


def read_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays of an archive by their names. Nothing in it is executed.

    Raises
    ------
    ValueError
        If it is no archive of plain arrays, is damaged, or unpacks to much more than its size.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: np.asarray(file[name]) for name in file.files}
    except DAMAGE as error:
        raise ValueError(f"it is no archive of arrays, or damaged ({shortened(error)})") from None
    if any(array.dtype.kind not in "biufU" for array in arrays.values()):  # not raw bytes, dates
        raise ValueError("it holds more than numbers and text")
    return arrays
