"""Standard errors and confidence intervals of measures, and tests of differences."""

from moselect.metrics.uncertainty.covariance import delong_variances
from moselect.metrics.uncertainty.prediction_inference import (
    confusion_inference,
    prediction_inference,
)
from moselect.metrics.uncertainty.ranking_inference import (
    ROUNDING,
    RankingInference,
    logit_interval,
    ranking_inference,
)

__all__ = [
    "ROUNDING",
    "RankingInference",
    "confusion_inference",
    "delong_variances",
    "logit_interval",
    "prediction_inference",
    "ranking_inference",
]
