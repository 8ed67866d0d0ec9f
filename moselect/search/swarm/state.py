"""The state of a swarm between two rounds, as named arrays that a file can hold."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

State = dict[str, NDArray[Any]]


def generator_state(rng: np.random.Generator) -> NDArray[np.str_]:
    """Return the state of a generator as text: its integers are too long for an array."""
    return np.array(json.dumps(rng.bit_generator.state))


def restore_generator(rng: np.random.Generator, state: State) -> None:
    """Put a generator into the state in ``state["generator"]``; ValueError if there is none."""
    try:
        rng.bit_generator.state = json.loads(str(state["generator"]))
    except (KeyError, OverflowError, RecursionError, TypeError, ValueError):
        raise ValueError("the checkpoint is damaged: its generator has no such state") from None


def numbers_of(state: State, name: str, *shape: int | None) -> NDArray[np.float64]:
    """Return an array of a state, which may come from a file that anyone has made.

    Raises
    ------
    ValueError
        If it is missing, has another shape (None: any length), or a NaN.
    """
    values = state.get(name)
    if values is None:
        raise ValueError(f"the checkpoint is damaged: it has no {name}")
    fits = values.dtype == np.float64 and values.ndim == len(shape)
    fits = fits and all(given in (None, n) for given, n in zip(shape, values.shape, strict=True))
    if not fits or np.isnan(values).any():
        raise ValueError(f"the checkpoint is damaged: its {name} do not fit the search")
    return values


def count_of(state: State, name: str) -> int:
    """Return a whole number of a state, 0 upwards; errors as in `numbers_of`."""
    value = state.get(name)
    if value is None or value.shape != () or value.dtype.kind not in "iub" or value < 0:
        raise ValueError(f"the checkpoint is damaged: its {name} is no count")
    return int(value)
