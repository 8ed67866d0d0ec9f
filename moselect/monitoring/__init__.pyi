from .all_rows import AllRows as AllRows
from .all_rows import evaluate_rows as evaluate_rows
from .differences import ModelDifferences as ModelDifferences
from .differences import model_differences as model_differences
from .monitoring import Check as Check
from .monitoring import check as check
