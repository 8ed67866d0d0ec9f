"""Measures of data that fit no memory, from counts that are filled part by part and merged."""

from moselect.metrics.counts.bounds import (
    Bounds,
    RankingBounds,
    delong_variance_bounds,
    interval_bounds,
    ranking_bounds,
)
from moselect.metrics.counts.calibration_counts import CalibrationCounts
from moselect.metrics.counts.passes import count_parts, count_rankings, exact_ranking_bounds
from moselect.metrics.counts.prediction_counts import PredictionCounts
from moselect.metrics.counts.ranking_counts import OccupiedBins, RankingCounts
from moselect.metrics.counts.score_bins import ScoreBins

__all__ = [
    "Bounds",
    "CalibrationCounts",
    "OccupiedBins",
    "PredictionCounts",
    "RankingBounds",
    "RankingCounts",
    "ScoreBins",
    "count_parts",
    "count_rankings",
    "delong_variance_bounds",
    "exact_ranking_bounds",
    "interval_bounds",
    "ranking_bounds",
]
