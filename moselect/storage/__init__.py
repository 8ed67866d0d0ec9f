"""What is kept on disk: run folders, checkpoints while a search goes, models, comparisons."""

from moselect.datasets import fingerprint
from moselect.storage.as_csv import as_csv
from moselect.storage.as_json import as_json
from moselect.storage.atomic import check_file_path, replacing
from moselect.storage.checkpoints import Checkpoints
from moselect.storage.comparison_file import read_comparison, write_comparison
from moselect.storage.lock import InUseError, hold_file, hold_folder
from moselect.storage.model_file import read_model, write_model
from moselect.storage.pool_file import read_pool, write_pool
from moselect.storage.run_folder import (
    Run,
    check_run_path,
    claim_new_run,
    claim_run,
    new_run_path,
    read_run,
    write_run,
)
from moselect.storage.unfinished import (
    begin_run,
    check_data,
    checkpoints_of,
    end_run,
    read_unfinished,
    warn_of_versions,
)

__all__ = [
    "Checkpoints",
    "InUseError",
    "Run",
    "as_csv",
    "as_json",
    "begin_run",
    "check_data",
    "check_file_path",
    "check_run_path",
    "checkpoints_of",
    "claim_new_run",
    "claim_run",
    "end_run",
    "fingerprint",
    "hold_file",
    "hold_folder",
    "new_run_path",
    "read_comparison",
    "read_model",
    "read_pool",
    "read_run",
    "read_unfinished",
    "replacing",
    "warn_of_versions",
    "write_comparison",
    "write_model",
    "write_pool",
    "write_run",
]
