"""Results of the models in a comparison, and their measures in each fold."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from moselect._types import Floats, Integers
from moselect.learning import CV, Fitted, FoldPredictions, join_folds
from moselect.metrics.objectives import short_measure
from moselect.metrics.scorers import OrdinalScorer, find_measures
from moselect.samples.folds import Folds
from moselect.samples.labels import encode_labels
from moselect.samples.samples import Samples
from moselect.samples.validation import require_samples

FITTED = "fitted"
PLUG_IN = "plug-in"
AS_IS = "as it is"


@dataclass(frozen=True, eq=False)
class ModelResult:
    """Cross-validation result of one model.

    Attributes
    ----------
    description : str
        Class and changed parameters of the estimator.
    fold_predictions : tuple of FoldPredictions
        Predictions for the test samples of each fold; empty if the model failed in any.
    failure : str, optional
        Reason of the failure.
    for_costs : bool
        Whether the model decides for costs, of the comparison or of its own.

    Examples
    --------
    >>> ModelResult("LogisticRegression()", failure="y has one class only").failure
    'y has one class only'
    """

    description: str
    fold_predictions: tuple[FoldPredictions, ...] = ()
    failure: str | None = None
    for_costs: bool = False

    @property
    def decision(self) -> str:
        """Decision rule: fitted to the costs, plug-in of the probabilities, or as it is."""
        if self.for_costs:
            return FITTED
        has_proba = all(
            part.predictions.proba is not None for part in self.fold_predictions
        )
        return PLUG_IN if has_proba else AS_IS

    def fitted(self, terms: float, seconds: float) -> Fitted:
        """Return the out-of-fold predictions, in the order of the samples, as a candidate's.

        Predictions of a model that decides for costs have no probabilities, so that its
        own decisions stay.
        """
        predictions = join_folds(self.fold_predictions)
        if self.for_costs:
            predictions = predictions._replace(proba=None)
        return Fitted(None, {CV: predictions}, terms, seconds)


SECONDS = ("fit_seconds", "predict_seconds")
NOT_AVAILABLE = "n/a"


class FoldMeasures(NamedTuple):
    """Measures, times and numbers of terms, one row per model and fold.

    ``reasons`` tell why a measure of a model is undefined in all or some folds.
    """

    values: pd.DataFrame
    reasons: dict[tuple[str, str], str]


def measure_folds(
    results: Mapping[str, ModelResult],
    folds: Folds,
    samples: Samples,
    scale: NDArray[np.generic],
    measures: Sequence[str],
) -> FoldMeasures:
    """Measure the models in each fold; all is NaN for a model that failed.

    Errors in ranks count the classes of the whole ``scale``, also those without samples.
    """
    chosen = find_measures(measures)
    # A ranking of fewer classes is another measure: the classes of any test fold count in all.
    tested = np.unique(samples.codes[folds.tested])
    ranks = encode_labels(samples.classes, scale)
    index = pd.MultiIndex.from_product(
        [list(results), range(len(folds))], names=["model", "fold"]
    )
    figures = (*SECONDS, "n_terms")
    values = pd.DataFrame(np.nan, index, [*measures, *figures])
    failures = defaultdict[tuple[str, str], list[str]](list)
    for name, result in results.items():
        for fold, part in enumerate(result.fold_predictions):
            row = {figure: getattr(part, figure) for figure in figures}
            for measure in chosen:
                try:
                    row[measure.name] = _measure(
                        measure, samples.take(part.rows), part, tested, ranks, len(scale)
                    )
                except ValueError as error:
                    failures[name, measure.name].append(str(error))
            values.loc[(name, fold), list(row)] = list(row.values())
    n_folds = len(folds)
    reasons = {
        key: lines[0]
        + f" ({len(lines)} of {n_folds} folds, not in the mean)" * (len(lines) < n_folds)
        for key, lines in failures.items()
    }
    return FoldMeasures(values, reasons)


def _measure(
    measure: OrdinalScorer,
    samples: Samples,
    part: FoldPredictions,
    tested: Integers,
    ranks: Integers,
    n_ranks: int,
) -> float:
    """Compute a measure on the test samples of one fold; ValueError if undefined.

    ``tested`` are the class codes that a ranking measure takes; ``ranks`` (r,) are the
    positions of the classes on a scale of ``n_ranks``.
    """
    codes, scores, proba = part.predictions
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


def readable_table(table: pd.DataFrame) -> pd.DataFrame:
    """Format a table of means as text: mean ± sd, best models first and with a star."""
    measures = [name for name in table.columns.unique(0) if name != "seconds"]
    means, spreads, ranks = (
        pd.DataFrame({name: table[name, figure] for name in measures})
        for figure in ("mean", "sd", "rank")
    )
    cells = (
        means.map("{:.3f}".format)
        + spreads.map("±{:.2f}".format)
        + ranks.eq(1.0).map(" *".__getitem__)
    )
    # An sd below 1 without its zero; no sd of a single fold.
    shown = cells.replace({"±nan": "", r"±0\.": "±.", "^nan": NOT_AVAILABLE}, regex=True)
    shown.columns = [f"{short_measure(measure)} " for measure in measures]
    seconds = table["seconds", "fit"].map("{:.3f}".format)
    shown["fit s"] = seconds.replace("nan", NOT_AVAILABLE)
    order = ranks.mean(axis=1).sort_values(kind="stable").index
    return shown.loc[order].rename_axis(None)
