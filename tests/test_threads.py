"""One thread for BLAS while it matters."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from moselect._parallel import one_blas_thread
from moselect.models import AdditiveOdds, ProportionalOdds


def blas_threads():
    return {
        library["num_threads"]
        for library in threadpool_info()
        if library["user_api"] == "blas"
    }


@pytest.fixture(autouse=True)
def _two_threads():
    with threadpool_limits(limits=2, user_api="blas"):
        if blas_threads() != {2}:
            pytest.skip("this BLAS has one thread only")
        yield


def fail_with_one_thread():
    with one_blas_thread():
        assert blas_threads() == {1}
        raise ZeroDivisionError


def test_the_limit_holds_and_is_lifted_even_by_an_error():
    with pytest.raises(ZeroDivisionError):
        fail_with_one_thread()
    assert blas_threads() == {2}


@pytest.mark.parametrize(
    "model", [ProportionalOdds(), ProportionalOdds(alpha="cv"), AdditiveOdds()]
)
def test_models_do_not_depend_on_the_threads_of_sums(model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1_500, 12))
    y = np.digitize(X @ rng.normal(size=12) + rng.logistic(size=len(X)), [-2.0, 0.0, 2.0])
    two = model.fit(X, y).predict_proba(X)
    with threadpool_limits(1, "blas"):
        np.testing.assert_array_equal(model.fit(X, y).predict_proba(X), two)
