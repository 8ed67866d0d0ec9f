"""Interface of swarms: ask and tell, and saved states."""

import json
from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from moselect._types import Array, Floats
from moselect.pareto import ParetoArchive

# Named arrays for serialisation between two rounds.
State = dict[str, Array]


class Swarm(ABC):
    """Base class of swarms with an ask-and-tell interface."""

    archive: ParetoArchive  # payload: a position and the index of its scalarisation
    # Names of the arrays of the state, without underscore.
    kept: ClassVar[tuple[str, ...]]
    _rng: np.random.Generator

    @abstractmethod
    def ask(self, n: int | None = None) -> Floats:
        """Return the positions to evaluate next, (P, d), or the first ``n`` of them."""

    @abstractmethod
    def tell(self, objectives: Floats) -> None:
        """Record the objectives of the positions from `ask`, or of the first ones."""

    def state(self) -> State:
        """Return the state of particles and generator; the archive is saved separately."""
        # as text: its integers exceed 64 bits
        generator = np.array(json.dumps(self._rng.bit_generator.state))
        return {"generator": generator} | {
            name: getattr(self, f"_{name}") for name in self.kept
        }

    def restore(self, state: State) -> None:
        """Resume from a state, to the last bit."""
        self._rng.bit_generator.state = json.loads(str(state["generator"]))
        for name in self.kept:
            setattr(self, f"_{name}", state[name])
