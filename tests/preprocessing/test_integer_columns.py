import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal

from moselect.preprocessing import Preparation
from moselect.preprocessing.preparation import schema_of

PERSON = "nr (mean class)"


def test_identifying_integers_are_encoded_like_levels(rng):
    # Effects of persons are unrelated to the order of their numbers.
    person = rng.integers(0, 60, 900)
    X = pd.DataFrame(
        {
            "nr": 37 * person + 1000,
            "age": rng.integers(18, 80, 900),
            "town": rng.choice(["north", "south"], 900),
        }
    )
    X.loc[::30, "age"] = np.nan
    score = 2.0 * rng.normal(size=60)[person] + X["age"].fillna(49) / 30
    y = np.digitize(score + rng.logistic(size=900) / 2, [0.5, 2.0, 3.5])
    preparation = Preparation()
    found = preparation.fit_transform(X, y)
    assert [name for name in found if name.endswith("(mean class)")] == [PERSON]
    levels = Preparation(categorical=["nr"])
    assert_array_equal(found[PERSON], levels.fit_transform(X, y)[PERSON])
    new = pd.DataFrame({"nr": [1000, 1001, 3183], "age": 40, "town": "north"})
    expected = levels.transform(new)[PERSON]
    again = Preparation.from_document(preparation.to_document())
    assert_array_equal(again.transform(new)[PERSON], expected)
    # A table of numbers needs no preparation without them.
    numbers = X[["nr"]].assign(size=range(900))
    assert schema_of(numbers, codes=y) is not None
    assert schema_of(numbers[["size"]], codes=y) is None
    ordered = Preparation().with_schema(schema_of(X, monotone=["nr"])).fit(X, y)
    kept = Preparation(keep=["nr"]).fit(X, y)
    for other in (ordered, kept):
        assert PERSON not in other.get_feature_names_out()
