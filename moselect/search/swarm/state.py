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


def restore_generator(rng: np.random.Generator, state: NDArray[np.str_]) -> None:
    """Put a generator into a state that `generator_state` gave."""
    rng.bit_generator.state = json.loads(str(state))
