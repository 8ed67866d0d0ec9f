"""A selected model, and the evidence for it beside its rivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from moselect.decision import PairedDifference, ResolvedCosts
from moselect.models import OrdinalLinearClassifier
from moselect.models.card import ScoreCalibration

SELECTED, MEMBER, PLUG_IN, TRIVIAL = RULES = (
    "selected",
    "best member",
    "proportional odds",
    "always one class",
)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known about a selected model and its rivals.

    Cross-validated figures come from models that were fitted without the sample.

    Attributes
    ----------
    objectives : DataFrame of shape (3, m) or (4, m)
        The objectives of the front for the selected model: ``cross-validated``, with their
        ``standard error``; on samples that the search ``held out``, if any; and in ``training``.
    value : str
        What the rules are compared by: ``"cost"``, the mean cost of a sample, lower is better; or
        ``"utility"``, the weighted gain above chance, in units of the most that the front gains in
        each objective in training, higher is better.
    rules : DataFrame
        That value of the ``selected`` model; of the front's ``best member`` (the direction of the
        front, with its best thresholds, of the best value in training); of the plug-in rule of
        ``proportional odds``; and of ``always one class``. Columns: ``cross-validated``, its
        ``standard error``, ``held out`` if samples were, and ``training``. For the best member the
        first two need fronts that were searched without each fold; they are NaN if there are none.
    differences : dict of str to PairedDifference
        For each rival with cross-validated values: the share of its cost that the selected model
        saves, or the utility that it gains, paired by sample.
    verdicts : list of str
        The differences in words.
    predicted : DataFrame
        The cross-validated class label of every sample (n,) by every rule.
    confusion : DataFrame of shape (r, r)
        Samples of each true class (rows) that the selected model, cross-validated, puts into each
        class (columns).
    front_share : float
        Share of the front's directions in the selected one, 0 to 1.
    calibration : ScoreCalibration or None
        From the model's score to class probabilities, by the cross-validated scores.
    costs : ResolvedCosts or None
        The costs, if it was selected for costs.
    preferences : mapping of str to float, or None
        The weights of the objectives, of sum 1, if it was selected by preference.

    Examples
    --------
    >>> from moselect import Costs
    >>> from moselect.samples import Samples
    >>> from moselect.front import Front, Selector
    >>> data = Samples.from_table([[0.0], [2.0], [1.0], [3.0]] * 10, [1, 1, 2, 2] * 10)
    >>> objectives, chance = pd.DataFrame({"accuracy": [0.75]}), pd.Series({"accuracy": 0.5})
    >>> front = Front(objectives, data.X[1:2], data.X[2:3], data.classes, None, chance)
    >>> evidence = Selector(front, data).for_costs(Costs([1, 5])).evidence
    >>> evidence.value, evidence.rules.index.tolist()
    ('cost', ['selected', 'best member', 'proportional odds', 'always one class'])
    """

    objectives: pd.DataFrame
    value: str
    rules: pd.DataFrame
    differences: dict[str, PairedDifference]
    verdicts: list[str]
    predicted: pd.DataFrame
    confusion: pd.DataFrame
    front_share: float
    calibration: ScoreCalibration | None = None
    costs: ResolvedCosts | None = None
    preferences: Mapping[str, float] | None = None

    def __repr__(self) -> str:
        selected = self.rules.loc[SELECTED]
        shown = f"{selected['cross-validated']:.4g} +- {selected['standard error']:.2g}"
        return f"<Evidence: cross-validated {self.value} {shown}; {'; '.join(self.verdicts)}>"


class SelectedClassifier(OrdinalLinearClassifier):
    """A linear model that was selected for given costs or preferences, ready to predict.

    Parameters
    ----------
    coef, thresholds, classes, feature_names, columns
        As in `OrdinalLinearClassifier`.
    evidence : Evidence, optional
        What is known about it and its rivals.

    Examples
    --------
    >>> model = SelectedClassifier([1.0], [0.5], ["low", "high"], ["speed"])
    >>> model.predict(pd.DataFrame({"speed": [0.0, 1.0]}))
    array(['low', 'high'], dtype='<U4')
    """

    def __init__(
        self,
        coef: ArrayLike,
        thresholds: ArrayLike,
        classes: ArrayLike,
        feature_names: Sequence[str] | None = None,
        columns: Any = None,
        evidence: Evidence | None = None,
    ) -> None:
        super().__init__(coef, thresholds, classes, feature_names, columns)
        self.evidence = evidence

    def _repr_html_(self) -> str:
        if self.evidence is None:
            return super()._repr_html_()
        rules = self.evidence.rules.to_html(float_format="{:.4g}".format, border=0)
        title = f"Expected {self.evidence.value}"
        return f"{super()._repr_html_()}<p>{title}</p>{rules}"
