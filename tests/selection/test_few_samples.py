"""Tables of a dozen rows, where some candidates cannot be fitted in each fold."""

import numpy as np
import pytest

from moselect.metrics import Costs, cost_matrix
from moselect.samples.samples import Samples
from moselect.scorecard import Scorecard
from moselect.selection.decision_loss import DecisionLoss
from tests.selection.decisions import decide

CODES = np.tile([0, 1, 2], 4)
COSTS = Costs([1, 1, 5])


@pytest.mark.filterwarnings("ignore:model")
def test_candidates_that_fail_in_a_fold_are_excluded_with_a_reason():
    folds = np.arange(12) % 4
    x = np.arange(12.0) * (folds == 0)  # constant in the other folds
    decision = decide(Samples.from_table(x[:, None], CODES), folds)
    loss = DecisionLoss(cost_matrix([1, 1, 5]))
    # An ensemble takes long to fit.
    decision.fits.known["ensemble"] = decision.fits("proportional odds", loss)
    evidence = decision.select(COSTS).evidence
    assert "no condition tells classes apart" in evidence.excluded["scorecard"]
    assert evidence.selected in evidence.candidates.index
    with pytest.raises(ValueError, match="scorecard cannot be fitted: no condition"):
        decision.select(COSTS, "scorecard")


def test_a_scorecard_without_informative_conditions_is_refused():
    with pytest.raises(ValueError, match="no condition tells classes apart"):
        Scorecard().fit(np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], 2)[:, None], CODES)
