from .atomic import check_file_path, replacing
from .checkpoints import Checkpoints
from .comparison_file import (
    COMPARISON_SCHEMA,
    append_comparison,
    read_comparison,
    write_comparison,
)
from .cost_matrix_file import read_cost_matrix, write_cost_template
from .csv_text import as_csv
from .json_text import as_json
from .lock import InUseError, hold_file, hold_folder
from .model_file import (
    KeptModel,
    check_model_path,
    read_kept,
    read_model,
    read_model_document,
    suffix_of,
    write_model,
)
from .pool_file import KeptPool, read_pool, write_pool
from .prediction_file import (
    cell_text,
    check_prediction_path,
    spreadsheet_csv,
    unescaped,
    write_predictions,
)
from .run_folder import (
    Run,
    check_run_path,
    claim_new_run,
    claim_run,
    new_run_path,
    read_run,
    search_of,
    write_run,
)
from .run_record import RUN_SCHEMA, RunRecord
from .unfinished import (
    begin_run,
    check_data,
    checkpoints_of,
    end_run,
    read_unfinished,
    warn_of_versions,
)

__all__ = [
    "COMPARISON_SCHEMA",
    "RUN_SCHEMA",
    "Checkpoints",
    "InUseError",
    "KeptModel",
    "KeptPool",
    "Run",
    "RunRecord",
    "append_comparison",
    "as_csv",
    "as_json",
    "begin_run",
    "cell_text",
    "check_data",
    "check_file_path",
    "check_model_path",
    "check_prediction_path",
    "check_run_path",
    "checkpoints_of",
    "claim_new_run",
    "claim_run",
    "end_run",
    "hold_file",
    "hold_folder",
    "new_run_path",
    "read_comparison",
    "read_cost_matrix",
    "read_kept",
    "read_model",
    "read_model_document",
    "read_pool",
    "read_run",
    "read_unfinished",
    "replacing",
    "search_of",
    "spreadsheet_csv",
    "suffix_of",
    "unescaped",
    "warn_of_versions",
    "write_comparison",
    "write_cost_template",
    "write_model",
    "write_pool",
    "write_predictions",
    "write_run",
]
