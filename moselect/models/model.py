"""What every finished model is: columns, what they score, and what that decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from moselect._types import Floats, Integers


class Model(Protocol):
    """A model that is handed over, kept in a file, and asked about tables.

    Its ``columns`` turn a table into numbers (n, p), of which the other methods take those of rows
    that have some. `LinearModel` and `SelectedPool` are such models.
    """

    columns: Any
    evidence: Any
    promise: Any
    calibration: Any  # of one score; None where probabilities are not along one

    @property
    def classes_(self) -> NDArray[Any]:
        """Class labels, lowest first, shape (r,)."""

    @property
    def n_features_in_(self) -> int:
        """Number p of the columns."""

    @property
    def feature_names(self) -> Sequence[str] | None:
        """Names of the p columns, if they have some."""

    @property
    def answers(self) -> NDArray[Any]:
        """Class labels, and what it calls a row that it leaves to a person, if it leaves some."""

    def scores_and_codes(self, values: Floats) -> tuple[Floats, Integers]:
        """Return scores (n,), not finite where they are too large, and codes (n,) of answers."""

    def probabilities(self, values: Floats) -> Floats:
        """Return class probabilities (n, r); ValueError if it has none."""

    def as_estimator(self) -> Any:
        """Return the model with the methods of an estimator."""
