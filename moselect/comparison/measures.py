"""What models are measured by: the scorers of `moselect.metrics`, errors as errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from moselect._types import Integers
from moselect.learning import HeldOut
from moselect.metrics.scorers import SCORERS, OrdinalScorer
from moselect.samples import Samples

DEFAULT_MEASURES = (
    *("accuracy", "mean_absolute_error", "macro_mean_absolute_error"),
    *("vus", "u_ovo"),
)


class Measure(NamedTuple):
    """A measure of what a model says of held-out samples: sign -1 is that of an error."""

    name: str
    scorer: OrdinalScorer
    sign: float = 1.0

    def __call__(self, samples: Samples, part: HeldOut, classes: Integers) -> float:
        """Measure the samples of one fold; ValueError, with the reason, if undefined.

        A ranking is of those ``classes`` of which some fold holds samples out.
        """
        scorer, all_classes = self.scorer, np.arange(samples.n_classes)
        answers = {"predict": part.predicted, "score": part.scores, "proba": part.proba}
        said = answers[scorer.response]
        if said is None:
            raise ValueError("the model gives no probabilities")
        if scorer.response == "score":
            scorer = replace(scorer, options={"labels": classes})
        return scorer.measure(samples.codes, said, all_classes, samples.weights)


def find_measures(names: Sequence[str]) -> tuple[Measure, ...]:
    """Return measures by name; ValueError if there are none, or unknown or equal ones."""
    names = [names] if isinstance(names, str) else list(names)
    if not names:
        raise ValueError("measures is empty: name at least one")
    for name in names:
        if name not in MEASURES:
            known = ", ".join(sorted(MEASURES))
            raise ValueError(f"unknown measure {name!r}: choose from {known}")
    if len(set(names)) < len(names):
        raise ValueError(f"measures names one twice: {', '.join(names)}")
    return tuple(MEASURES[name] for name in names)


def _measured_by(scorer: OrdinalScorer) -> Measure:
    name = scorer.name.removeprefix("neg_")
    if name == scorer.name:
        return Measure(name, scorer)
    return Measure(name, replace(scorer, scale=1.0), -1.0)


# An expected cost needs costs: `Comparison.costs` asks for them.
MEASURES = {
    measure.name: measure
    for measure in map(_measured_by, SCORERS.values())
    if measure.name != "expected_cost"
}
