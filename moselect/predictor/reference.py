"""Reference figures that a model's file keeps of its selection."""

import msgspec
import numpy as np
import pandas as pd

from moselect.budgets import INSPECTION
from moselect.costs.limits import LimitReached, split_limit
from moselect.predictor.predictions import SetWeights
from moselect.predictor.profile import SEED, Profile


class Reference(msgspec.Struct, frozen=True):
    """Reference: cross-validated figures reported when the model was selected, but no rows.

    ``cost`` is the expected cost per row, with standard error ``error``, for the cost
    matrix ``costs`` (r, r), or (r, r + 1) with a referral, under the priors if given.
    ``confusion``, of the same shape, has the shares of all rows under these priors.
    ``trained`` (r,) are the class shares under which the model's probabilities are
    calibrated. The figures are based on ``n_rows`` rows in ``n_units`` independent rows or groups;
    ``columns`` are the distributions of the table's columns, and ``sets`` calibrates
    prediction sets. ``calibration`` is that of `calibration_covariance`. The costs are the
    linearisation of a ``metric``, if the model was selected for one.
    """

    costs: list[list[float]] | None
    cost: float
    error: float
    confusion: list[list[float]]
    trained: list[float]
    limits: list[LimitReached]
    n_rows: int
    n_units: int
    columns: list[Profile]
    sets: SetWeights | None = None
    metric: str | None = None
    calibration: list[list[float]] | None = None

    @property
    def by_columns(self) -> list[str]:
        """Columns in whose groups limits hold."""
        return sorted({split_limit(limit.words)[1] for limit in self.limits} - {""})

    def describe_cost(self, cost: float) -> str:
        """Describe a mean cost and the reference cost."""
        of_metric = "" if self.metric is None else f" (costs that optimise {self.metric})"
        return f"mean cost {cost:.3g}{of_metric}, {self.cost:.3g} at selection"

    def background(self) -> pd.DataFrame:
        """Draw background rows (100, m) from the marginal distributions of the columns."""
        rng = np.random.default_rng(SEED)
        return pd.DataFrame(
            {
                profile.name: profile.draw(INSPECTION.background_rows, rng)
                for profile in self.columns
            }
        )
