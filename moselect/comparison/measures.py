"""What models are measured by: the scorers of `moselect.metrics`, errors as errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from moselect._types import Integers
from moselect.comparison.held_out import HeldOut
from moselect.metrics import get_scorer, get_scorer_names
from moselect.metrics.scorers import OrdinalScorer

DEFAULT_MEASURES = ("accuracy", "mean_absolute_error", "macro_mean_absolute_error", "vus", "u_ovo")


@dataclass(frozen=True)
class Measure:
    """A measure of what a model says about held-out samples.

    Attributes
    ----------
    name : str
        Its name in tables.
    scorer : OrdinalScorer
        Where it comes from; errors are not negated.
    higher_is_better : bool
        Its direction.
    """

    name: str
    scorer: OrdinalScorer
    higher_is_better: bool

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return 1.0 if self.higher_is_better else -1.0

    def __call__(
        self, codes: Integers, held_out: HeldOut, classes: Integers, n_classes: int
    ) -> float:
        """Measure one fold.

        Parameters
        ----------
        codes : ndarray of shape (n,)
            True class codes of the samples held out.
        held_out : HeldOut
            What a model says about them.
        classes : ndarray of int
            Integers of the classes of which some fold holds samples out; a ranking is of these.
        n_classes : int
            Number r of all classes.

        Raises
        ------
        ValueError
            If the measure is not defined here; says why.
        """
        scorer = self.scorer
        if scorer.response == "score":
            value = scorer.metric(codes, held_out.scores, labels=classes.tolist())
        elif scorer.response == "proba":
            if held_out.proba is None:
                raise ValueError("the model gives no probabilities")
            value = scorer.metric(codes, held_out.proba, labels=range(n_classes))
        else:  # distances over all classes, averages over those seen
            true = pd.Categorical(codes, categories=range(n_classes), ordered=True)
            value = scorer.metric(true, held_out.predicted)
        return scorer.offset + scorer.scale * float(value)


def find_measures(names: Sequence[str]) -> tuple[Measure, ...]:
    """Return measures by name.

    Raises
    ------
    ValueError
        If there is none, one is unknown, or one is named twice.

    Examples
    --------
    >>> [measure.higher_is_better for measure in find_measures(["vus", "mean_absolute_error"])]
    [True, False]
    """
    if isinstance(names, str):
        names = [names]
    if len(names) == 0:
        raise ValueError("measures is empty: name at least one")
    for name in names:
        if name not in MEASURES:
            raise ValueError(f"unknown measure {name!r}: choose from {', '.join(sorted(MEASURES))}")
    if len(set(names)) < len(names):
        raise ValueError(f"measures names one twice: {', '.join(names)}")
    return tuple(MEASURES[name] for name in names)


def _measure(scorer: OrdinalScorer) -> Measure:
    if scorer.name.startswith("neg_"):
        name = scorer.name.removeprefix("neg_")
        return Measure(name, replace(scorer, name=name, scale=1.0), higher_is_better=False)
    return Measure(scorer.name, scorer, higher_is_better=True)


# An expected cost needs costs: `Comparison.costs` asks for them.
MEASURES = {
    measure.name: measure
    for measure in (
        _measure(get_scorer(name)) for name in get_scorer_names() if name != "neg_expected_cost"
    )
}
