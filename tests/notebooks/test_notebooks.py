"""The notebooks run and reproduce their committed outputs."""

import re
from itertools import groupby

import nbformat
import pytest

from notebooks.run import METADATA, execute
from tests.places import ROOT

FOLDER = ROOT / "notebooks"
NAMES = (
    "quickstart",
    "reading_the_front",
    "costs_and_thresholds",
    "comparing_models",
    "your_own_data",
    "my_scores",
    "tuning",
    "in_use",
    "the_paper",
)


def read(name):
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def words(cells):
    """Return the words of all outputs: numbers, and the better of two nearly equal models,
    may differ between processors."""
    outputs = [output for cell in cells for output in cell.outputs]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs]
    return set(re.findall(r"[^\W\d_]\w+", " ".join(texts)))


def output_types(cell):
    """Return the stream or MIME types of each output; a warning would be one on stderr.

    A kernel sends what is printed in one piece or more.
    """
    types = [
        (o.output_type, o.get("name"), sorted(o.get("data", {}))) for o in cell.outputs
    ]
    return [key for key, pieces in groupby(types) for _ in (pieces if key[2] else [key])]


def test_the_readme_lists_all_notebooks():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(NAMES)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\((\w+)\.ipynb\)", readme) == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_committed_notebooks_are_clean(name):
    notebook = read(name)
    nbformat.validate(notebook)
    assert notebook.metadata == METADATA
    assert all(cell.metadata == {} for cell in notebook.cells)
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    found = {(output.output_type, output.get("name")) for output in outputs}
    assert found <= {
        ("display_data", None),
        ("execute_result", None),
        ("stream", "stdout"),
    }
    assert (FOLDER / f"{name}.ipynb").stat().st_size < 1.5e6


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_notebooks_reproduce_their_committed_outputs(name, tmp_path):
    again = code_cells(execute(FOLDER / f"{name}.ipynb", tmp_path))
    committed = code_cells(read(name))
    assert [output_types(cell) for cell in again] == [
        output_types(cell) for cell in committed
    ]
    assert words(again) == words(committed)
    assert list(tmp_path.iterdir()) == []  # no files are left
