"""The kinds of model between which a decision chooses, their rivals, and how it chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from scipy.optimize import brentq
from sklearn.pipeline import make_pipeline

from moselect._types import Floats, Integers
from moselect.columns import ColumnKind
from moselect.columns.preparation import Preparation
from moselect.columns.training import columns_transformer
from moselect.decision.goal import Goal
from moselect.decision.linear.fit import fit_linear_rule
from moselect.decision.linear.thresholds import cheapest_cuts
from moselect.folds import Folds
from moselect.models import AdditiveOdds, OrdinalLinearClassifier, ProportionalOdds
from moselect.models.card import ScoreCalibration
from moselect.models.referral import Referral, answers_in_turn
from moselect.samples import Samples

Choice = Literal["cheapest", "simple"]
NEAR = 0.05  # share of the least cost, or of the greatest utility, that simplicity is worth

KINDS = ("points", "linear", "curves", "pool")  # simplest first
PROPORTIONAL_ODDS, TRIVIAL = RIVALS = ("proportional odds", "always one class")
BASES = {"curves": "splines", PROPORTIONAL_ODDS: "proportional_odds"}  # models of the pool, alone
GRID = 4_001  # scores at which the cheapest class is looked up first
CERTAIN = 30.0  # logits beyond the outermost cuts, where only one class is left
MARGIN = 3.0  # standard deviations beyond all training scores
PARTS = 5  # of the units: all but one choose a kind, and the last judges it
JUDGED = 5_000  # units at least, over all repeats


@dataclass(frozen=True, eq=False)
class KindMaker:
    """How the kinds of one table are fitted, to class codes 0 .. r - 1.

    Attributes
    ----------
    table : DataFrame or ndarray
        All rows: parts of it are prepared as the whole is.
    columns : {"features", "splines", "models"} or transformer
        What linear models weigh.
    prepare : bool or Preparation
        Whether categories, dates and gaps are turned into numbers, and how.
    random_state : int or None
        Seed of what is random.
    n_jobs : int or None
        Fits at the same time, two by default.
    conditions : int
        Conditions of a scorecard.
    """

    table: Any
    columns: ColumnKind | Any = "features"
    prepare: bool | Preparation = True
    random_state: int | None = None
    n_jobs: int | None = None
    conditions: int = 8

    def fit_linear(self, samples: Samples, goal: Goal) -> OrdinalLinearClassifier:
        """Fit the linear rule for a goal."""
        transformer = columns_transformer(self.table, self.columns, self.prepare, self.random_state)
        return fit_linear_rule(samples, transformer, goal).model


def scoring_rule(
    fitted: AdditiveOdds | ProportionalOdds,
    preparation: Preparation | None,
    names: tuple[str, ...] | None,
) -> OrdinalLinearClassifier:
    """Return a fitted base model as weights and thresholds, and probabilities by its score.

    ``names`` are those of the prepared columns that it was fitted to.
    """
    steps: list[Any] = [] if preparation is None else [preparation]
    if isinstance(fitted, AdditiveOdds):
        if names is not None:
            fitted.columns_.feature_names_in_ = np.array(names, dtype=object)
        steps.append(fitted.columns_)
        names = tuple(map(str, fitted.columns_.get_feature_names_out()))
    columns = make_pipeline(*steps) if steps else None
    by_score = ScoreCalibration(slope=1.0, cuts=fitted.thresholds_.tolist())
    return OrdinalLinearClassifier(
        fitted.coef_, fitted.thresholds_, fitted.classes_, names, columns, by_score
    )


def outer_scores(scores: Floats) -> Floats:
    """Return a score below and one above all scores (n,)."""
    margin = MARGIN * (scores.std() or 1.0)
    return np.array([scores.min() - margin, scores.max() + margin])


def cheapest_thresholds(scores: Floats, calibration: ScoreCalibration, costs: Floats) -> Floats:
    """Return the thresholds (r - 1,) of least expected cost along a score, to the last digits.

    Those of classes that are never cheapest lie outside of all ``scores`` (n,).
    """
    return _cheapest_on(score_grid(scores, calibration), calibration, costs)


def cheapest_referral(
    scores: Floats, calibration: ScoreCalibration, costs: Floats, label: str
) -> Referral:
    """Return for which scores a row is left to a person, by costs (r, r + 1)."""
    grid = score_grid(scores, calibration)
    cuts = _cheapest_on(grid, calibration, answers_in_turn(costs))
    return Referral.along(label, grid, cuts)


def score_grid(scores: Floats, calibration: ScoreCalibration) -> Floats:
    """Return ascending scores between which the cheapest class changes at most once, or hardly."""
    grid = outer_scores(scores)
    if calibration.slope > 0.0:
        # Where probabilities change, wherever scores may lie.
        low, high = calibration.cuts[0] - CERTAIN, calibration.cuts[-1] + CERTAIN
        grid = np.union1d(grid, np.linspace(low, high, GRID) / calibration.slope)
    return grid


def _cheapest_on(grid: Floats, calibration: ScoreCalibration, costs: Floats) -> Floats:
    """Return the cuts (m - 1,) between answers of costs (r, m) that cost least along a grid."""
    thresholds = cheapest_cuts(grid, calibration.probabilities(grid) @ costs)[0]
    classes = (grid[:, None] > thresholds).sum(axis=1)
    for i in np.flatnonzero(np.diff(classes)):
        lower, upper = classes[i], classes[i + 1]

        def gain(score: float, beside: Floats = costs[:, lower] - costs[:, upper]) -> float:
            return float((calibration.probabilities(np.array([score])) @ beside)[0])

        if gain(grid[i]) < 0.0 < gain(grid[i + 1]):  # between them both classes cost the same
            thresholds[lower:upper] = brentq(gain, grid[i], grid[i + 1], xtol=1e-300)
    return thresholds


def choose_kind(
    losses: Mapping[str, tuple[float, Floats]], choice: Choice = "cheapest", scale: float = 0.0
) -> str:
    """Return the kind to hand over, of losses on new data by kind, simplest first.

    ``"cheapest"``: that of the least loss; ``"simple"``: the simplest of those whose loss is within
    5 % of the least, or of ``scale``.
    """
    least = min(losses, key=lambda kind: losses[kind][0])
    if choice != "simple":
        return least
    near = losses[least][0] + NEAR * abs(scale or losses[least][0])
    return next(kind for kind, (loss, _) in losses.items() if loss <= near)


def loss_apart(
    losses: Callable[[Integers], Mapping[str, Floats]],
    groups: Integers,
    choice: Choice,
    scale: float,
) -> float:
    """Return the mean loss of the kinds that some units choose, on others.

    A kind that is chosen by the figures that are shown looks better in them than it is; so does
    what decides by the class shares of the rows that judge it, as stratified folds let it. Here
    units are dealt without regard to class, and no model is fitted again (Tsamardinos, Greasidou &
    Borboudakis 2018, Machine Learning 107, 1895-1922).

    ``losses`` gives those of units (u,) by kind if the class shares of some units decide;
    ``groups`` (u,) says which stay together; ``choice`` and ``scale`` are as in `choose_kind`.
    """
    groups, judged = np.unique(groups, return_inverse=True)[1], []
    repeats = -(-JUDGED // len(groups))
    for units, rest in Folds.deal(groups, np.zeros_like(groups), PARTS, n_repeats=repeats):
        known = losses(units)
        seen = {kind: (loss[units].mean(), loss[units]) for kind, loss in known.items()}
        judged.append(known[choose_kind(seen, choice, scale)][rest])
    return float(np.concatenate(judged).mean())


def check_kind(kind: str | None, kinds: tuple[str, ...]) -> tuple[tuple[str, ...], Choice]:
    """Return the kinds to fit and how to choose between them."""
    if kind is None:
        return kinds, "cheapest"
    if kind in get_args(Choice):
        return kinds, kind  # type: ignore[return-value]
    if kind not in kinds:
        known = ", ".join((*kinds, *get_args(Choice)))
        raise ValueError(f"unknown kind {kind!r}: choose from {known}")
    return (kind,), "cheapest"
