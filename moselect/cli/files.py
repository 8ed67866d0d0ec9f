"""Checks of the names of files that commands write."""

from pathlib import Path

from moselect.cli.requests import UsageError, usage_errors
from moselect.datasets.sources import in_data_folder
from moselect.io.atomic import check_file_path
from moselect.io.run_record import RECORD, is_part_of_run, read_record


def check_picture(path: Path) -> None:
    """Raise ValueError if a picture, which nobody named, would replace another file."""
    if path.exists() and b"Title\0moselect" not in path.read_bytes():
        raise ValueError(
            f"'{path}' exists and is no picture of moselect: rename it, or name another file"
        )


def check_output(path: Path, force: bool, *inputs: object) -> None:
    """Raise UsageError if a file cannot be written, or is an input of the command.

    Inputs are files, and run folders with their data.
    """
    with usage_errors():
        check_file_path(path, replace=force)
    for given in inputs:
        if given is None:
            continue
        source = in_data_folder(str(given)) or Path(str(given))
        if (source / RECORD).is_file():
            if is_part_of_run(path, source):
                raise UsageError(
                    f"'{path}' is a file of the run '{source}': name another"
                )
            check_output(path, force, read_record(source)["data"]["loaded_by"]["source"])
        elif path.exists() and source.exists() and path.samefile(source):
            raise UsageError(f"'{path}' is an input of this command: name another file")
