"""Results do not depend on the global configuration of scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from skordinal.classifiers import NNPOM

from moselect import CostThresholdClassifier, ParetoSearch, compare
from moselect.models import ProportionalOdds, SkordinalClassifier
from tests.any_tables import ordinal_table

ARRAY, Y = ordinal_table(120)
ROWS = np.arange(120)
TABLE = pd.DataFrame(ARRAY, columns=["a", "b", "c"]).assign(
    town=[f"town {row * 7 % 20}" for row in ROWS]
)
ROLES = {"sample_weight": 0.5 + ROWS % 2, "groups": ROWS // 2}
PIPELINE = make_pipeline(StandardScaler(), LogisticRegression())


def select(candidate):
    search = ParetoSearch(n_iterations=1, cv=None, random_state=0)
    model = search.fit(TABLE, Y, **ROLES).select([1, 2, 5], model=candidate)
    return model.evidence.candidates.drop(columns="seconds")


RESULTS = {
    "odds": lambda: ProportionalOdds().fit(ARRAY, Y).coef_,
    "network": lambda: (
        SkordinalClassifier(NNPOM(max_iter=5, random_state=0))
        .fit(ARRAY, Y)
        .predict(ARRAY)
    ),
    "thresholds": lambda: (
        CostThresholdClassifier(PIPELINE, class_costs=[1, 2, 5])
        .fit(ARRAY, Y, **ROLES)
        .thresholds_
    ),
    "selection": lambda: select("proportional odds"),
    "scorecard": lambda: select("scorecard"),
    "comparison": lambda: compare(PIPELINE, ARRAY, Y, random_state=0, **ROLES).confusion,
}


@pytest.mark.parametrize("result", RESULTS)
@pytest.mark.parametrize(
    "configured",
    [
        {"transform_output": "pandas"},
        {"transform_output": "polars"},
        {"enable_metadata_routing": True},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_results_are_those_of_the_default_configuration(result, configured):
    expected = RESULTS[result]()
    with config_context(**configured):
        found = RESULTS[result]()
    np.testing.assert_array_equal(found, expected)
