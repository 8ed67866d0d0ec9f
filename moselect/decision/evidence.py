"""The evidence for a selected model: what it and others do on rows they never saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Floats
from moselect.decision.costs import ResolvedCosts
from moselect.decision.differences import PairedDifference, verdict
from moselect.decision.limits import LimitReached

NEW_DATA, ERROR = "new data", "standard error"


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known about a selected model, other kinds of model, and rivals.

    Figures on new data are cross-validated: every row is judged by models that were fitted, whole,
    without its fold.

    Attributes
    ----------
    selected : str
        The kind that was selected.
    value : str
        What the rules are compared by: ``"cost"``, the mean cost of a sample, lower is better; or
        ``"utility"``, the weighted gain above chance, in units of the most that the front gains in
        each objective in training, higher is better.
    expected, expected_se : float
        That value of the selected model on new data, the choice counted in: some rows choose the
        kind, and by their class shares the classes, and others judge that. The standard error
        takes in what this adds to the figure of the kind in ``rules``.
    rules : DataFrame
        One row a kind of model or rival: that value on ``new data``; its ``standard error``, as if
        one more of the dearest mistakes had been seen; how far it is ``behind`` the best (the share
        of its cost that it costs more, or the utility that it has less), from ``behind low`` to
        ``behind high``; the value on samples that were ``held out``, if any, and in ``training``;
        the number of ``terms``; and the ``seconds`` of the fits.
    differences : dict of str to PairedDifference
        For each of the others: the share of its cost that the selected one saves, or the utility
        that it gains, paired by sample.
    objectives : DataFrame of shape (3, m) or (4, m)
        The objectives of the selected model: on ``new data``, with their ``standard error``; on
        samples ``held out``, if any; and in ``training``.
    predicted : DataFrame
        The class that each rule predicts for every sample (n,) as new data. The index has their
        rows in the table.
    true : ndarray of shape (n,)
        Their true classes.
    probabilities : dict of str to ndarray of shape (n, r)
        Class probabilities of every sample as new data, by kind.
    folds : ndarray of int, shape (n,)
        The fold of each sample.
    confusion : DataFrame of shape (r, r)
        Samples of each true class (rows) that the selected model puts into each class (columns) as
        new data; of samples with weights, the sums of these.
    weights : ndarray of shape (n,) or None
        Weights of the samples: relative ones of the user, or those by which a part of very many
        stands for all. None: one each.
    costs : ResolvedCosts or None
        The costs, if it was selected for costs.
    preferences : mapping of str to float, or None
        The weights of the objectives, of sum 1, if it was selected by preference.
    limits : list of LimitReached
        What was asked for, and what holds on new data.
    without_limits : float or None
        The value of the selected kind on new data if there were no limits, if there are any.
    conditions : DataFrame or None
        The same value and error of scorecards of 1 to 20 conditions, if any were considered.
    shuffled : tuple of (float, float), or None
        Value and standard error of the selected kind by folds without regard to time, if samples
        have times and this differs from the figure for later samples by two standard errors.
    left_out : dict of str to str
        Why kinds could not be fitted.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=3, random_state=1).fit(X, y)
    >>> evidence = search.select(class_costs=[1, 1, 1, 5, 5], kind="linear").evidence
    >>> evidence.rules.index.tolist()
    ['linear', 'proportional odds', 'best member', 'always one class']
    """

    selected: str
    value: str
    expected: float
    expected_se: float
    rules: pd.DataFrame
    differences: dict[str, PairedDifference]
    objectives: pd.DataFrame
    predicted: pd.DataFrame
    true: NDArray[Any]
    probabilities: dict[str, Floats]
    folds: NDArray[np.int64]
    confusion: pd.DataFrame
    weights: Floats | None = None
    costs: ResolvedCosts | None = None
    preferences: Mapping[str, float] | None = None
    limits: list[LimitReached] = field(default_factory=list)
    without_limits: float | None = None
    conditions: pd.DataFrame | None = None
    shuffled: tuple[float, float] | None = None
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def verdicts(self) -> list[str]:
        """The differences in words."""
        percent = self.value == "cost"
        return [
            verdict(found, name, in_percent=percent) for name, found in self.differences.items()
        ]

    def __repr__(self) -> str:
        figure = f"{self.expected:.4g} +- {self.expected_se:.2g}"
        return f"<Evidence: {self.selected}, {self.value} on new data {figure}>"

    def to_html(self) -> str:
        """Return the rules as a table."""
        table = self.rules.to_html(float_format="{:.4g}".format, border=0)
        return f"<p>{self.value.capitalize()} on new data</p>{table}"
