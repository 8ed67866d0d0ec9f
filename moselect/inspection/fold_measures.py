"""Measures of candidates in each test fold: means, deviations, ranks and Pareto front."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from moselect._types import Floats, Integers, Labels, record
from moselect.evaluation.decision import Evaluation
from moselect.labels.labels import encode_labels
from moselect.metrics.objectives import short_measure
from moselect.metrics.scorers import OrdinalScorer, find_measures
from moselect.models.learner import Predictions
from moselect.samples.samples import Samples
from moselect.validation import require_samples

DEFAULT_MEASURES = (
    "accuracy",
    "mean_absolute_error",
    "macro_mean_absolute_error",
    "vus",
    "u_ovo",
)


@record
class FoldMeasures:
    """Measures of candidates in each test fold.

    Attributes
    ----------
    per_fold : DataFrame
        One row per candidate and fold, one column per measure.
    undefined : dict of (str, str) to str
        Reasons why a measure of a candidate is undefined in all or some folds, by candidate
        and measure. Means and deviations are over the other folds.

    Examples
    --------
    >>> rows = pd.MultiIndex.from_product([["a", "b"], [0, 1]], names=["model", "fold"])
    >>> measures = FoldMeasures(pd.DataFrame({"vus": [0.5, 0.7, 0.2, 0.4]}, rows), {})
    >>> measures.summary["vus", "rank"].tolist()
    [1.0, 2.0]
    >>> measures.front()
    ['a']
    """

    per_fold: pd.DataFrame
    undefined: Mapping[tuple[str, str], str]

    @property
    def summary(self) -> pd.DataFrame:
        """Mean, sd and rank of each measure, one row per candidate.

        Rank 1 is best, equal means share the better rank, and a candidate without the
        measure has none. The sd is between folds; it is not the standard error of the mean.
        """
        parts = {}
        for measure in find_measures([*self.per_fold]):
            values = self.per_fold[measure.name].unstack("model", sort=False)
            mean = values.mean()
            rank = mean.rank(method="min", ascending=measure.sign < 0.0)
            columns = {"mean": mean, "sd": values.std(), "rank": rank}
            parts[measure.name] = pd.DataFrame(columns)
        return pd.concat(parts, axis=1)

    def front(self) -> list[str]:
        """Return the Pareto-optimal candidates by the means of the measures.

        Candidates with an undefined mean are left out, and ties are kept.
        """
        import moocore  # slow, and only comparisons have a front of their measures

        means = self.summary.xs("mean", axis=1, level=1).dropna()
        gains = means * [measure.sign for measure in find_measures([*means])]
        best = moocore.is_nondominated(gains.to_numpy(), maximise=True, keep_weakly=True)
        return list(map(str, means.index[best]))

    @property
    def notes(self) -> list[str]:
        """Undefined measures, one line for each measure and reason."""
        names: dict[tuple[str, str], list[str]] = {}
        for (name, measure), reason in self.undefined.items():
            names.setdefault((measure, reason), []).append(name)
        return [
            f"{short_measure(measure)} not available for {', '.join(listed)}: {reason}"
            for (measure, reason), listed in names.items()
        ]


def measure_folds(
    evaluations: Mapping[str, Evaluation], scale: Labels, names: Sequence[str]
) -> FoldMeasures:
    """Measure the predictions of each candidate, before any decision for costs, in each fold.

    Errors in ranks count the classes of the whole ``scale``, also those without samples.
    """
    measures = find_measures(names)
    splits = next(iter(evaluations.values())).splits
    samples = splits.cv if splits.positions is None else splits.cv.take(splits.positions)
    # A ranking of fewer classes is another measure: the classes of any test fold count in all.
    tested = np.unique(samples.codes)
    ranks = encode_labels(samples.classes, scale)
    folds = np.unique(splits.folds)
    index = pd.MultiIndex.from_product([evaluations, folds], names=["model", "fold"])
    values = pd.DataFrame(np.nan, index, [measure.name for measure in measures])
    failures = defaultdict[tuple[str, str], list[str]](list)
    for name, evaluation in evaluations.items():
        for fold in folds:
            rows = splits.folds == fold
            part = samples.take(rows), evaluation.fit.cv.take(rows)
            for measure in measures:
                try:
                    value = _measure(measure, *part, tested, ranks, len(scale))
                    values.loc[(name, fold), measure.name] = value
                except ValueError as error:
                    failures[name, measure.name].append(str(error))
    undefined = {
        key: lines[0]
        + f" ({len(lines)} of {len(folds)} folds, not in the mean)"
        * (len(lines) < len(folds))
        for key, lines in failures.items()
    }
    return FoldMeasures(values, undefined)


def _measure(
    measure: OrdinalScorer,
    samples: Samples,
    predictions: Predictions,
    tested: Integers,
    ranks: Integers,
    n_ranks: int,
) -> float:
    """Compute a measure on the test samples of one fold; ValueError if undefined.

    ``tested`` are the class codes that a ranking measure takes; ``ranks`` (r,) are the
    positions of the classes on a scale of ``n_ranks``.
    """
    codes, scores, proba = predictions
    response: Floats | Integers = scores
    if measure.response == "score":
        counts = np.bincount(samples.codes, minlength=samples.n_classes)
        require_samples(counts[tested], samples.classes[tested], "a ranking")
        measure = replace(measure, options={"labels": ranks[tested]})
    elif measure.response == "predict":
        response = ranks[codes]
    elif proba is None:
        raise ValueError("the model gives no probabilities")
    else:
        response = np.zeros((len(proba), n_ranks))
        response[:, ranks] = proba
    return measure.measure(
        ranks[samples.codes], response, np.arange(n_ranks), samples.weights
    )
