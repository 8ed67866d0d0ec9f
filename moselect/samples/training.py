"""Validation of training data for ordinal classifiers, and classes without samples."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import assert_all_finite, check_consistent_length
from sklearn.utils.validation import (
    check_is_fitted,
    column_or_1d,
    has_fit_parameter,
    validate_data,
)

from moselect._types import Array, Estimator, Floats, Integers, LabelOrder, Labels
from moselect.labels.labels import (
    as_label_array,
    encode,
    ordered_categories,
)
from moselect.listing import listing
from moselect.samples.samples import Samples
from moselect.tables.cells import as_frame
from moselect.tables.features import column_places, fitted_names
from moselect.validation import (
    check_aligned,
    check_unmasked,
    check_weights,
    weights_or_ones,
)


def ordinal_target(
    y: ArrayLike, labels: LabelOrder, X: Any = None, **others: object
) -> tuple[Array, Integers]:
    """Return the classes (r,), lowest first, and the index of each sample's label among them.

    Raises ValueError if labels are missing, continuous, of no known order, not in
    ``labels``, not as many as X has rows, or if their index, or that of ``others`` by sample, has
    the entries of X in another order.
    """
    if y is None:
        # scikit-learn's checks of estimators expect these very words.
        raise ValueError("a classifier requires y to be passed, but the target y is None")
    check_consistent_length(X, y)
    if isinstance(X, pd.DataFrame):
        column_places(X)  # each name is there once
    check_aligned(X=X, y=y, **others)
    if np.asarray(y).ndim == 2:
        y = column_or_1d(y, warn=True)
    if np.asarray(y).dtype.kind == "c":
        raise ValueError("Complex data not supported: y has complex numbers, not classes")
    target = as_label_array(y)
    if len(target) == 0:
        raise ValueError("there are no rows: X and y are empty")
    if labels is None and target.dtype.kind == "f" and not np.isnan(target).any():
        assert_all_finite(target, input_name="y")
    classes, codes = encode(y, labels)
    categorical = ordered_categories(y)
    if labels is None and categorical is not None:
        # Ordered categories without samples are no classes of a model.
        unused = categorical.categories.difference(list(classes))
        if len(unused):
            warnings.warn(
                f"no sample has the category {listing(unused)} of y: it is no class "
                "(labels=[...] that name it keep it)",
                stacklevel=3,
            )
    if len(classes) < 2:
        raise ValueError(
            f"y has one class only ({classes[0]}): there is nothing to decide"
        )
    return classes, codes


class RankRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of regressors on class ranks: validates, then calls ``_fit`` and ``_predict``.

    By default ``_fit`` sets a regressor of another class, ``model_``, which predicts.
    """

    model_: Any

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit to features (n, p), ranks (n,) and weights (n,)."""
        values, ranks = validate_data(
            self, X, y, dtype=float, y_numeric=True, ensure_min_samples=2
        )
        self._fit(values, ranks, check_weights(sample_weight, len(ranks)))
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Predict ranks, shape (n,)."""
        return self._predict(features_to_predict(self, X))

    def _fit(self, values: Floats, ranks: Floats, weights: Floats | None) -> None:
        raise NotImplementedError

    def _predict(self, values: Floats) -> Floats:
        return self.model_.predict(values)


class ObservedClasses(NamedTuple):
    """Classes with samples, among all classes of ``labels``."""

    indices: Integers  # (s,) of the seen classes among all, ascending
    n_classes: int  # r

    def at_all_boundaries(self, values: Floats) -> Floats:
        """Expand values at the cuts between seen classes (s - 1,) to all cuts (r - 1,).

        A class without samples lies between two equal values, so that its probability is
        0; below the first seen class and above the last one they are infinite.
        """
        # One more entry at either end, for classes beyond the observed ones.
        padded = np.concatenate([[-np.inf], values, [np.inf]])
        # Number of observed classes up to each boundary: it indexes the padded values.
        observed_below = np.searchsorted(
            self.indices, np.arange(self.n_classes - 1), side="right"
        )
        return padded[observed_below]

    def at_all_classes(self, proba: Floats) -> Floats:
        """Expand probabilities of the seen classes (n, s) to all classes (n, r)."""
        padded = np.zeros((len(proba), self.n_classes))
        padded[:, self.indices] = proba
        return padded


def observed_classes(
    classes: Labels, codes: Integers
) -> tuple[ObservedClasses, Integers]:
    """Find the classes with samples, at least two, and the codes of samples among them."""
    indices, observed_codes = np.unique(codes, return_inverse=True)
    if len(indices) < 2:
        raise ValueError(
            f"y has one class only ({classes[indices[0]]}): there is nothing to decide"
        )
    return ObservedClasses(indices, len(classes)), observed_codes


def classes_with_samples(scale: Labels, codes: Integers) -> tuple[Labels, Integers]:
    """Return the classes of a scale that have samples, and the codes of these among them.

    Examples
    --------
    >>> classes_with_samples(np.array([1, 2, 3]), np.array([0, 2, 0]))
    (array([1, 3]), array([0, 1, 0]))
    """
    observed, codes = np.unique(codes, return_inverse=True)
    return scale[observed], codes


