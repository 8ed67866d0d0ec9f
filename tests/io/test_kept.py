"""Stored candidates of a run folder: the same selection without a fit, for the same data only."""

import numpy as np
import pandas as pd
import pytest

from moselect.candidates.candidates import CandidateFactory
from moselect.costs import Costs
from moselect.io.kept import FOLDER, KeptEvidence
from moselect.preprocessing.preparation import schema_of
from moselect.samples.samples import Samples
from moselect.selection import Decision

RECORD = {"data": {"fingerprint": "a"}, "settings": {"random_state": 0, "n_jobs": 1}}
COSTS = Costs([1, 2, 5])


def decision():
    rng = np.random.default_rng(0)
    x = rng.normal(size=90)
    colour = rng.choice(["red", "green"], size=90)
    codes = np.digitize(x + (colour == "red") + 0.5 * rng.normal(size=90), [0.0, 1.0])
    table = pd.DataFrame({"x": x, "colour": colour})
    classes = np.array(["low", "mid", "high"])
    samples = Samples(table, codes, classes, schema=schema_of(table))
    return Decision(samples, CandidateFactory(samples.schema, random_state=0, n_jobs=1))


@pytest.fixture(scope="module")
def keep(tmp_path_factory):
    """Select a candidate and store the fits in a run folder."""

    def decide(candidate):
        run = tmp_path_factory.mktemp("run")
        first = decision()
        fits = KeptEvidence(run, RECORD, first)
        model = first.select(COSTS, candidate)
        fits.keep()
        return run, model, first.samples.X

    return decide


@pytest.fixture(scope="module")
def kept(keep):
    return keep("additive")


@pytest.mark.parametrize(
    "candidate", ["additive", pytest.param("ensemble", marks=pytest.mark.slow)]
)
def test_a_second_selection_is_the_same_without_a_fit(kept, keep, candidate):
    run, before, table = kept if candidate == "additive" else keep(candidate)
    second = decision()
    KeptEvidence(run, {**RECORD, "settings": {"random_state": 0, "n_jobs": 2}}, second)
    assert set(second.fits.known) == {candidate, "proportional odds"}
    model = second.select(COSTS, candidate)
    pd.testing.assert_frame_equal(model.evidence.candidates, before.evidence.candidates)
    np.testing.assert_array_equal(model.predict_proba(table), before.predict_proba(table))
    np.testing.assert_array_equal(model.predict(table), before.predict(table))
    # The stored model of each fold predicts its test fold as in the cross-validation.
    models = second.fits.find_fold_models(candidate)
    proba = second.fits.known[candidate].cv.proba
    for fold_model, (_, test) in zip(models, second.folds, strict=True):
        predicted = fold_model.predict_proba(table.iloc[test])
        np.testing.assert_allclose(predicted, proba[test], rtol=1e-9)


@pytest.mark.parametrize(
    "record",
    [
        {**RECORD, "data": {"fingerprint": "b"}},
        {**RECORD, "settings": {"random_state": 1, "n_jobs": 1}},
    ],
)
def test_evidence_of_other_data_or_settings_is_not_used(kept, record):
    other = decision()
    KeptEvidence(kept[0], record, other)
    assert not other.fits.known


def test_damaged_files_are_fitted_again(kept):
    path = kept[0] / FOLDER / "additive.npz"
    content = path.read_bytes()
    path.write_bytes(content[:700] + b"???" + content[703:])
    again = decision()
    fits = KeptEvidence(kept[0], RECORD, again)
    assert set(again.fits.known) == {"proportional odds"}
    again.select(COSTS, "additive")
    fits.keep()
    again = decision()
    KeptEvidence(kept[0], RECORD, again)
    assert "additive" in again.fits.known
