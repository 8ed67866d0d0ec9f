from .checkpoints import Checkpoints
from .comparison_file import read_comparison, write_comparison
from .cost_matrix_file import read_cost_matrix
from .lock import InUseError, claim_run
from .model_file import ModelFile, read_model, read_model_file, write_model
from .run_file import Run, read_run, write_run
from .run_record import search_of
from .tables import write_predictions

__all__ = [
    "Checkpoints",
    "InUseError",
    "ModelFile",
    "Run",
    "claim_run",
    "read_comparison",
    "read_cost_matrix",
    "read_model",
    "read_model_file",
    "read_run",
    "search_of",
    "write_comparison",
    "write_model",
    "write_predictions",
    "write_run",
]
