from .calibration import smooth_thresholds as smooth_thresholds
from .ensemble.ordinal_stacking import ModelColumns as ModelColumns
from .ensemble.ordinal_stacking import OrdinalStacking as OrdinalStacking
from .learner import EstimatorLearner as EstimatorLearner
from .learner import FitError as FitError
from .learner import Learner as Learner
from .learner import Predictions as Predictions
from .linear.cost_sensitive import (
    CostSensitiveOrdinalClassifier as CostSensitiveOrdinalClassifier,
)
from .linear.cost_thresholds import CostThresholdClassifier as CostThresholdClassifier
from .maximum_likelihood import fit_proportional_odds as fit_proportional_odds
from .proportional_odds import AdditiveOdds as AdditiveOdds
from .proportional_odds import ProportionalOdds as ProportionalOdds
from .scorecard.estimator import Scorecard as Scorecard
from .training_columns import ColumnChoice as ColumnChoice
from .wrapped_classifier import SkordinalClassifier as SkordinalClassifier
from .wrapped_classifier import WrappedClassifier as WrappedClassifier
