from __future__ import annotations

import io
import shutil
import subprocess

import openpyxl
import pandas as pd
import pytest
from openpyxl.utils.escape import unescape

from moselect.export import formula_of
from moselect.export.workbook import workbook_of
from moselect.models import OrdinalLinearClassifier
from tests.export.cases import CASES, DATES, LABELS, NAMES, make_case

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
ROWS = 600  # of each case: LibreOffice takes its time


def write_filled(formula, table, path):
    """Write the workbook with rows in it, as a user would paste them."""
    book = openpyxl.load_workbook(io.BytesIO(workbook_of(formula, rows=len(table) + 2)))
    for i, row in enumerate(
        table.astype(object).itertuples(index=False, name=None), start=2
    ):
        for j, value in enumerate(row, start=1):
            if value == value and value is not None:
                book["Rows"].cell(i, j).value = value
    book.save(path)


@pytest.fixture(scope="module")
def recalculated(tmp_path_factory):
    """Let LibreOffice open and save the workbooks of all cases; give their folder."""
    if OFFICE is None:
        pytest.skip("there is no LibreOffice: apt-get install libreoffice-calc-nogui")
    folder = tmp_path_factory.mktemp("books")
    for name in CASES:
        case = make_case(name)
        write_filled(case.formula, rows_of(case), folder / f"{name}.xlsx")
    command = [OFFICE, f"-env:UserInstallation=file://{folder}/profile", "--headless"]
    kind = "xlsx:Calc MS Excel 2007 XML"
    command += ["--convert-to", kind, "--outdir", folder / "out", *folder.glob("*.xlsx")]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    return folder / "out"


def rows_of(case):
    rows = case.table.loc[: ROWS - 1, list(case.formula.columns)]
    for name in rows.columns.intersection([*DATES]):
        dates = pd.to_datetime(rows[name], format=DATES[name], errors="coerce")
        rows[name] = dates.astype(object).where(dates.notna(), rows[name])
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_libreoffice_gives_every_row_the_class_of_predict(recalculated, name):
    case = make_case(name)
    columns, n = list(case.formula.columns), min(ROWS, len(case.table))
    sheet = openpyxl.load_workbook(recalculated / f"{name}.xlsx", data_only=True)["Rows"]
    assert [cell.value for cell in sheet[1]] == [*columns, "score", "class"]
    p = len(columns)
    found = sheet.iter_rows(2, n + 3, p + 1, p + 2, values_only=True)
    scores, classes = zip(*found, strict=True)
    labels = [unescape(label) if label else None for label in classes]
    assert labels == [*case.classes[:n], None, None]  # and none of blank rows
    if not case.kinds:
        given = [score or 0.0 for score in scores[:-2]]
        assert given == pytest.approx(case.scores[:n], rel=1e-12, abs=1e-14)


def test_no_cell_of_text_is_a_formula():
    formula = formula_of(
        OrdinalLinearClassifier([1.0] * len(NAMES), [0, 1, 2], LABELS, NAMES)
    )
    book = openpyxl.load_workbook(io.BytesIO(workbook_of(formula, rows=3)))
    texts = {
        cell.value
        for sheet in book
        for row in sheet
        for cell in row
        if cell.data_type == "s"
    }
    assert {*NAMES, *LABELS} <= {unescape(text) for text in texts}
    formulas = [c.value for s in book for row in s for c in row if c.data_type == "f"]
    assert not any("HYPERLINK" in value or "1+1" in value for value in formulas)
