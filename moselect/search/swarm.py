"""What a run needs of a swarm."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from moselect._types import Floats
from moselect.pareto import ParetoArchive

# between two rounds, as named arrays that a file can hold
State = dict[str, NDArray[Any]]


class Swarm(ABC):
    """Particles that ask for evaluations and are told their results."""

    archive: ParetoArchive  # of models; the payload is a position and the index of the model there
    # names of the arrays, without underscore, that make its state
    kept: ClassVar[tuple[str, ...]]
    _rng: np.random.Generator

    @abstractmethod
    def ask(self, n: int | None = None) -> Floats:
        """Return the positions to evaluate next, (P, d), or the first ``n`` of them."""

    @abstractmethod
    def tell(self, objectives: Floats) -> None:
        """Take the objectives of what `ask` returned, or of the first of it."""

    def state(self) -> State:
        """Return the particles and the generator; the archive is kept besides."""
        # integers too long
        generator = np.array(json.dumps(self._rng.bit_generator.state))
        return {"generator": generator} | {
            name: getattr(self, f"_{name}") for name in self.kept
        }

    def restore(self, state: State) -> None:
        """Go on from a state, to the last bit."""
        self._rng.bit_generator.state = json.loads(str(state["generator"]))
        for name in self.kept:
            setattr(self, f"_{name}", state[name])
