"""Decision rules from scores and probabilities to classes: thresholds, or least expected cost."""

from itertools import pairwise

import numpy as np

from moselect._types import Document, Floats, Integers, Table, record
from moselect.costs.decisions import Referral, expected_costs
from moselect.costs.row_costs import RowCosts
from moselect.validation import check_cost_matrix

DIGITS = range(6, 18)  # significant digits of thresholds: 17 distinguish all doubles


@record
class Thresholds:
    """Class = 1 + number of ascending ``thresholds`` (r - 1,) strictly below the score.

    With a ``referral`` the thresholds of the referral apply instead.
    """

    thresholds: Floats
    referral: Referral | None = None

    def check(self, n_classes: int) -> None:
        """Raise ValueError if the thresholds do not fit the number of classes."""
        if len(self.thresholds) != n_classes - 1:
            raise ValueError(
                f"{n_classes} classes need {n_classes - 1} thresholds, but there are "
                f"{len(self.thresholds)}"
            )
        if not (np.diff(self.thresholds) >= 0.0).all():
            raise ValueError(f"thresholds must ascend: {self.thresholds.tolist()}")

    @property
    def breakpoints(self) -> tuple[Floats, Integers]:
        """Ascending thresholds (k,) of the score and codes (k + 1,) of the classes between them."""
        if self.referral is None:
            return self.thresholds, np.arange(len(self.thresholds) + 1)
        return np.array(self.referral.thresholds), np.array(self.referral.codes)

    def codes(self, scores: Floats) -> Integers:
        """Return the codes (n,) of decisions for scores (n,)."""
        thresholds, codes = self.breakpoints
        return codes[np.searchsorted(thresholds, scores, side="left")]

    def score_ranges(self, n_answers: int) -> list[str]:
        """Format the score range of each decision.

        Thresholds have six digits, or as many more as distinguish them.
        """
        breakpoints, codes = self.breakpoints
        # Beyond a class without samples: the largest float stands for infinity in files.
        is_finite = np.abs(breakpoints) < np.finfo(np.float64).max
        thresholds = np.where(
            is_finite, breakpoints, np.copysign(np.inf, breakpoints)
        ).tolist()
        shown = np.unique(breakpoints[is_finite])
        digits = next(
            k for k in DIGITS if len({f"{cut:.{k}g}" for cut in shown}) == len(shown)
        )
        texts: list[list[str]] = [[] for _ in range(n_answers)]
        for code, (low, high) in zip(
            codes.tolist(), pairwise([-np.inf, *thresholds, np.inf]), strict=True
        ):
            above = "" if low == -np.inf else f"above {low:.{digits}g}"
            below = "" if high == np.inf else f"up to {high:.{digits}g}"
            if low < high:
                texts[code].append(", ".join(filter(None, (above, below))) or "all")
        return ["; ".join(score_ranges) or "never" for score_ranges in texts]

    def to_document(self) -> Document:
        """Serialise as plain values."""
        return {"thresholds": self.thresholds.tolist(), "referral": self.referral}


@record
class LeastCost:
    """The decision of least expected cost, by costs (r, r), rows true classes.

    Columns are predicted classes; with a ``referral`` the last one, (r, r + 1), has the
    costs of referring a row for review. Without costs all errors cost the same. ``rows``
    are costs of each row, in place of one matrix.
    """

    costs: Floats | None = None
    referral: Referral | None = None
    rows: RowCosts | None = None

    def check(self, n_classes: int) -> None:
        """Raise ValueError if costs do not fit the number of classes."""
        if self.costs is not None:
            check_cost_matrix(self.costs, n_classes, referral=self.referral is not None)

    def codes(self, proba: Floats, table: Table | None) -> Integers:
        """Return the codes (n,) of decisions for class probabilities (n, r).

        Costs of each row need the rows of the ``table``.
        """
        costs = self.costs
        if self.rows is not None:
            assert table is not None, "costs of each row need the table"
            costs = self.rows(table)
        expected = -proba if costs is None else expected_costs(proba, costs)
        return expected.argmin(axis=1)

    def to_document(self) -> Document:
        """Serialise as plain values."""
        costs = None if self.costs is None else np.asarray(self.costs).tolist()
        if self.rows is not None and callable(self.rows.cost_matrix):
            raise ValueError(
                "costs by a function cannot be written to a file: write them as expressions of "
                'columns, such as "0.3 * amount + 50"'
            )
        return {"cost_matrix": costs, "referral": self.referral, "row_costs": self.rows}
