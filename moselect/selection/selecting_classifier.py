"""`SelectingClassifier`: a fitted search that predicts by its selected model."""

from dataclasses import replace
from typing import Any

import numpy as np
from msgspec import structs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from moselect._types import Array, Table
from moselect.costs.criteria import preference_weights
from moselect.predictor import Model
from moselect.samples.samples import Samples
from moselect.search.front import Front
from moselect.search.ordinal_problem import resolve_objectives
from moselect.search.settings import SearchSettings, checked_settings
from moselect.selection.front_selector import SearchedSamples, Selector
from moselect.selection.search_samples import fit_training, plain_table
from moselect.selection.selecting import Selects


class SelectingClassifier(Selects, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of classifiers that predict by the model selected for their costs."""

    # Parameters of the subclass.
    holdout: float | None
    random_state: int | None
    n_features_in_: int

    # Kept in a list: predicting must not change the estimator itself.
    _selected: list[Model]

    def _check_fitted(self) -> None:
        check_is_fitted(self)

    # No property: the display of an estimator in a notebook reads all of these.
    def to_predictor(self) -> Model:
        """Return the model that `select` returns by default, selected on first use."""
        check_is_fitted(self)
        if not self._selected:
            costs = self._own_costs()
            if self.model == "linear" and not (costs is not None and costs.by_row):
                # the same model, without the cross-validation that compares it
                model = self.selector_.linear_rule(costs, self.preferences)
            else:
                model = self.select()
            self._selected.append(model)
        return self._selected[0]

    def decision_function(self, X: Table) -> NDArray[np.float64]:
        """Score samples (n,) by the selected model; higher means a higher class."""
        known = self._known_features(X)
        return self.to_predictor().decision_function(known)

    def predict(self, X: Table) -> Array:
        """Predict the class label of each row of X by the selected model, shape (n,).

        It is the model that `select` returns for the costs or preferences of the
        constructor and its ``model``, selected at the first prediction after each ``fit``.
        """
        known = self._known_features(X)
        return self.to_predictor().predict(known)

    def predict_proba(self, X: Table) -> NDArray[np.float64]:
        """Predict class probabilities (n, r) by the selected model, in order of `classes_`."""
        known = self._known_features(X)
        return self.to_predictor().predict_proba(known)

    def _known_features(self, X: Table) -> Any:
        """Check new samples; an array must have the number of features seen in `fit`."""
        check_is_fitted(self)
        table = plain_table(X)
        if not hasattr(table, "columns") and table.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {table.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        return table

    def selector(
        self,
        front: Front,
        X: Table,
        y: ArrayLike,
        **roles: Any,
    ) -> Selector:
        """Return a selector for a front found earlier by the same search.

        Parameters
        ----------
        front : Front
            The front, as read by `moselect.io.read_run`.
        X, y, **roles
            The data of the search, as passed to `fit`, with ``sample_weight``, ``groups``,
            ``times`` and ``weight_type``; the same holdout is drawn again, which requires the
            seed (ValueError without).
        """
        seed = getattr(self, "seed_", self.random_state)
        if seed is None and self.holdout is not None:
            raise ValueError("the holdout cannot be drawn again without random_state")
        settings, _, _, searched = self._samples_of_search(seed, X, y, **roles)
        front = replace(front, columns=searched.transformer)
        return Selector(front, searched, settings.objectives)

    def _samples_of_search(
        self,
        seed: int | None,
        X: Table,
        y: ArrayLike,
        **roles: Any,
    ) -> tuple[SearchSettings, np.random.Generator, Samples, SearchedSamples]:
        """Check settings and data; return settings, generator, and result of `fit_training`."""
        settings = checked_settings(self, random_state=seed)
        samples = self._read_samples(X, y, **roles)
        # Sets the number of features and their names.
        validate_data(self, samples.X, skip_check_array=True)
        costs = self._own_costs()  # fail on invalid costs before a long search
        objectives = resolve_objectives(
            settings.objectives, self.classes_, self.scale_, costs
        )
        settings = structs.replace(settings, objectives=objectives)
        if costs is None:
            preference_weights(self.preferences, settings.objectives)
        rng = np.random.default_rng(seed)
        training, searched = fit_training(samples, settings, rng)
        rows: Any = [] if searched.held_out is None else searched.held_out.rows
        self.holdout_rows_ = np.unique(np.asarray(rows, dtype=np.int64))
        return settings, rng, training, searched
