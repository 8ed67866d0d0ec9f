"""Standard errors and confidence intervals of measures, and tests of differences."""

from moselect.metrics.uncertainty.prediction_inference import prediction_inference
from moselect.metrics.uncertainty.ranking_inference import (
    ROUNDING,
    RankingInference,
    ranking_inference,
)

__all__ = ["ROUNDING", "RankingInference", "prediction_inference", "ranking_inference"]
