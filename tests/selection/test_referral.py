import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import moselect
from moselect.costs.decisions import costs_in_order
from moselect.export import export_model
from moselect.io import read_model, write_model
from moselect.predictor.decisions import Thresholds
from moselect.predictor.score_calibration import ScoreCalibration, cheapest_referral
from moselect.samples import Samples
from tests.any_tables import ordinal_table
from tests.selection.decisions import decide


@pytest.mark.checks("Limits, referral and trade-off", "every decision of each row")
@given(st.integers(2, 5), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_referral_thresholds_minimise_the_expected_cost(r, n, seed):
    rng = np.random.default_rng(seed)
    calibration = ScoreCalibration(
        slope=2.0, intercepts=np.sort(rng.normal(size=r - 1)).tolist()
    )
    # The cheapest class rises with the score, so that thresholds can attain it everywhere.
    costs = costs_in_order(rng.exponential(size=(r, r + 1)) * (1.0 - np.eye(r, r + 1)))
    scores = rng.normal(size=n)
    expected = calibration.probabilities(scores) @ costs
    decision = Thresholds(scores, cheapest_referral(scores, calibration, costs, "refer"))
    costs_incurred = expected[np.arange(n), decision.codes(scores)]
    assert_allclose(costs_incurred, expected.min(axis=1), atol=1e-9)


@pytest.mark.parametrize(
    "candidate",
    [
        "additive",
        *(
            pytest.param(k, marks=pytest.mark.slow)
            for k in ("scorecard", "linear", "ensemble")
        ),
    ],
)
def test_every_candidate_refers_rows_also_when_read_from_its_file(
    search, candidate, tmp_path
):
    found, X, _ = search
    model = found.select(class_costs=[1, 1, 4], model=candidate, refer={"person": 0.5})
    predicted = model.predict(X)
    expected = model.predict_proba(X) @ model.evidence.costs.in_use
    assert set(predicted) <= {"low", "mid", "high", "person"}
    assert 0 < (predicted == "person").sum() < 300
    # Each row gets the answer of least expected cost.
    at = np.array([model.answers.tolist().index(one) for one in predicted])
    assert_allclose(expected[np.arange(300), at], expected.min(axis=1), atol=1e-9)
    counts = model.evidence.confusion
    assert counts.columns.tolist() == ["low", "mid", "high", "person"]
    assert counts.to_numpy().sum() == 300
    file = tmp_path / ("model.npz" if candidate == "ensemble" else "model.json")
    write_model(file, model)
    assert_array_equal(read_model(file).predict(X), predicted)


def test_sql_exports_refer_the_same_rows(search, tmp_path):
    import duckdb

    found, X, _ = search
    model = found.select(class_costs=[1, 1, 4], model="additive", refer=0.5)
    export_model(model, tmp_path / "m.sql")
    with duckdb.connect() as database:
        database.register("data", X.reset_index())
        rows = (
            database.execute((tmp_path / "m.sql").read_text()).df().sort_values("index")
        )
    assert rows["class"].tolist() == model.predict(X).astype(str).tolist()


def test_limits_count_referred_rows(search):
    found, _, _ = search
    model = found.select(
        class_costs=[1, 1, 4], model="additive", refer=0.5, limits={"high<mid": 0.2}
    )
    counts = model.evidence.confusion.to_numpy()
    (limit,) = model.evidence.limits
    assert limit.share == pytest.approx(counts[2, 0] / counts[2].sum())
    assert (model.evidence.price("high<mid")["cost"].diff().dropna() >= 0).all()


@pytest.mark.parametrize(
    ("refer", "message"),
    [
        ({"low": 1.0}, "'low' is a class"),
        (-1.0, "at least 0"),
        ({"a": 1.0, "b": 2.0}, "refer has 2 labels: give one"),
        ("dear", "refer must hold real numbers"),
    ],
)
def test_impossible_referrals_are_refused(search, refer, message):
    with pytest.raises(ValueError, match=message):
        search[0].select(class_costs=[1, 1, 4], refer=refer)


@pytest.mark.parametrize(
    "candidate", [pytest.param("linear", marks=pytest.mark.slow), "proportional odds"]
)
def test_a_review_that_nobody_needs_changes_nothing(candidate):
    X, codes = ordinal_table(120)
    selector = decide(Samples.from_table(X, codes))
    plain, reviewed = (
        selector.select(moselect.Costs([1, 2, 5], refer=refer), model=candidate)
        for refer in (None, 100.0)
    )
    pd.testing.assert_frame_equal(plain.evidence.candidates, reviewed.evidence.candidates)
    assert plain.evidence.differences == reviewed.evidence.differences
    assert plain.evidence.expected_se == reviewed.evidence.expected_se
    assert_array_equal(plain.predict(X), reviewed.predict(X))
