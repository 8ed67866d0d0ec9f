import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def table():
    """Draw a number that follows the classes, and a category that does not."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 200)
    X = pd.DataFrame(
        {"age": codes + rng.normal(size=200), "town": rng.choice(list("abc"), 200)}
    )
    return X, codes
