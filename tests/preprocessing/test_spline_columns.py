import numpy as np
import pandas as pd
from numpy.testing import assert_allclose
from sklearn.preprocessing import SplineTransformer

from moselect.preprocessing import SplineColumns

rng = np.random.default_rng(0)
N = 200
X = pd.DataFrame(
    {
        "smooth": rng.normal(size=N),
        "skewed": rng.lognormal(size=N),
        "binary": rng.integers(0, 2, N).astype(float),
        "constant": np.full(N, 3.0),
        "mostly zero": np.where(rng.uniform(size=N) < 0.8, 0.0, rng.uniform(1, 2, N)),
    }
)
Y = np.digitize(X["smooth"] + X["binary"] + 0.5 * rng.normal(size=N), [0.0, 1.0])


def test_columns_are_standardised_splines_of_scikit_learn():
    columns = SplineColumns(n_products=0).fit(X, Y)
    table = pd.DataFrame(columns.transform(X), columns=columns.get_feature_names_out())
    oracle = SplineTransformer(
        n_knots=5, degree=3, knots="quantile", extrapolation="linear", include_bias=False
    ).fit_transform(X[["smooth"]])
    oracle = (oracle - oracle.mean(axis=0)) / oracle.std(axis=0)
    found = table[[f"spline(smooth, {k})" for k in range(1, 7)]]
    # scikit-learn interpolates quantiles; here they are samples.
    assert np.corrcoef(found.T, oracle.T)[range(6), range(6, 12)].min() > 0.995
    assert_allclose(table.mean(), 0.0, atol=1e-12)
    assert_allclose(table.std(ddof=0), (table.columns != "constant") * 1.0, atol=1e-12)


def test_products_combine_the_features_related_to_the_classes():
    columns = SplineColumns(n_products=2).fit(X, Y)
    assert columns.get_feature_names_out()[-1] == "smooth * binary"
    z = ((X - X.mean()) / X.std(ddof=0)).clip(-3, 3)
    product = z["smooth"] * z["binary"]
    found = columns.transform(X)[:, -1]
    assert_allclose(found, (product - product.mean()) / product.std(ddof=0))
    # All pairs of the four non-constant features.
    assert len(SplineColumns().fit(X, Y).pairs_) == 6
    assert len(SplineColumns().fit(X).pairs_) == 0


def test_splines_extrapolate_linearly_and_products_constantly():
    outside = X.iloc[[0, 0, 0]].copy()
    outside["smooth"] = X["smooth"].max() + np.array([1.0, 2.0, 3.0])
    out = SplineColumns(n_products=2).fit(X, Y).transform(outside)
    assert_allclose(np.diff(out, n=2, axis=0), 0.0, atol=1e-9)
    assert (np.diff(out[:, :7], axis=0) != 0.0).any()
    assert (np.diff(out[:, -1]) == 0.0).all()
