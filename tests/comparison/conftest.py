import numpy as np
import pandas as pd
import pytest

CLASSES = ["low", "mid", "high"]


@pytest.fixture(scope="session")
def data():
    """Features and ordered labels of 90 samples in three unequal classes."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame(rng.normal(size=(90, 3)), columns=list("abc"))
    hidden = X["a"] - 0.5 * X["b"] + rng.normal(scale=0.7, size=90)
    codes = np.digitize(hidden, np.quantile(hidden, [0.5, 0.8]))
    return X, pd.Series(pd.Categorical.from_codes(codes, CLASSES, ordered=True))
