"""Failing models, in a module of their own that other processes can import."""

import sys

import pytest

MODULE = '''
import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression


class Raising(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        raise RuntimeError("no licence\\n\\nsecond paragraph")


class RaisingOnce(LinearRegression):
    """It fails in the fold that omits the last row."""

    def fit(self, X, y):
        if X[:, 0].max() < 2.0:
            raise ValueError("where is it")
        return super().fit(X, y)


class Missing(LinearRegression):
    def predict(self, X):
        return np.full(len(X), np.nan)


class Constant(LinearRegression):
    def predict(self, X):
        return np.full(len(X), 2.0)

'''


@pytest.fixture(scope="session")
def odd_models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd_models_of_a_user.py").write_text(MODULE, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        import odd_models_of_a_user

        yield odd_models_of_a_user
    finally:
        sys.path.remove(str(folder))
