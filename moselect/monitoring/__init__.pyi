from .differences import ModelDifferences as ModelDifferences
from .differences import model_differences as model_differences
from .monitoring import Check as Check
from .monitoring import check as check
