"""Several models of different kinds, pooled by their out-of-fold predictions."""

from moselect.models.pool.base_models import BASE_MODELS, base_models
from moselect.models.pool.boosted_ranks import BoostedRanks
from moselect.models.pool.gaussian_process_ranks import GaussianProcessRanks
from moselect.models.pool.ordinal_extra_trees import OrdinalExtraTrees
from moselect.models.pool.ordinal_pool import OrdinalPool
from moselect.models.pool.out_of_fold import OutOfFold, out_of_fold
from moselect.models.pool.pooled_model import PooledModel, ScoreCalibration, pooled_model

__all__ = [
    "BASE_MODELS",
    "BoostedRanks",
    "GaussianProcessRanks",
    "OrdinalExtraTrees",
    "OrdinalPool",
    "OutOfFold",
    "PooledModel",
    "ScoreCalibration",
    "base_models",
    "out_of_fold",
    "pooled_model",
]
