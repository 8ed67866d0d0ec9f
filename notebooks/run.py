"""Run notebooks anew and keep their outputs: ``python notebooks/run.py [quickstart ...]``.

Kept are code, text and outputs; not when and by which Python they were made.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def execute(path: Path, folder: Path) -> nbformat.NotebookNode:
    """Run a notebook in a new kernel, in a folder, and give it with its outputs.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell raises an error.
    """
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    return notebook


def main() -> None:
    """Run the notebooks that are named, or all."""
    names = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.ipynb"))
    for name in names:
        path = FOLDER / f"{name}.ipynb"
        nbformat.write(execute(path, FOLDER), path)


if __name__ == "__main__":
    main()