def validated_samples(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    as_table: bool = False,
) -> Samples:
    """Validate the data of a fit, set the fitted attributes of an estimator; return samples.

    Sets ``classes_`` (in the order of ``estimator.labels``), ``n_features_in_`` and, for
    a DataFrame, ``feature_names_in_``. Features are finite numbers, or a table of any
    columns.
    """
    check_unmasked("X", X)
    classes, codes = ordinal_target(
        y, estimator.labels, X, sample_weight=sample_weight, groups=groups
    )
    estimator.classes_ = classes
    # scikit-learn stores names and number of features in the estimator, for predictions.
    if as_table:
        validate_data(estimator, X, skip_check_array=True)
        values = as_frame(X)
    else:
        values = validate_data(estimator, X, dtype=float)
    names = fitted_names(estimator)
    weights = check_weights(sample_weight, len(codes))
    known = None if groups is None else np.asarray(groups)
    return Samples(values, codes, classes, tuple(names or ()) or None, weights, known)


def features_to_predict(estimator: Estimator, X: ArrayLike) -> Floats:
    """Validate X for prediction by a fitted estimator, with the features of its fit."""
    check_is_fitted(estimator)
    check_unmasked("X", X)
    return validate_data(estimator, X, dtype=float, reset=False)


def moments(values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Return the weighted mean and standard deviation of numbers (n,), or of each column (n, p)."""
    mean = np.average(values, axis=0, weights=weights)
    return mean, np.sqrt(np.average((values - mean) ** 2, axis=0, weights=weights))


def location_and_scale(values: Floats, weights: Floats | None) -> tuple[Floats, Floats]:
    """Return the `moments`, with 1 for the standard deviation of constant numbers."""
    # A constant feature divides by 1 rather than by 0, and has weight 0 in the end.
    centre, scale = moments(values, weights)
    varying = (np.ptp(values, axis=0) > 0.0) & (scale > 0.0)
    return centre, np.where(varying, scale, 1.0)


def merge_equal(
    values: Floats, codes: Integers, weights: Floats | None
) -> tuple[Floats, Integers, Floats]:
    """Merge equal rows of one class, drop zero weights, and sort.

    A fit to the result depends neither on the order of the samples nor on whether a sample
    is repeated or has weight 2. Returns values, codes and weights of the merged samples.
    """
    w = weights_or_ones(weights, len(codes))
    counted = w > 0.0
    # Class codes as a last column: equal rows of different classes stay apart.
    table = np.column_stack([values, codes])[counted]
    rows, index = np.unique(table, axis=0, return_inverse=True)
    return (
        np.ascontiguousarray(rows[:, :-1]),
        rows[:, -1].astype(int),
        np.bincount(index, w[counted], minlength=len(rows)).astype(float),
    )


def merge_within(samples: Samples) -> tuple[Floats, Integers, Floats, Integers]:
    """Merge samples as in `merge_equal`, but within groups, by default of duplicates.

    Returns values, codes, weights and groups of the merged samples.
    """
    samples = samples.take(samples.sample_weight_or_ones > 0.0)
    places = replace(samples, copy_groups=None).cv_groups
    # Groups as a first column, likewise.
    rows, codes, weights = merge_equal(
        np.column_stack([places, samples.X]), samples.codes, samples.weights
    )
    return np.ascontiguousarray(rows[:, 1:]), codes, weights, rows[:, 0].astype(int)


@contextmanager
def unrouted() -> Iterator[None]:
    """Fit with parameters by the names of steps, whether or not the user routes metadata."""
    with config_context(enable_metadata_routing=False):
        yield


def fit_parameters(
    model: Estimator, samples: Samples, prefix: str = ""
) -> dict[str, Any]:
    """Return the fit parameters for sample weights and groups that a model accepts.

    In a pipeline every step gets the parameters accepted by its ``fit``.
    """
    if isinstance(model, Pipeline):
        parameters: dict[str, object] = {}
        for name, step in model.steps:
            parameters |= fit_parameters(step, samples, f"{prefix}{name}__")
        return parameters
    available = {"sample_weight": samples.weights, "groups": samples.groups}
    return {
        prefix + name: values
        for name, values in available.items()
        if values is not None and has_fit_parameter(model, name)
    }


def seeded(estimator: Estimator, seed: int | list[int]) -> Estimator:
    """Return an unfitted clone with a seed for every ``random_state`` that is None."""
    model = clone(estimator)
    # Sorted by name: the same seed gives every step the same number, whatever their
    # order.
    parameters = sorted(model.get_params(deep=True).items())
    unset = [
        name
        for name, value in parameters
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    ]
    # A number for each parameter, drawn from one generator.
    numbers = np.random.default_rng(seed).integers(2**31 - 1, size=len(unset)).tolist()
    return model.set_params(**dict(zip(unset, numbers, strict=True)))
