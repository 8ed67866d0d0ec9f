"""Arrays of our own that someone has edited."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st


@st.composite
def edited_array(draw: st.DrawFn, array: Any) -> Any:
    """Draw an array with other numbers, another shape or another type."""
    change = draw(st.sampled_from(("value", "all", "shape", "kind", "none", "empty")))
    odd = draw(st.sampled_from((-1, 0, 1, 3, 7, 2**40, np.nan, np.inf, -np.inf, 1e308)))
    if change == "none":
        return None
    if change == "empty" or array.size == 0:
        return array[:0]
    if change == "shape":
        return draw(st.sampled_from((array[None], array[:-1], array.ravel()[:, None], array.T)))
    if change == "kind":
        return array.astype(draw(st.sampled_from(("f4", "f2", "i1", "u8", "c16", "U5", "?"))))
    edited = array.astype(np.float64) if not np.isfinite(odd) else array.copy()
    if change == "all":
        edited[...] = np.clip(odd, -(2**40), 2**40) if edited.dtype.kind == "i" else odd
    else:
        edited.flat[draw(st.integers(0, edited.size - 1))] = (
            odd if edited.dtype.kind == "f" else int(min(odd, 2**40))
        )
    return edited
