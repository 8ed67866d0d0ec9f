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
    *("accuracy", "mean_absolute_error", "macro_mean_absolute_error"),
    *("vus", "u_ovo"),
)


@dataclass(frozen=True)
class Measure:
    """A measure of what a model says of held-out samples: sign -1 is that of an error."""

    name: str
    scorer: OrdinalScorer
    sign: float

    def __call__(self, samples: Samples, part: HeldOut, classes: Integers) -> float:
        """Measure the samples of one fold; ValueError, with the reason, if undefined.

        A ranking is of those ``classes`` of which some fold holds samples out.
        """
        scorer, own = self.scorer, {"sample_weight": samples.weights}
        true, r = samples.codes, samples.n_classes
        if scorer.response == "score":
            value = scorer.metric(true, part.scores, labels=classes.tolist(), **own)
        elif scorer.response == "proba":
            if part.proba is None:
                raise ValueError("the model gives no probabilities")
            value = scorer.metric(true, part.proba, labels=range(r), **own)
        else:  # distances over all classes, averages over those seen
            ordered = pd.Categorical(true, categories=range(r), ordered=True)
            value = scorer.metric(ordered, part.predicted, **own)
        return self.sign * (scorer.offset + scorer.scale * float(value))


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


# An expected cost needs costs: `Comparison.costs` asks for them.
MEASURES = {
    (name := scorer_name.removeprefix("neg_")): Measure(
        name, get_scorer(scorer_name), 1.0 if name == scorer_name else -1.0
    )
    for scorer_name in get_scorer_names()
    if scorer_name != "neg_expected_cost"
}
