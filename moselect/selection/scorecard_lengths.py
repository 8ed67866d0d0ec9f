"""Cross-validated value of a scorecard by its number of conditions."""

from dataclasses import replace

import numpy as np
import pandas as pd

from moselect.candidates.cross_validation import CV
from moselect.evaluation.decision import decide
from moselect.models.learner import Predictions
from moselect.models.scorecard.estimator import CardLearner
from moselect.models.scorecard.path import LONGEST
from moselect.models.scorecard.sheet import conditions_by_column
from moselect.selection.evidence import Evidence
from moselect.selection.selector import Selector


def scorecard_lengths(selector: Selector, evidence: Evidence) -> pd.DataFrame:
    """Cross-validate scorecards by length, as `moselect.ParetoSearch.scorecard_lengths`.

    Raises ValueError if the selected model is no scorecard.
    """
    learner = selector.fits.learners.get(evidence.selected)
    if not isinstance(learner, CardLearner):
        raise ValueError(
            f"the selected model, {evidence.selected}, is no scorecard: select with "
            "model='scorecard'"
        )
    samples = selector.samples
    folds = selector.folds
    # One fit a fold: the path of the longest card contains all shorter ones.
    learner = replace(learner, longest=LONGEST)
    cards = [learner.fit(samples.take(train)) for train, _ in folds]
    proba = [
        card.path_probabilities(samples.take(test).X)
        for card, (_, test) in zip(cards, folds, strict=True)
    ]
    out_of_fold = np.concatenate(proba, axis=1)[:, folds.order]  # (20, n, r)
    priced = evidence.criteria
    lengths = {}
    for n_conditions, of_length in enumerate(out_of_fold, start=1):
        of_cards = {CV: Predictions.of(of_length)}
        fit = replace(evidence.chosen.fit, predictions=of_cards)
        evaluation = decide(fit, priced, evidence.splits)
        loss, error = evaluation.figure()
        rules = [card.with_conditions(n_conditions).rule_ for card in cards]
        lengths[n_conditions] = {
            "columns": np.mean([len(conditions_by_column(rule)) for rule in rules]),
            evidence.value: priced.loss.value(loss),
            "std_error": error,
            **evaluation.measures(selector.objectives).loc[CV],
        }
    return pd.DataFrame.from_dict(lengths, orient="index").rename_axis("conditions")
