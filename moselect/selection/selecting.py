"""`Selects`: selection of models from a fitted search, for costs or preferences."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd
from numpy.typing import ArrayLike

from moselect.costs.costs import AnyCosts, ClassValues, CostFunction, Loss, given_costs
from moselect.costs.limits import CONFIDENCE
from moselect.inspection.explanation import Explanation
from moselect.models.training_columns import Scale
from moselect.predictor import Model
from moselect.selection.evidence import Evidence
from moselect.selection.selector import Selector

if TYPE_CHECKING:
    from moselect.candidates.known_models import Models


class Selects:
    """Base class of searches with a selection of models.

    Attributes
    ----------
    selector_ : Selector
        Selects models for given costs or preferences.
    """

    # Parameters of the subclass.
    preferences: Mapping[str, float] | None = None
    model: str = "cheapest"

    _scale: Scale

    @property
    def selector_(self) -> Selector:
        """Selector of models for given costs or preferences."""
        raise NotImplementedError

    def select(
        self,
        class_costs: ClassValues | None = None,
        loss: Loss = "absolute",
        *,
        costs: AnyCosts | None = None,
        cost_matrix: ArrayLike | CostFunction | None = None,
        priors: ClassValues | None = None,
        metric: str | None = None,
        preferences: Mapping[str, float] | None = None,
        model: str | None = None,
        limits: Mapping[str, float] | None = None,
        candidates: Models | None = None,
        refer: float | ArrayLike | Mapping[str, ArrayLike] | None = None,
        by: pd.DataFrame | None = None,
        confidence: float = CONFIDENCE,
    ) -> Model:
        """Select the model of least cross-validated cost, or by preference, and fit it.

        It is not a member of the front, whose models are optimised on the training data,
        but the best of several candidates by cross-validation: a scorecard, a linear, an
        additive or an ensemble model. The ``evidence`` of the result compares it with the
        other candidates, the best member of the front and baselines.

        Parameters
        ----------
        class_costs : array-like of shape (r,) or mapping, optional
            Cost of a misclassified sample of each true class, lowest class first, or by
            class label: ``{"mild": 1, "severe": 5}``.
        loss : {"absolute", "squared", "zero_one"}, default="absolute"
            How the cost grows with the distance between the classes.
        costs : mapping, array-like or Costs, optional
            In place of ``class_costs`` or ``cost_matrix``: either of them, or `Costs`.
        cost_matrix : array-like of shape (r, r) or (n, r, r), or callable, optional
            All costs, rows true classes, columns predicted ones; instead of
            ``class_costs``. Costs of each row, such as the amount of a claim, are cells of
            text: expressions of columns of X or ``by`` with numbers, + - * / ( ), min and
            max, such as ``"0.3 * amount + 50"`` (names with blanks in backticks). Or a
            function from a table to (n, r, r), which no file can hold. All candidates
            decide by least expected cost of the row, so `predict` needs these columns. An
            array (n, r, r), a matrix for each row given to `fit`, says nothing about new
            rows: decisions are by its mean given the true class, and evaluated by the
            costs of each row. No cost may be negative, and none in a row of a matrix less
            than the cost of the correct prediction.
        priors : array-like of shape (r,), optional
            Class prevalence in production, of sum 1, if it differs from the data.
        metric : str, optional
            Metric of the confusion matrix to optimise instead of costs:
            ``"quadratic_kappa"``, ``"linear_kappa"``, ``"kappa"``,
            ``"minimum_sensitivity"``, ``"maximum_mae"`` (the largest of a class), or of
            class severe and above ``"f1:severe"``, ``"f2:severe"`` or
            ``"jaccard:severe"``. Thresholds and decisions are solved for it; the cost
            matrix of the model is the one whose least expected cost optimises it.
        preferences : mapping of str to float, optional
            Weights of the objectives' gains above chance, each relative to the largest
            gain of the front in training; instead of costs. Without costs or preferences,
            the constructor's are used, by default equal weights.
        model : str, optional
            A candidate: ``"scorecard"``, ``"linear"``, ``"additive"``, ``"ensemble"`` or the
            baseline ``"proportional odds"``; or a criterion: ``"cheapest"``, or
            ``"simple"``, the simplest candidate within 5 % of the least cost. By default
            the constructor's, ``"cheapest"`` unless stated. The linear model, optimised for
            these costs alone, is a candidate if proportional odds, its initial solution,
            costs at most 10 % more than the best.
        limits : mapping of str to float, optional
            Maximum out-of-fold error rates: with ``{"severe<serious": 0.2}`` at most a
            fifth of class severe or above may be predicted below serious, with
            ``{"slight>serious": 0.1}`` at most a tenth of class slight or below above
            serious, with ``{"predicted severe": 0.05}`` at most a twentieth of all samples,
            and with ``{"slight predicted severe": 0.05}`` of class slight, as severe. Rates
            refer to the class prevalence of the priors. With ``{"severe<serious by sex":
            0.2}`` the limit holds in each group of a column, which decisions then take. The
            rate has to be below the limit by a margin for the ``confidence``; a warning
            names a limit that no candidate meets.
        candidates : mapping, sequence, estimator or str, optional
            Further candidates: classifiers with ``predict_proba`` by name, such as
            ``{"mine": LGBMClassifier()}``, or names of `moselect.selection.KNOWN_MODELS`
            except ``"pareto_search"``. They are evaluated alike, and rank as simpler than
            the ensemble. A candidate that fails to fit is excluded
            (``evidence.excluded``).
        refer : float, array-like of shape (r,) or mapping, optional
            Reject option (abstention): the cost of referring a row for review, for each
            true class, or ``{label: cost}`` with the label that `predict` returns for
            such rows, ``{"person": 2.5}``, by default ``"refer"``. A row is referred if
            every class has a higher expected cost. Referred rows count in the
            denominators of limits, but not as errors.
        by : DataFrame, optional
            Columns of the rows given to `fit` that are no features, for costs of each row,
            limits in groups and ``evidence.by``.
        confidence : float, default=0.9
            Confidence that the limits hold on unseen rows, from 0.5. The rate
            has to be below the limit by a margin, by default of 2.33 standard errors of
            the rate; a higher confidence costs more.

        Returns
        -------
        Model

        Raises
        ------
        ValueError
            If more than one of costs, a cost matrix, a metric and preferences is given,
            they do not fit, or too few rows can show a limit.
        """
        selector = self.selector_
        stated = given_costs(
            preferences,
            costs,
            class_costs=class_costs,
            loss=loss,
            cost_matrix=cost_matrix,
            priors=priors,
            refer=refer,
            metric=metric,
        )
        if stated is not None:
            stated = self._scale.stated(stated)
        elif preferences is None:
            stated = self._scale.own_costs(self)
            preferences = self.preferences
        if model is None:
            model = self.model
        selected = selector.select(
            stated, model, limits, candidates, by, preferences, confidence=confidence
        )
        for remark in selected.evidence.remarks:
            warnings.warn(remark, stacklevel=2)
        return selected

    def explain(self, model: Model) -> Explanation:
        """Explain a selected model by feature effects and permutation importance.

        Accumulated local effects of each feature, with standard errors, and the increase
        in out-of-fold cost when a feature is permuted. The whole pipeline is refitted in
        each fold, which takes at most as long as the cross-validation at selection.

        Parameters
        ----------
        model : Model
            The result of `select` of this search.

        Returns
        -------
        Explanation

        Raises
        ------
        ValueError
            If the model has no evidence of its selection.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
        >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="additive")
        >>> search.explain(model).importance.index[0]
        'RM'
        """
        evidence = _evidence_of(model)
        return self.selector_.explain(evidence.selected, evidence.costs)

    def scorecard_lengths(self, model: Model) -> pd.DataFrame:
        """Cross-validate scorecards of 1, 2, ... 20 conditions under the criteria of a selection.

        The card is fitted again in each fold, once for all lengths; where no further
        condition raises the likelihood, the longest card stands for longer ones.
        `moselect.plots.scorecard_lengths` draws the result.

        Parameters
        ----------
        model : Model
            A scorecard, the result of `select` of this search.

        Returns
        -------
        DataFrame
            One row per number of ``conditions``. ``columns``: mean number of columns on the
            cards of the folds; the criterion, such as ``cost`` (mean cost per sample), and
            its standard error ``std_error``, out-of-fold and not corrected for the choice
            of a length; the objectives of the search, from 0 to 1, without referrals.

        Raises
        ------
        ValueError
            If the model is no scorecard, or has no evidence of its selection.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
        >>> card = search.select(class_costs=[1, 1, 1, 5, 5], model="scorecard")
        >>> lengths = search.scorecard_lengths(card)
        >>> bool(lengths["cost"][8] < lengths["cost"][1])
        True
        """
        return self.selector_.scorecard_lengths(_evidence_of(model))


def _evidence_of(model: Model) -> Evidence:
    """Return the evidence of a selected model; ValueError if it has none."""
    if model.evidence is None:
        raise ValueError(
            "the model was not selected by this search: give a result of select"
        )
    return model.evidence
