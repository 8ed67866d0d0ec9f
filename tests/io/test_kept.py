"""Stored candidates of a run folder: the same selection without a fit, for the same data only."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from pandas.testing import assert_frame_equal
from sklearn.naive_bayes import GaussianNB

from moselect.candidates import Candidate
from moselect.candidates.candidates import CandidateFits, FitSettings
from moselect.costs import Costs
from moselect.io.kept import FOLDER, KeptFits
from moselect.models.scorecard.estimator import CardLearner
from moselect.models.training_columns import columns_transformer, fit_columns
from moselect.preprocessing.preparation import schema_of
from moselect.report.columns import contributions_of_rows
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.selection import Selector

RECORD = {"data": {"fingerprint": "a"}, "settings": {"random_state": 0, "n_jobs": 1}}
COSTS = Costs([1, 2, 5])


def selector(run, record=RECORD):
    """Return a selector that stores fits in a run folder."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=90)
    colour = rng.choice(["red", "green"], size=90)
    codes = np.digitize(x + (colour == "red") + 0.5 * rng.normal(size=90), [0.0, 1.0])
    table = pd.DataFrame({"x": x, "colour": colour})
    classes = np.array(["low", "mid", "high"])
    samples = Samples(table, codes, classes, schema=schema_of(table))
    folds = Folds.from_index(np.arange(90) % 2)
    settings = FitSettings(random_state=0, n_jobs=1)
    store = KeptFits(run, record, samples, folds)
    return Selector(CandidateFits(samples, settings, folds, store=store))


def store_of(made, run, record=RECORD):
    return KeptFits(run, record, made.samples, made.folds)


@pytest.fixture(scope="module")
def keep(tmp_path_factory):
    """Select a candidate and store the fits in a run folder."""

    def decide(candidate):
        run = tmp_path_factory.mktemp("run")
        first = selector(run)
        return run, first.select(COSTS, candidate), first.samples.X

    return decide


@pytest.fixture(scope="module")
def kept(keep):
    return keep("additive")


@pytest.mark.parametrize(
    "candidate", ["additive", pytest.param("ensemble", marks=pytest.mark.slow)]
)
def test_a_second_selection_is_the_same_without_a_fit(kept, keep, candidate):
    run, before, table = kept if candidate == "additive" else keep(candidate)
    second = selector(run, RECORD | {"settings": {"random_state": 0, "n_jobs": 2}})
    second.fits.learners.clear()  # nothing can be fitted
    assert store_of(second, run).get("proportional odds")
    assert second.fits(candidate, second.criteria_of(COSTS)).model
    model = selector(run).select(COSTS, candidate)
    assert_frame_equal(model.evidence.candidates, before.evidence.candidates)
    assert_array_equal(model.predict_proba(table), before.predict_proba(table))
    assert_array_equal(model.predict(table), before.predict(table))


@pytest.mark.parametrize(
    "change",
    [{"data": {"fingerprint": "b"}}, {"settings": {"random_state": 1, "n_jobs": 1}}],
)
def test_evidence_of_other_data_or_settings_is_not_used(kept, change):
    record = RECORD | change
    other = selector(kept[0], record)
    assert store_of(other, kept[0], record).get("additive") is None


def test_damaged_files_are_fitted_again(kept):
    run = kept[0]
    path = run / FOLDER / "additive.npz"
    content = path.read_bytes()
    path.write_bytes(content[:700] + b"???" + content[703:])
    again = selector(run)
    store = store_of(again, run)
    assert store.get("additive") is None
    again.select(COSTS, "additive")
    assert store.get("additive")


def test_another_model_of_the_same_name_is_neither_read_nor_written(kept):
    run = kept[0]
    other = selector(run)
    other.fits.add(Candidate("additive", GaussianNB()))
    other.select(COSTS, "additive")
    content = store_of(other, run).get("additive").cv.proba
    assert not np.allclose(content, other.fits.known["additive"].cv.proba)


def test_contributions_are_computed_once_for_each_fit(kept):
    run = kept[0]
    made = selector(run)
    store = store_of(made, run)
    model = made.select(COSTS, "additive")
    first = store.contributions(model, model.evidence)
    (path,) = run.rglob("contributions-of-additive-*.npz")
    written = path.stat().st_mtime_ns
    other_costs = made.select(Costs([5, 2, 1]), "additive")
    found = store.contributions(other_costs, other_costs.evidence)
    assert_frame_equal(found, first)
    fresh = contributions_of_rows(other_costs, other_costs.evidence)
    assert_frame_equal(found, fresh)
    assert path.stat().st_mtime_ns == written
    in_use = made.select(Costs([1, 2, 5], priors=[0.8, 0.1, 0.1]), "additive")
    found = store.contributions(in_use, in_use.evidence)
    fresh = contributions_of_rows(in_use, in_use.evidence)
    assert_frame_equal(found, fresh)
    assert not np.allclose(found, first)
    made.fits.add(Candidate("additive", GaussianNB()))
    replaced = made.select(COSTS, "additive")
    assert not np.allclose(store.contributions(replaced, replaced.evidence), first)


def test_linear_rules_for_other_costs_start_from_kept_odds(keep):
    run, *_ = keep("linear")
    kept = {*run.rglob("odds*")}
    assert len(kept) == 3  # of all samples, and of two folds
    other = Costs([5, 2, 1])
    again = selector(run).select(other, "linear")
    assert {*run.rglob("odds*")} == kept
    made = selector(run)
    fresh = Selector(CandidateFits(made.samples, made.fits.settings, made.folds))
    expected = fresh.select(other, "linear")
    assert_array_equal(again.coef_, expected.coef_)
    assert_array_equal(again.thresholds_, expected.thresholds_)


def test_scorecards_of_each_length_are_fitted_once(kept):
    run = kept[0]
    made = selector(run)
    evidence = made.select(COSTS, "scorecard").evidence
    lengths = made.scorecard_lengths(evidence)
    again = selector(run)
    again.fits.learners["scorecard"] = CardLearner(None)  # nothing can be fitted
    assert_frame_equal(again.scorecard_lengths(evidence), lengths)


def test_columns_of_the_same_folds_are_not_fitted_again(tmp_path):
    made = selector(tmp_path)
    table = made.samples.X.assign(x=made.samples.X["x"].where(np.arange(90) % 7 > 0))
    samples = replace(made.samples, X=table, schema=schema_of(table))
    transformer = columns_transformer(samples, "features", True, 0)
    fit_columns(samples, transformer)
    expected = store_of(made, tmp_path).refit(samples, transformer, made.folds)
    assert (expected[0].X != expected[1].X).any()  # gaps have the median of each fold
    # Without a transformer nothing can be fitted.
    kept = store_of(made, tmp_path).refit(samples, None, made.folds)
    for part, again in zip(expected, kept, strict=True):
        assert_array_equal(again.X, part.X)
    for other, folds in (
        (samples, Folds.from_index(np.arange(90) // 45)),
        (samples.take(np.arange(89, -1, -1)), made.folds),
        (replace(samples, directions={"x": 1}), made.folds),
    ):
        with pytest.raises(TypeError):  # nothing is kept, and nothing can be fitted
            store_of(made, tmp_path).refit(other, None, folds)
