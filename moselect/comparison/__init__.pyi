from .model_result import ModelResult as ModelResult
from .result import Comparison as Comparison
from .run import DEFAULT_MEASURES as DEFAULT_MEASURES
from .run import DEFAULT_MODELS as DEFAULT_MODELS
from .run import KNOWN_MODELS as KNOWN_MODELS
from .run import MEASURES as MEASURES
from .run import compare as compare
from .run import fit_model as fit_model
