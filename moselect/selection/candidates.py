"""Learners of the candidates: scorecard, linear rule, additive model, ensemble."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline

from moselect._protocols import Transformer
from moselect.learning import EstimatorLearner, Learner, Predictions
from moselect.models.training_columns import ColumnChoice, columns_transformer
from moselect.predictor import Model
from moselect.preprocessing.preparation import Preparation, preparation_for
from moselect.samples.features import Schema
from moselect.samples.folds import Folds
from moselect.samples.samples import Samples
from moselect.scorecard import Scorecard
from moselect.scorecard.path import CardLearner
from moselect.selection.choice import BASES, TRIVIAL
from moselect.selection.decision_loss import DecisionLoss
from moselect.selection.linear.rule import fit_linear_rule
from moselect.selection.shared_fits import BaseModelLearner, EnsembleLearner, SharedFits


@dataclass(frozen=True, eq=False)
class CandidateFactory:
    """Factory of the candidates of one table, fitted to class codes 0 .. r - 1.

    Attributes
    ----------
    schema : mapping of str to ColumnContent, or None
        Content of each column of the table; None if all are finite numbers.
    columns : {"features", "splines", "models"} or transformer
        Inputs of linear models.
    prepare : bool or Preparation
        Whether and how to encode categories and dates and to impute missing values.
    random_state : int or None
        Seed of all random steps.
    n_jobs : int or None
        Number of concurrent fits, two by default.
    monotone : mapping of str to {1, -1}, optional
        Directions that the candidates keep, as in the samples.
    """

    schema: Schema | None = None
    columns: ColumnChoice | Transformer = "features"
    prepare: bool | Preparation = True
    random_state: int | None = None
    n_jobs: int | None = None
    monotone: Mapping[str, int] | None = None

    @cached_property
    def preparation(self) -> Preparation | None:
        """Unfitted preprocessing of the table; None if it is numeric and complete."""
        return preparation_for(self.schema, self.prepare, self.random_state)

    @cached_property
    def transformer(self) -> Pipeline | None:
        """Unfitted transformer for the inputs of linear models."""
        settings = self.schema, self.columns, self.prepare, self.random_state
        return columns_transformer(*settings, self.monotone)

    def card(self, conditions: int = 8) -> CardLearner:
        """Build the learner of scorecards with a number of conditions."""
        return CardLearner(Scorecard(conditions, prepare=self.preparation))

    def learners(self, samples: Samples, folds: Folds) -> dict[str, Learner]:
        """Build the learners of candidates and baselines, with shared base-model fits."""
        seed = self.random_state or 0
        shared = SharedFits(samples, folds, self.preparation, seed, self.n_jobs)
        bases = {name: BaseModelLearner(shared, base) for name, base in BASES.items()}
        return {
            "scorecard": self.card(),
            "linear": _LinearRule(self.transformer),
            **bases,
            "ensemble": EnsembleLearner(shared),
            TRIVIAL: _ClassShares(),
        }


@dataclass(frozen=True, eq=False)
class _LinearRule(Learner):
    """Learner of the linear rule, fitted to the decision loss."""

    transformer: Pipeline | None

    def fit(self, samples: Samples, criteria: object = None) -> Model:
        assert isinstance(criteria, DecisionLoss)
        coded = replace(samples, classes=np.arange(samples.n_classes))
        return fit_linear_rule(coded, self.transformer, criteria)

    def predict(self, model: Model, samples: Samples) -> Predictions:
        X = samples.X
        return Predictions(
            model.predict(X), model.decision_function(X), model.predict_proba(X)
        )


class _ClassShares(Learner):
    """Baseline learner that predicts the training class shares."""

    def fit(self, samples: Samples, criteria: object = None) -> DummyClassifier:
        return DummyClassifier().fit(samples.X, samples.codes, samples.weights)

    def to_predictor(self, model: object) -> None:
        return None


class ClassifierLearner(EstimatorLearner):
    """Learner of a user-supplied classifier."""

    # Classes and scores follow from the probabilities, which are computed once.
    predict = Learner.predict
