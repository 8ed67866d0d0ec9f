"""What a search is once it has found a front: a classifier by the model that it selects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from moselect.columns.cells import read_times
from moselect.columns.sample_columns import unprepared_samples
from moselect.decision import Loss
from moselect.decision.costs import Costs, given_costs
from moselect.decision.explanation import Explanation
from moselect.decision.goal import preference_weights
from moselect.decision.known_models import Models
from moselect.front import Front, Selector
from moselect.front.selection import SearchedSamples
from moselect.labels import order_is_guessed, seen_classes
from moselect.models import Model
from moselect.models.training import ordinal_target
from moselect.samples import Samples
from moselect.search.search_samples import fit_training, plain_table, with_objectives
from moselect.search.settings import SearchSettings, checked_settings


class SelectingClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict by the model that is selected for the costs or preferences of the settings.

    Attributes
    ----------
    selector_ : Selector
        Selects models from what was found.
    n_features_in_ : int
        Number of features.
    """

    # Parameters of the search.
    class_costs: ArrayLike | None
    loss: Loss
    cost_matrix: ArrayLike | None
    priors: ArrayLike | None
    preferences: Mapping[str, float] | None
    kind: str | None
    holdout: float | None
    labels: Sequence[Any] | None
    prepare: Any
    random_state: int | None

    selector_: Selector
    n_features_in_: int
    classes_: NDArray[Any]
    scale_: NDArray[Any]
    _guessed: bool  # the order of the classes
    _selected: list[
        Model
    ]  # kept in a list: predicting must not change the estimator itself

    def select(
        self,
        class_costs: ArrayLike | None = None,
        loss: Loss = "absolute",
        *,
        cost_matrix: ArrayLike | None = None,
        priors: ArrayLike | None = None,
        preferences: Mapping[str, float] | None = None,
        kind: str | None = None,
        limits: Mapping[str, float] | None = None,
        models: Models | None = None,
        refer: float | ArrayLike | Mapping[str, Any] | None = None,
    ) -> Model:
        """Fit the model that is best on new data for given costs, or by preference.

        It is not a member of the front, whose models are fitted to the data at hand, but
        of the kind that cross-validated evidence names: a linear rule, curves, or a pool
        of models. The ``evidence`` of the result compares it with the others, with the
        front's best member and with baselines.

        Parameters
        ----------
        class_costs : array-like of shape (r,), optional
            What a mistake costs on a sample of each class, lowest class first.
        loss : {"absolute", "squared", "zero_one"}, default="absolute"
            How the cost grows with the distance between the classes.
        cost_matrix : array-like of shape (r, r), optional
            All costs, rows true classes, columns predicted ones; instead of
            ``class_costs``.
        priors : array-like of shape (r,), optional
            Shares of the classes in use, of sum 1, if they differ from those in the data.
        preferences : mapping of str to float, optional
            Weights of the objectives' gains above chance, each in units of the most that
            the front gains in training; instead of costs. Without either, those of the
            constructor hold; without any there, all weigh the same.
        kind : str, optional
            ``"points"``, ``"linear"``, ``"curves"``, ``"pool"``; a rival: ``"proportional
            odds"``; ``"cheapest"``, or ``"simple"``, the simplest that costs at most 5 %
            more than that. By default that of the constructor, else the cheapest on new
            data. The linear rule, which is fitted for its costs alone, is considered if
            proportional odds, with which it begins, cost at most 10 % more than the best.
        limits : mapping of str to float, optional
            The greatest shares of mistakes on new data: ``{"severe<serious": 0.2}`` says
            that at most a fifth of class severe or above may be predicted below serious,
            ``{"slight>serious": 0.1}`` that at most a tenth of class slight or below may
            be predicted above serious, ``{"called severe": 0.05}`` that at most a
            twentieth of all, and ``{"slight called severe": 0.05}`` of class slight, may
            be predicted severe. Shares are those in use, by the priors.
        models : mapping, sequence, estimator or str, optional
            Further kinds: classifiers with ``predict_proba`` by name, such as ``{"mine":
            LGBMClassifier()}``, or names of `moselect.comparison.KNOWN_MODELS` but
            ``"pareto_search"``. They have the same evidence, and count as simpler than
            the pool. One that cannot be fitted is left out (``evidence.left_out``).
        refer : float, array-like of shape (r,) or mapping, optional
            What it costs to leave a row to a person, for each class, or by what `predict`
            calls it then, ``{"person": 2.5}``, by default ``"refer"``. Rows are left
            where every class is expected to cost more. Limits are shares of all rows of
            their classes: rows that are left count, and are no mistakes.

        Returns
        -------
        Model

        Raises
        ------
        ValueError
            If more than one of costs, a cost matrix and preferences is given, or they do
            not fit.
        """
        check_is_fitted(self)
        costs = self._for_seen(
            given_costs(class_costs, loss, cost_matrix, priors, preferences, refer)
        )
        if costs is None and preferences is None:
            costs, preferences = self._own_costs(), self.preferences
        kind = kind or self.kind
        if costs is None:
            return self.selector_.for_preferences(preferences, kind, limits, models)
        return self.selector_.for_costs(costs, kind, limits, models)

    def explain(self, model: Model) -> Explanation:
        """Return what moves the answer of a model, and what matters to it on new data.

        Accumulated local effects of each feature, with standard errors, and what a row
        costs more if a feature is permuted. The kind of the model is fitted again whole
        without each fold; it takes as long as the fits of its evidence, or less.

        Parameters
        ----------
        model : Model
            As `select` of this search handed it over.

        Returns
        -------
        Explanation

        Raises
        ------
        ValueError
            If the model does not know how it was selected.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
        >>> model = search.select(class_costs=[1, 1, 1, 5, 5], kind="curves")
        >>> search.explain(model).importance.index[0]
        'RM'
        """
        check_is_fitted(self)
        if model.evidence is None:
            raise ValueError(
                "the model was not selected by this search: explain what select gives"
            )
        return self.selector_.explain(model.evidence.selected, model.evidence.costs)

    @property
    def model_(self) -> Model:
        """The model by which it predicts, fitted when it is first asked for."""
        check_is_fitted(self)
        if not self._selected:
            if self.kind == "linear":  # which needs no evidence to predict
                model = self.selector_.linear_rule(self._own_costs(), self.preferences)
            else:
                model = self.select()
            self._selected.append(model)
        return self._selected[0]

    def decision_function(self, X: ArrayLike | pd.DataFrame) -> NDArray[np.float64]:
        """Score samples (n,) by the selected model; higher means a higher class."""
        return self.model_.decision_function(self._known_features(X))

    def predict(self, X: ArrayLike | pd.DataFrame) -> NDArray[Any]:
        """Predict the class label of each row of X by the selected model, shape (n,)."""
        return self.model_.predict(self._known_features(X))

    def _own_costs(self) -> Costs | None:
        return self._for_seen(
            given_costs(
                self.class_costs,
                self.loss,
                self.cost_matrix,
                self.priors,
                self.preferences,
            )
        )

    def _for_seen(self, costs: Costs | None) -> Costs | None:
        if costs is None:
            return None
        return costs.for_seen(self.classes_, self.scale_, guessed=self._guessed)

    def _known_features(self, X: Any) -> Any:
        """Check new samples; an array must have as many features as the one of `fit`."""
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
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        times: ArrayLike | None = None,
    ) -> Selector:
        """Return what selects models from a front that the same search found before.

        Parameters
        ----------
        front : Front
            The front, such as that of `moselect.storage.read_run`.
        X, y, sample_weight, groups, times
            All data of that search, as `fit` took them; what it held out is held out
            again, which is a ValueError if no seed says what it was.
        """
        seed = getattr(self, "seed_", self.random_state)
        if seed is None and self.holdout is not None:
            raise ValueError(
                "the samples that were held out are not known without random_state"
            )
        settings, _, _, searched = self._samples_of_search(
            seed, X, y, sample_weight, groups, times, fitted=front.columns
        )
        front = replace(front, columns=searched.transformer)
        return Selector(front, searched, settings.objectives)

    def _samples_of_search(
        self,
        seed: Any,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
        times: ArrayLike | None,
        fitted: Pipeline | None = None,
    ) -> tuple[SearchSettings, np.random.Generator, Samples, SearchedSamples]:
        """Check settings, and return them, and what is searched, as `fit_training` does.

        Sets the attributes that scikit-learn's estimators keep of their data.
        """
        settings = checked_settings(self, random_state=seed)
        table = plain_table(X)
        self.scale_, codes = ordinal_target(y, self.labels, X)
        self._guessed = order_is_guessed(y, self.labels)
        classes, codes = seen_classes(self.scale_, codes)
        roles = sample_weight, groups, read_times(times)
        samples = unprepared_samples(table, codes, classes, self.prepare, *roles)
        self.classes_ = samples.classes
        self.n_features_in_ = samples.X.shape[1]
        if isinstance(samples.X, pd.DataFrame):
            self.feature_names_in_ = np.array(
                list(map(str, samples.X.columns)), dtype=object
            )
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of an earlier fit
        costs = self._own_costs()  # wrong ones must not end a long search
        settings = with_objectives(settings, classes, self.scale_)
        if costs is None:
            preference_weights(self.preferences, settings.objectives)
        rng = np.random.default_rng(seed)
        training, searched = fit_training(samples, settings, rng, fitted)
        rows: Any = [] if searched.held_out is None else searched.held_out.rows
        self.holdout_rows_ = np.unique(np.asarray(rows, dtype=np.int64))
        return settings, rng, training, searched
