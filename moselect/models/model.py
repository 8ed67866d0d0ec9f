"""A finished model: columns of a table, what scores them, and what decides by that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from moselect._types import Floats, Integers
from moselect._validation import check_cost_matrix
from moselect.features import feature_matrix, models_in, steps_of
from moselect.labels import as_label_array
from moselect.listing import in_one_line
from moselect.models.decisions import LeastCost, Thresholds
from moselect.models.referral import Referral, answers
from moselect.models.scorers import Classifier, WeightedSum
from moselect.models.terms import Number, Term

if TYPE_CHECKING:
    from moselect.models.card import ModelCard, ScoreCalibration

ELSEWHERE = "so the model cannot be written down: moselect predict applies it"


class Model:
    """A model that was made elsewhere and only predicts, of any kind.

    It is what `ParetoSearch.select`, a front, `Scorecard.rule_` and `read_model` give.
    Kinds differ in their scorer and decision alone; a new kind is a scorer.

    scikit-learn takes it for a classifier that is fitted. Cross-validation would show how
    it does on rows that it was made from, so it is neither fitted nor cloned;
    `sklearn.frozen.FrozenEstimator` makes it a part of what is fitted to other rows.

    Parameters
    ----------
    scorer : WeightedSum or Classifier
        From columns (n, p) to scores (n,) and class probabilities (n, r).
    classes : array-like of shape (r,)
        Class labels, lowest first.
    decision : Thresholds or LeastCost
        From these to answers.
    columns : transformer, optional
        Fitted; it turns a table into the p columns, such as those of `moselect.columns`.
    evidence : Evidence, optional
        What is known on new data about a model that was selected.
    promise : Promise, optional
        What was shown of it then, as a file keeps it.
    about : mapping, optional
        Further information, such as costs and data, as plain values.
    card : ModelCard, optional
        Its card.

    Attributes
    ----------
    classes_ : ndarray of shape (r,)
        Class labels.
    coef_, thresholds_ : ndarray of shape (p,) and (r - 1,)
        Weights and ascending cut points, if the score is a weighted sum.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> fitted = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    >>> dear_misses = np.array([[0.0, 1.0], [9.0, 0.0]])
    >>> model = Model(Classifier(fitted), ["low", "high"], LeastCost(dear_misses))
    >>> model.predict([[0.3]])
    array(['high'], dtype='<U4')
    >>> cross_val_score(model, [[0.0], [1.0]] * 2, ["low", "high"] * 2, cv=2)
    Traceback (most recent call last):
    ...
    TypeError: Model is finished and cannot be fitted: compare what makes it, \
