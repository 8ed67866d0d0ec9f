"""What models are measured by: the scorers of `moselect.metrics`, errors as errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from moselect._types import Integers
from moselect.learning import HeldOut
from moselect.metrics import get_scorer, get_scorer_names
from moselect.metrics.scorers import OrdinalScorer
from moselect.samples import Samples

DEFAULT_MEASURES = (
    "accuracy",
    "mean_absolute_error",
    "macro_mean_absolute_error",
    "vus",
    "u_ovo",
)


@dataclass(frozen=True)
class Measure:
    """A measure of what a model says about held-out samples: sign -1 is that of an error."""

    name: str
    scorer: OrdinalScorer
    sign: float

    def __call__(self, samples: Samples, part: HeldOut, classes: Integers) -> float:
        """Measure the samples of one fold; ValueError, with the reason, where it is not defined.

        A ranking is of those ``classes`` of which some fold holds samples out.
        """
        scorer, codes, own = self.scorer, samples.codes, samples.weights
        if scorer.response == "score":
            value = scorer.metric(
                codes, part.scores, labels=classes.tolist(), sample_weight=own
            )
        elif scorer.response == "proba":
            if part.proba is None:
                raise ValueError("the model gives no probabilities")
            value = scorer.metric(
                codes, part.proba, labels=range(samples.n_classes), sample_weight=own
            )
        else:  # distances over all classes, averages over those seen
            true = pd.Categorical(
                codes, categories=range(samples.n_classes), ordered=True
            )
            value = scorer.metric(true, part.predicted, sample_weight=own)
        return self.sign * (scorer.offset + scorer.scale * float(value))


def find_measures(names: Sequence[str]) -> tuple[Measure, ...]:
    """Return measures by name; ValueError if there is none, or one is unknown or named twice."""
    if isinstance(names, str):
        names = [names]
    if len(names) == 0:
        raise ValueError("measures is empty: name at least one")
    for name in names:
        if name not in MEASURES:
            raise ValueError(
                f"unknown measure {name!r}: choose from {', '.join(sorted(MEASURES))}"
            )
    if len(set(names)) < len(names):
        raise ValueError(f"measures names one twice: {', '.join(names)}")
    return tuple(MEASURES[name] for name in names)


def _measure(scorer: OrdinalScorer) -> Measure:
    name = scorer.name.removeprefix("neg_")
    return Measure(name, scorer, 1.0 if name == scorer.name else -1.0)


# An expected cost needs costs: `Comparison.costs` asks for them.
MEASURES = {
    measure.name: measure
    for measure in (
        _measure(get_scorer(name))
        for name in get_scorer_names()
        if name != "neg_expected_cost"
    )
}
