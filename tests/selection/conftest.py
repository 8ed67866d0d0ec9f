import numpy as np
import pandas as pd
import pytest

import moselect


@pytest.fixture(scope="package")
def search():
    """Fit a search on a number, a category and three classes; return it and its data."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"x": rng.normal(size=300), "colour": rng.choice(["red", "green"], 300)}
    )
    score = X["x"] + (X["colour"] == "red") + 0.8 * rng.logistic(size=300)
    y = pd.cut(score, [-np.inf, 0.0, 1.5, np.inf], labels=["low", "mid", "high"])
    return moselect.ParetoSearch(n_iterations=2, cv=2, random_state=0).fit(X, y), X, y
