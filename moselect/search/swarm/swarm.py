"""What a run needs of a swarm, and which swarm searches which problem."""

from __future__ import annotations

from typing import Protocol

from moselect._types import Floats
from moselect.pareto import ParetoArchive
from moselect.search.swarm.state import State


class Swarm(Protocol):
    """Particles that ask for evaluations and are told their results.

    Attributes
    ----------
    archive : ParetoArchive
        All non-dominated models seen; the payload is a position and the index of the model there.
    """

    archive: ParetoArchive

    def ask(self, n: int | None = None) -> Floats:
        """Return the positions to evaluate next, shape (P, d), or the first ``n`` of them.

        Raises
        ------
        RuntimeError
            If the objectives of the positions asked before were not told.
        """

    def tell(self, objectives: Floats) -> None:
        """Take the objectives of the positions that `ask` returned, or of the first of them.

        Raises
        ------
        RuntimeError
            If no positions were asked for.
        """

    def state(self) -> State:
        """Return all that `restore` needs but the archive; empty if it cannot be restored."""

    def restore(self, state: State) -> None:
        """Go on from a state, to the last bit."""


class AskThenTell:
    """Holds a swarm to the order ask, tell, ask, tell."""

    def __init__(self) -> None:
        self._waiting = False

    def asked(self) -> None:
        """Note that positions were asked for."""
        if self._waiting:
            raise RuntimeError("asked twice: tell the objectives of the last positions first")
        self._waiting = True

    def told(self) -> None:
        """Note that objectives were told."""
        if not self._waiting:
            raise RuntimeError("told without having asked: ask for positions first")
        self._waiting = False
