"""Kinds that have decided for one goal: how good each is on new data, and which is handed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers
from moselect.decision.decided import Decided
from moselect.decision.differences import (
    BEHIND,
    PairedDifference,
    behind_best,
    cost_errors,
    loss_difference,
)
from moselect.decision.evidence import ERROR, NEW_DATA
from moselect.decision.goal import Goal
from moselect.decision.kinds import Choice, choose_kind, loss_apart
from moselect.samples import Samples

COLUMNS = (NEW_DATA, ERROR, *BEHIND, "held out", "training", "terms", "seconds")


class Judged:
    """Kinds and rivals that have decided for one goal, judged on the same samples.

    Parameters
    ----------
    decided : dict of str to Decided
        The kinds and rivals.
    goal : Goal
        What they are to be good at.
    by_cost : bool
        Whether the goal is a cost; else it is a preference, whose value is the gain over
        what needs no features.
    samples, tested : Samples
        The training samples, and those of them that some fold leaves out.
    folds : ndarray of shape (n,)
        The folds of the tested samples.

    Attributes
    ----------
    losses : dict of str to (float, ndarray of shape (u,))
        Loss of each on new data, and the influence of each unit on it.
    """

    def __init__(
        self,
        decided: Mapping[str, Decided],
        goal: Goal,
        by_cost: bool,
        samples: Samples,
        tested: Samples,
        folds: Integers,
    ) -> None:
        self.decided, self.goal, self.by_cost = decided, goal, by_cost
        self._samples, self._tested, self._folds = samples, tested, folds
        self._chance = goal.chance_loss(samples.codes, samples.each_weight)
        self.losses = {name: self.loss_of(one) for name, one in decided.items()}

    def loss_of(self, one: Decided) -> tuple[float, Floats]:
        """Return the loss of one on new data, and the influence (u,) of each unit on it."""
        return one.loss(self.goal, self._tested, one.new_data, self._folds)

    def error_of(self, name: str) -> float:
        """Return the standard error of the loss of one on new data."""
        return float(cost_errors(self.losses[name][1], self.goal.dearest(self._tested)))

    def value(self, loss: Any) -> Any:
        """Return a loss as it is shown: by preference it is what is missing to all gains."""
        return loss if self.by_cost else self._chance - loss

    def choose(
        self, eligible: list[str], choice: Choice, by_shares: bool
    ) -> tuple[str, float]:
        """Return the kind to hand over, and its loss as one that was not chosen by it.

        Kinds that meet their limits go before those that do not. ``by_shares`` says
        whether the shares of the classes in the data decide with the probabilities.
        """
        within = [name for name in eligible if self.decided[name].is_within]
        names = within or eligible
        # Differences of costs are shares of the cost.
        least = min(self.losses[name][0] for name in names)
        scale = 0.0 if self.by_cost else self.value(least)

        def paid(units: Integers) -> dict[str, Floats]:
            """Return the losses (u,) by kind if the class shares of some units decide."""
            return {
                name: np.add(*self.losses[name])
                + (self.decided[name].dearer(self.goal, units) if by_shares else 0.0)
                for name in names
            }

        tested = self._tested
        together = tested.undivided if tested.groups is None else np.unique(tested.groups)
        selected = choose_kind({name: self.losses[name] for name in names}, choice, scale)
        return selected, loss_apart(paid, together, choice, scale)

    def rules(self, held_out: Samples | None) -> pd.DataFrame:
        """Return what is shown of each: values on new data, held out, in training, and terms."""
        rows = {}
        for name, one in self.decided.items():
            rows[name] = {
                NEW_DATA: self.losses[name][0],
                ERROR: self.error_of(name),
                "training": one.loss(self.goal, self._samples, one.training)[0],
                "terms": one.fit.terms,
                "seconds": one.fit.seconds,
            }
            if held_out is not None and one.outside is not None:
                rows[name]["held out"] = one.loss(self.goal, held_out, one.outside)[0]
        rules = pd.DataFrame.from_dict(rows, orient="index")
        rules = rules.join(behind_best(self.losses, self.by_cost))
        rules = rules[[name for name in COLUMNS if name in rules]]
        for name in {NEW_DATA, "held out", "training"} & {*rules}:
            rules[name] = self.value(rules[name])
        return rules.sort_values(NEW_DATA, ascending=self.by_cost, kind="stable")

    def differences(self, selected: str) -> dict[str, PairedDifference]:
        """Return by how much the selected one is better than each other, where that is known."""
        own = self.losses[selected]
        found = {
            name: loss_difference(own, rival, self.by_cost)
            for name, rival in self.losses.items()
            if name != selected
        }
        return {name: each for name, each in found.items() if each is not None}

    def conditions(self) -> pd.DataFrame | None:
        """Return the value of scorecards by their number of conditions, None if there are none."""
        if "points" not in self.decided:
            return None
        conditions = self.decided["points"].by_conditions(self.goal, self._folds)
        if conditions is not None:
            conditions[NEW_DATA] = self.value(conditions[NEW_DATA])
        return conditions