such as ParetoSearch, CostSensitiveOrdinalClassifier or OrdinalPool
    """

    def __init__(
        self,
        scorer: WeightedSum | Classifier,
        classes: ArrayLike,
        decision: Thresholds | LeastCost,
        columns: Any = None,
        evidence: Any = None,
        promise: Any = None,
        about: Mapping[str, Any] | None = None,
        card: ModelCard | None = None,
    ) -> None:
        self.scorer = scorer
        self.classes_ = as_label_array(classes)
        self.decision = decision
        self.columns = columns
        self.evidence = evidence
        self.promise = promise
        self.about = dict(about or {})
        self.card = card
        decision.check(len(self.classes_))

    # What it consists of

    @property
    def coef_(self) -> Floats:
        """Weights, shape (p,); AttributeError if it is no weighted sum."""
        return self.scorer.coef  # type: ignore[union-attr]

    @property
    def thresholds_(self) -> Floats:
        """Cut points, shape (r - 1,); AttributeError if costs decide."""
        return self.decision.cuts  # type: ignore[union-attr]

    @property
    def calibration(self) -> ScoreCalibration | None:
        """From its score to class probabilities; None where these are not along one score."""
        return self.scorer.calibration

    @property
    def referral(self) -> Referral | None:
        """What it calls a row that it leaves to a person, if it leaves some."""
        return self.decision.referral

    @property
    def answers(self) -> NDArray[Any]:
        """Class labels, lowest first, and what it calls a row that it leaves to a person."""
        return answers(self.classes_, self.referral)

    @property
    def n_features_in_(self) -> int:
        """Number p of columns that the scorer takes."""
        return self.scorer.n_features

    @property
    def feature_names(self) -> Any:
        """Their names, None without."""
        return self.scorer.feature_names

    @property
    def names(self) -> list[str]:
        """Their names; x0, x1 and so on without."""
        names = self.feature_names
        return (
            [f"x{j}" for j in range(self.n_features_in_)]
            if names is None
            else [*map(str, names)]
        )

    @property
    def terms(self) -> tuple[Term, ...]:
        """What the scorer takes, as formulas of the columns of a table.

        Each operation is the same on doubles, in the same order, so that a term has the
        value of its column to the last bit. ValueError if a step has no formula: models
        as columns.
        """
        steps = steps_of(self.columns)
        nameless = next(
            (type(step) for step in steps if not hasattr(step, "terms")), None
        )
        if nameless is not None:
            raise ValueError(
                f"columns of {nameless.__name__} have no formula, {ELSEWHERE}"
            )
        if not steps:
            return tuple(map(Number, self.names))
        first, *others = steps
        if hasattr(first, "problems"):  # it takes tables of any columns
            terms = first.terms()
        else:
            names = getattr(first, "feature_names_in_", None)
            names = (
                [f"x{j}" for j in range(first.n_features_in_)] if names is None else names
            )
            terms = first.terms(tuple(Number(str(name)) for name in names))
        for step in others:
            terms = step.terms(terms)
        return tuple(terms)

    @property
    def holds_models(self) -> bool:
        """Whether there are other models in it, which a text cannot hold."""
        return isinstance(self.scorer, Classifier) or models_in(self.columns) is not None

    @property
    def other_models(self) -> dict[str, Any]:
        """These models, by what they are for; TypeError if no file can hold one."""
        models = {}
        if isinstance(self.scorer, Classifier):
            from moselect.models.training import OrdinalClassifier  # slow

            pool = self.scorer.estimator
            if not isinstance(pool, OrdinalClassifier):
                raise TypeError(
                    "a file holds a weighted sum, a pool or a WrappedClassifier, no "
                    f"{type(pool).__name__}"
                )
            models["pool"] = pool
        step = models_in(self.columns)
        return models if step is None else {**models, "columns": step}

    # What it says

    def scores_and_codes(self, values: Floats) -> tuple[Floats, Integers]:
        """Return scores (n,), not finite where they are too large, and codes (n,) of answers.

        ``values`` (n, p) are what the columns make of rows.
        """
        scores, proba = self.scorer.say(values)
        return scores, self.decision.codes(scores, proba)

    def probabilities(self, values: Floats) -> Floats:
        """Return the class probabilities (n, r) of what the columns make of rows (n, p)."""
        scores, proba = self.scorer.say(values)
        if proba is not None:
            return proba
        if self.calibration is None:
            raise ValueError(
                "the model holds no calibration of its score, so it has no class probabilities"
            )
        return self.calibration.probabilities(scores)

    def decision_function(self, X: ArrayLike | pd.DataFrame) -> Floats:
        """Score samples (n, m), in their own units; higher means a higher class.

        Raises
        ------
        ValueError
            If features are missing, infinite, or so large that a score is.
        """
        return self._finite(self.scorer.say(self.columns_of(X))[0])

    def predict(self, X: ArrayLike | pd.DataFrame) -> NDArray[Any]:
        """Predict the class label of each row of X, shape (n,), or that it is left to a person."""
        scores, codes = self.scores_and_codes(self.columns_of(X))
        self._finite(scores)
        return np.asarray(self.answers[codes])

    @property
    def predict_proba(self) -> Callable[[Any], Floats]:
        """Compute the class probabilities (n, r) of rows X; AttributeError without any."""
        if self.calibration is None and not isinstance(self.scorer, Classifier):
            raise AttributeError("the model holds no calibration of its score")

        def predict_proba(X: Any) -> Floats:
            return self.probabilities(self.columns_of(X))

        return predict_proba

    def parts(self, values: Floats) -> pd.DataFrame:
        """Return what each term of a weighted sum adds to the scores, (n, terms).

        All columns of one curve are one term. ``values`` (n, p) are what the columns make
        of rows, NaN for those that have none. The sum of a row is the score.
        """
        if not hasattr(self, "coef_"):
            raise ValueError("the model has no parts that add up")
        weighted, names = values * self.coef_, self.names
        last: Any = ([None, *steps_of(self.columns)])[-1]
        if hasattr(last, "get_term_names"):  # several columns of a curve
            names, weighted = list(last.get_term_names()), last.sum_terms(weighted)
        return pd.DataFrame(weighted, columns=names)

    def contributions(self, X: Any) -> pd.DataFrame:
        """Compute what each column of a table adds to the score of a row.

        Shapley values of ``decision_function`` beside 100 rows whose columns are
        distributed, each by itself, as they were in training; exact for sums of terms of
        one or two columns.

        Parameters
        ----------
        X : array-like of shape (n, m)
            Rows.

        Returns
        -------
        DataFrame of shape (n, m + 1)
            A column for each that the model was fitted to, and ``baseline``, the mean
            score of those 100 rows. A row adds up to its score.

        Raises
        ------
        ValueError
            If the model does not know how columns were distributed: it was not selected.
        """
        from moselect.models.shapley import shapley_values

        if self.promise is None:
            raise ValueError(
                "only a model that was selected knows what to compare a row with"
            )
        table = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).add_prefix("x")
        background = self.promise.background()
        missing = [name for name in background if name not in table]
        if missing:
            raise ValueError(f"X has no column {missing[0]!r}, which the model takes")

        def score(rows: pd.DataFrame) -> Floats:
            return self.decision_function(
                rows if isinstance(X, pd.DataFrame) else rows.to_numpy()
            )

        return shapley_values(score, table[list(background)], background)

    def score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the share of rows that get their own class."""
        weights = None if sample_weight is None else np.asarray(sample_weight)
        return float(np.average(self.predict(X) == np.asarray(y), weights=weights))

    def columns_of(self, X: Any) -> Floats:
        """Return what the columns make of rows, (n, p)."""
        if self.columns is not None:
            X = self.columns.transform(X)
        return feature_matrix(X, self.feature_names, self.n_features_in_)

    @staticmethod
    def _finite(scores: Floats) -> Floats:
        if not np.isfinite(scores).all():
            raise ValueError("a score is too large for a floating-point number")
        return scores

    # The same model, deciding otherwise

    def replace(self, **changes: Any) -> Self:
        """Return the model with other attributes."""
        other = copy(self)
        vars(other).update(changes)
        return other

    def decide(
        self,
        cost_matrix: ArrayLike,
        shares: ArrayLike | None = None,
        trained_shares: ArrayLike | None = None,
    ) -> Self:
        """Return the model that decides for other costs; nothing is fitted.

        Parameters
        ----------
        cost_matrix : array-like of shape (r, r) or (r, r + 1)
            Costs, rows true classes, columns predicted ones; a last one is that of
            leaving a row to a person.
        shares, trained_shares : array-like of shape (r,), optional
            Shares of the classes that it will meet, and those for which its probabilities
            hold.

        Raises
        ------
        ValueError
            If costs or shares do not fit, or the model has no probabilities.

        Examples
        --------
        >>> import moselect
        >>> X, y = moselect.datasets.load_boston()
        >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
        >>> model = search.select(class_costs=[1, 1, 1, 5, 5], kind="curves")
        >>> dear = model.decide(moselect.cost_matrix([1, 1, 1, 50, 50]))
        >>> bool((dear.predict(X) >= model.predict(X)).all())
        True
        """
        r = len(self.classes_)
        referral = self.referral or Referral()
        known = referral if np.shape(cost_matrix)[-1:] == (r + 1,) else None
        costs = check_cost_matrix(cost_matrix, r, referral=known is not None)
        if shares is not None:
            now, then = (
                np.asarray(part, dtype=np.float64) for part in (shares, trained_shares)
            )
            # P(class) by the new shares, times a cost, is P(class) by the old ones, times this.
            costs = (
                costs
                * np.divide(now, then, out=np.zeros_like(now), where=then > 0.0)[:, None]
            )
        decision = self.scorer.decision(costs, known)
        return self.replace(
            decision=decision, evidence=None, promise=None, about={}, card=None
        )

    # How it is shown

    @property
    def spans(self) -> list[str]:
        """In words, for each answer, the scores for which it is given; AttributeError if none."""
        return self.decision.spans(len(self.answers))  # type: ignore[union-attr]

    @property
    def summary(self) -> str:
        """How it comes to a class, in a sentence."""
        if isinstance(self.decision, LeastCost):
            return "The model calls the class of least expected cost."
        summed = "scores by other models" if self.holds_models else "features"
        labels = [in_one_line(str(label)) for label in self.answers]
        scores = "; ".join(map(": ".join, zip(labels, self.spans, strict=True)))
        return f"Class by the weighted sum of {summed}: {scores}"

    def __repr__(self) -> str:
        classes = in_one_line(" < ".join(map(str, self.classes_)))
        inside = getattr(self.scorer, "estimator", f"{self.n_features_in_} weights")
        return f"{type(self).__name__}({inside}; {classes})"

    def _repr_html_(self) -> str:
        from moselect.models.model_html import model_html

        return model_html(self) + (
            "" if self.evidence is None else self.evidence.to_html()
        )

    # What scikit-learn asks a classifier

    def fit(self, *data: Any, **options: Any) -> NoReturn:
        """Raise TypeError; without the method, `check_is_fitted` knows no estimator."""
        raise TypeError(
            f"{type(self).__name__} is finished and cannot be fitted: compare what makes it, "
            "such as ParetoSearch, CostSensitiveOrdinalClassifier or OrdinalPool"
        )

    __sklearn_clone__ = fit  # before any fit of a cross-validation, which would only warn

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags  # slow

        target = TargetTags(required=True)
        return Tags(
            estimator_type="classifier",
            target_tags=target,
            classifier_tags=ClassifierTags(),
        )
