import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.isotonic import isotonic_regression

from moselect.predictor.class_probabilities import class_shares, descending

probabilities = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(1, 6)),
    elements=st.floats(0, 1, width=32),
)


@given(above=probabilities)
def test_descending_is_the_isotonic_projection(above):
    found = descending(above)
    assert (np.diff(found, axis=1) <= 1e-12).all()
    np.testing.assert_allclose(found.sum(axis=1), above.sum(axis=1), atol=1e-9)
    for row, projected in zip(above, found, strict=True):
        expected = isotonic_regression(row, increasing=False)
        np.testing.assert_allclose(projected, expected, atol=1e-9)
    shares = class_shares(found)
    assert (shares >= -1e-12).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
