"""`ParetoSearch`: the Pareto front of linear ordinal models, and model selection."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import Self, get_args

from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from moselect._parallel import ProgressLine, no_report
from moselect._types import Array, Floats, Table
from moselect.candidates.names import PROPORTIONAL_ODDS, known_name
from moselect.candidates.registry import candidate_names
from moselect.evaluation.choice import Choice
from moselect.predictor import Model
from moselect.samples.weights import WeightType
from moselect.search.front_search import search
from moselect.search.parallel_runs import RunStates
from moselect.search.settings import SearchSettings, preset_settings
from moselect.search.swarm_run import Callback, print_evaluations
from moselect.selection.selecting import Selects
from moselect.selection.selector import Selector
from moselect.validation import check_choice


@dataclass(eq=False, repr=False)
class ParetoSearch(Selects, ClassifierMixin, BaseEstimator, SearchSettings):  # type: ignore[misc]
    """Search the front of linear ordinal models by multi-objective particle swarm.

    Predictions come from the model that `select` returns, selected at the first of them: by
    default the candidate that is best in cross-validation for equal weights of all objectives.

    Parameters
    ----------
    objectives : sequence, default=OBJECTIVES
        At least two of ``'accuracy'``, ``'one_minus_mae'``, ``'vus'``, ``'u_cons'``,
        ``'u_ovo'``, ``'u_pairs'``, ``'one_minus_mse'``, ``'one_minus_macro_mae'``,
        ``'macro_accuracy'``, ``'cost'``; metrics with thresholds solved for them, such as
        ``'quadratic_kappa'`` or ``'f1:severe'`` (`moselect.metrics.metric_named`;
        ``'maximum_mae'`` is 1 - the largest MAE of a class); scorers of scikit-learn, or
        their names; `moselect.metrics.Objective`; functions of the confusion matrix, which
        are quickest, or of (y_true, y_pred) or (y_true, y_score), labels and rows of the
        table in its order, with ``sample_weight`` if there are weights. All are maximised,
        and 1 is perfect. ``'cost'`` is 1 - the mean cost by ``class_costs`` or
        ``cost_matrix``.
    thresholds : {"exact", "search"}, default='exact'
        ``'exact'`` searches directions and solves for the thresholds of each;
        ``'search'`` moves weights and thresholds together, as Waegeman et al. (2008) do.
    n_particles : int, default=100
        Size of the swarm.
    n_iterations : int, optional
        Iterations of a run; each evaluates every particle once. By default 120, or as
        many as ``max_evaluations`` and ``max_seconds`` allow.
    n_runs : int, default=1
        Independent runs, whose fronts are merged.
    max_evaluations : int, optional
        Maximum number of evaluations of all runs together.
    max_seconds : float, optional
        Time limit for all runs together, divided among consecutive runs. A run ends with
        the iteration in which its share is exhausted. The search in folds (``cv``) is not
        included in either limit.
    holdout : float, optional
        Share of the samples, stratified by class, that is set aside to evaluate the front.
    cv : int, splitter, iterable or None, default=5
        Number of folds in which the search is repeated with a small budget, to estimate
        the out-of-sample objectives (`Front.expected`); fewer if a class has fewer
        samples. Or a splitter of scikit-learn, or (train, test) rows, whose test folds are
        a partition, or forward in time as in `TimeSeriesSplit`. With None nothing is
        estimated, and `select` does not use the directions of the front.
    sampling : {"auto"} or None, default='auto'
        With ``'auto'`` the search of a table of more than a few thousand rows begins on
        stratified subsamples and ends on all rows; the objectives of the front are exact
        on all rows. With None all rows are used throughout.
    max_models : int or None, default=1000
        Maximum number of models of the front, well spread; None keeps all.
    preferences : mapping of str to float, optional
        Objective weights for model selection, as in `select`.
    class_costs : array-like of shape (r,), optional
        Costs for model selection instead, as in `select`, and for the objective
        ``'cost'``.
    loss : {"absolute", "squared", "zero_one"}, default='absolute'
        How ``class_costs`` grow with the distance between the classes.
    cost_matrix : array-like of shape (r, r), optional
        All costs, instead of ``class_costs``.
    priors : array-like of shape (r,), optional
        Class prevalence in production, if it differs from the data.
    costs : mapping, array-like or Costs, optional
        In place of ``class_costs`` or ``cost_matrix``: either of them, or `Costs`.
    model : str, default='cheapest'
        Candidate to select, as in `select`, for predictions, too. The first prediction after
        each fit cross-validates the candidates for the costs or preferences of this
        constructor. ``'linear'`` is fitted without, for a quick prediction of each clone of
        a grid search.
    columns : {"features", "splines", "models"} or transformer, default='features'
        Inputs of the linear models: the features; spline bases and products of them
        (`moselect.preprocessing.SplineColumns`); out-of-fold scores of several models
        (`moselect.models.ModelColumns`); or the output of a user-defined transformer.
    prepare : bool or Preparation, default=True
        Whether and how categories, dates and missing values of a DataFrame are encoded
        and imputed (`moselect.preprocessing.Preparation`). A table of finite numbers is passed
        through.
    velocity_range : tuple of float, default=(-1.0, 1.0)
        Truncation of velocities, with ``thresholds='search'``; the paper prints
        (0, 1).
    labels : sequence, optional
        Class labels, lowest first. Required for strings unless they are an ordered
        Categorical.
    monotone : mapping of str to {1, -1}, optional
        Columns with which the class may only rise (1) or fall (-1), such as ``{"age": 1,
        "income": -1}``: numbers, booleans, ordered categories and bands. Every candidate
        keeps these directions, and so does every member of the front. Columns of an array
        are called x0, x1 and so on.
    n_jobs : int, optional
        Number of runs in parallel: threads, or the backend of `joblib.parallel_config`
        (``backend='dask'`` for a cluster). Spare threads share the evaluations of a run.
        Unless it is 1, the search in folds runs concurrently. The front is the same for
        any number.
    random_state : int, optional
        Seed; the same seed gives the same front, bit for bit.
    verbose : bool, default=False
        Whether `fit` and `select` print their progress to standard error: the evaluations,
        or each candidate and its folds, with an estimate of the time left.

    Attributes
    ----------
    front_ : Front
        The non-dominated models, best accuracy first.
    classes_ : ndarray of shape (r,)
        Labels of the classes that have samples, lowest first.
    scale_ : ndarray
        All class labels, lowest first: ``labels``, or ``classes_``.
    n_features_in_ : int
        Number of features.
    holdout_rows_ : ndarray of int
        Indices of the holdout rows.
    n_evaluations_ : int
        Number of evaluated positions, all runs. Gradients, which some moves use, are not
        counted; each takes about as long as an evaluation.
    interrupted_ : bool
        Whether Ctrl-C ended the search early.
    seed_ : int
        ``random_state``, or the seed drawn in its place.
    searched_ : Searched
        Front, samples and figures of the search, as `moselect.io.write_run` takes them.

    References
    ----------
    Waegeman, De Baets, Boullart (2008), ROC analysis in ordinal regression learning,
    Pattern Recognition Letters 29, 1-9.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=5, random_state=1).fit(X, y)
    >>> bool(search.front_.objectives["accuracy"].max() > 0.7)
    True
    """

    verbose: bool = False

    @classmethod
    def preset(cls, name: str, **changes: object) -> Self:
        """Return a search with the settings of a publication.

        Parameters
        ----------
        name : {"waegeman2008"}
            ``"waegeman2008"``: weights and thresholds moved by eq. (22-23), 20 runs of
            100 iterations of 500 particles.
        **changes
            Parameters that override the preset.

        Raises
        ------
        ValueError
            If there is no such preset.
        """
        return cls(**{**preset_settings(name), **changes})

    def fit(
        self,
        X: Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        times: ArrayLike | None = None,
        weight_type: WeightType | None = None,
        callback: Callback | None = None,
        checkpoints: RunStates | None = None,
    ) -> Self:
        """Search the front of training data.

        Parameters
        ----------
        X : array-like of shape (n, p)
            Finite numbers in any units, or a DataFrame with columns of any type.
        y : array-like of shape (n,)
            Ordinal labels, at least two samples of each class.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights, such as survey weights, on any scale: standard errors use
            the effective sample size. Of counts, the result equals the one for repeated
            samples.
        groups : array-like of shape (n,), optional
            Group of each sample, such as a patient or a school: folds keep groups
            together, and standard errors are clustered by group.
        times : array-like of shape (n,), optional
            Numbers or dates for evaluation on later samples: the last ones are the
            holdout, a share of 0.3 unless ``holdout`` is given (0 for none), and folds go
            forward in time. Text is parsed as in features. With ``groups`` each group has
            the time of its last sample, so that it stays together.
        weight_type : {"counts", "sampling"}, optional
            Whether integer weights count equal samples; by default only if the rows are the
            cells of a contingency table. A warning names the type that was found.
        callback : callable, optional
            Called with a `SearchProgress` after every round of every run, from the run's
            thread; with processes or a cluster, when a run ends.
        checkpoints : RunStates, optional
            Store for the states of runs, saved every few seconds and at the end, from
            which they resume; such as `moselect.io.Checkpoints`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a setting is out of range, or the data cannot be searched.
        """
        choices = [*candidate_names(), PROPORTIONAL_ODDS, *get_args(Choice)]
        check_choice("model", known_name(self.model, choices), choices)
        settings = self.get_params(deep=False)
        if settings.pop("verbose") and callback is None:
            callback = print_evaluations()
        searched = search(
            X,
            y,
            SearchSettings(**settings),
            sample_weight=sample_weight,
            groups=groups,
            times=times,
            weight_type=weight_type,
            callback=callback,
            checkpoints=checkpoints,
        )
        # Sets the number of features and their names.
        validate_data(self, searched.samples.samples.X, skip_check_array=True)
        self.seed_ = searched.samples.settings.random_state
        self.searched_ = searched
        self._scale = searched.samples.scale
        self.classes_ = self._scale.observed
        self.scale_ = self._scale.labels
        self.holdout_rows_ = searched.holdout_rows
        self.front_ = searched.front
        self.n_evaluations_ = searched.n_evaluations
        self.interrupted_ = searched.interrupted
        # Predicting and selecting must not change the estimator itself: models and the
        # selector that are made at first use are kept in containers.
        self._selected: list[Model] = []
        self._selectors: list[Selector] = []
        return self

    @property
    def selector_(self) -> Selector:
        """Selector of models for given costs or preferences, made on first use."""
        check_is_fitted(self)
        if not self._selectors:
            searched = self.searched_
            report = ProgressLine() if self.verbose else no_report
            self._selectors.append(
                Selector.of_search(searched.front, searched.samples, report=report)
            )
        return self._selectors[0]

    # No property: the display of an estimator in a notebook reads all of these.
    def to_predictor(self) -> Model:
        """Return the model that `select` returns by default, selected on first use."""
        selector = self.selector_
        if not self._selected:
            costs = self._scale.own_costs(self)
            # A rule alone knows no costs of rows, and no class shares in use.
            more = costs is not None and (costs.by_row or costs.priors is not None)
            named = selector.fits.candidates.get(self.model)
            if named is not None and named.has_thresholds and not more:
                # the same model, without the cross-validation that compares it
                model = selector.fit_rule(self.model, costs, self.preferences)
            else:
                model = self.select()
            self._selected.append(model)
        return self._selected[0]

    def decision_function(self, X: Table) -> Floats:
        """Score samples (n,) by the selected model; higher means a higher class.

        Of three classes or more, ``CalibratedClassifierCV`` of scikit-learn, which expects a
        score a class, takes it for that of the lowest one: use `predict_proba`.
        """
        return self.to_predictor().decision_function(X)

    def predict(self, X: Table) -> Array:
        """Predict the class label of each row of X by the selected model, shape (n,).

        It is the model that `select` returns for the costs or preferences of the
        constructor and its ``model``, selected at the first prediction after each ``fit``.
        """
        return self.to_predictor().predict(X)

    def predict_proba(self, X: Table) -> Floats:
        """Predict class probabilities (n, r) by the selected model, in order of `classes_`."""
        return self.to_predictor().predict_proba(X)


# Types of 26 parameters hide their names where a notebook shows a signature.
ParetoSearch.__signature__ = signature(ParetoSearch).replace(
    parameters=[
        each.replace(annotation=each.empty)
        for each in signature(ParetoSearch).parameters.values()
    ]
)
