"""Fits to all samples beside those of the folds, in this process and in others."""

import threading
import warnings

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from moselect.budgets import PARALLEL
from moselect.candidates.candidates import CandidateFits, FitSettings
from moselect.candidates.cross_validation import cross_validate, fit_to_all
from moselect.models.learner import EstimatorLearner, FitError
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from tests.without_features import samples_of

FOLDS = Folds.from_index(np.arange(60) // 20)


class HastyNB(GaussianNB):
    """A classifier that warns in each fit."""

    def fit(self, X, y, sample_weight=None):
        for _ in range(2):
            warnings.warn("too few steps", ConvergenceWarning, stacklevel=2)
        return super().fit(X, y, sample_weight)


class LockedNB(GaussianNB):
    """A classifier that no other process can return."""

    def fit(self, X, y, sample_weight=None):
        self.lock_ = threading.Lock()
        return super().fit(X, y, sample_weight)


@pytest.fixture
def samples():
    rng = np.random.default_rng(1)
    codes = np.arange(60) % 3
    return Samples(rng.normal(size=(60, 2)) + codes[:, None], codes, np.array([1, 2, 3]))


def validate(estimator, samples, **settings):
    return cross_validate(EstimatorLearner(estimator), samples, FOLDS, **settings)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_model_of_all_samples_is_fitted_beside_the_folds(samples, n_jobs):
    splits = {"train": samples, "holdout": samples.take(np.arange(10))}
    of_all = fit_to_all(EstimatorLearner(LogisticRegression()), samples, splits)
    of_folds = validate(LogisticRegression(), samples)
    done = []
    settings = {"n_jobs": n_jobs, "report": lambda *progress: done.append(progress)}
    found = validate(LogisticRegression(), samples, splits=splits, **settings)
    assert done == [(k, 4) for k in (1, 2, 3, 4)]
    expected = {**of_all.predictions, **of_folds.predictions}
    assert found.predictions.keys() == expected.keys()
    for split, predictions in expected.items():
        assert_array_equal(found.predictions[split].proba, predictions.proba)
    assert_array_equal(
        found.model.predict_proba(samples.X), of_all.predictions["train"].proba
    )
    assert found.terms == of_all.terms


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_warnings_of_the_fit_to_all_samples_are_shown_once(samples, n_jobs):
    with pytest.warns(ConvergenceWarning, match="too few steps") as caught:
        found = validate(HastyNB(), samples, splits={"train": samples}, n_jobs=n_jobs)
    assert len(caught) == 1
    assert found.warnings == ()
    assert len(validate(HastyNB(), samples, n_jobs=n_jobs).warnings) == 3


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failure_on_all_samples_names_no_fold(samples, n_jobs):
    model = LogisticRegression(C=-1.0)
    with pytest.raises(FitError, match="'C' parameter") as caught:
        validate(model, samples, splits={"train": samples}, n_jobs=n_jobs)
    assert "fold" not in str(caught.value)


def test_a_model_that_cannot_be_sent_is_fitted_in_this_process(samples):
    found, expected = (
        validate(LockedNB(), samples, splits={"train": samples}, n_jobs=n_jobs)
        for n_jobs in (2, 1)
    )
    assert_array_equal(found.cv.proba, expected.cv.proba)
    codes = expected.predictions["train"].codes
    assert_array_equal(found.model.predict(samples.X), codes)


def test_many_rows_are_fitted_in_several_processes(monkeypatch):
    monkeypatch.setattr("moselect.candidates.candidates.cpu_count", lambda: 2)
    samples = samples_of(np.arange(PARALLEL.rows + 1) % 2)
    assert CandidateFits(samples, FitSettings()).n_jobs == 2
