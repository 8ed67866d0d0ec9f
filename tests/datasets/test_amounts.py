"""Numbers in text: missing values, units and signs."""

import numpy as np
import pandas as pd
import pytest

from moselect.cli.model_rows import as_in_training
from moselect.datasets.tables import read_source
from moselect.io import read_cost_matrix
from moselect.preprocessing import Preparation

DASHES = ["-", "--", "---", "\N{EM DASH}", "\N{MINUS SIGN}"]
GAPS = [*DASHES, "?", ".", "none", "NONE", "n/a", "#N/A", "#DIV/0!", ""]


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("amount", ["{} €", "{} %", "{}kg", "${}", "{}"])
def test_gaps_of_training_are_gaps_in_predictions(tmp_path, gap, amount):
    numbers = np.arange(60) + 0.25
    cells = [gap] * 10 + [amount.format(number) for number in numbers[10:]]
    rows = pd.DataFrame({"pay": cells, "grade": np.arange(60) % 3})
    rows.to_csv(tmp_path / "rows.csv", index=False, sep=";")
    source = read_source(tmp_path / "rows.csv")
    preparation = Preparation().fit(source.table)
    table = as_in_training(source, [preparation], ())
    assert (preparation.remarks(table)["unreadable"] == "").all()
    expected = numbers[10:]
    found = preparation.transform(table)["pay"].to_numpy()
    np.testing.assert_array_equal(found[10:], expected)
    np.testing.assert_array_equal(found[:10], np.median(expected))


SIGNED = ["\N{MINUS SIGN}{}", "-{}", "{}-", "({})"]


@pytest.mark.parametrize("form", SIGNED)
@pytest.mark.parametrize("amount", ["{}", "{} kg", "€{}", "{}%"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_negative_numbers_in_files(tmp_path, form, amount, decimal):
    numbers = (np.arange(80) - 40.5) / 4
    around = amount.format(form) if form.endswith("-") else form.format(amount)
    cells = [
        (around if x < 0 else amount).format(f"{abs(x):.3f}".replace(".", decimal))
        for x in numbers
    ]
    path = tmp_path / "rows.csv"
    pd.DataFrame({"change": cells, "n": range(80)}).to_csv(path, index=False, sep=";")
    np.testing.assert_array_equal(read_source(path).table["change"], numbers)


@pytest.mark.parametrize("form", SIGNED)
def test_negative_numbers_in_tables_labels_and_costs(tmp_path, form):
    table = pd.DataFrame({"x": [form.format("2.5"), "1", "3", form.format("1e-2")] * 5})
    found = Preparation().fit_transform(table)["x"]
    assert found.tolist() == [-2.5, 1.0, 3.0, -0.01] * 5
    path = tmp_path / "t.csv"
    if form == "({})":
        return  # a few may be levels
    path.write_text(f"x,grade\n1,{form.format(1)}\n2,0\n3,2\n")
    assert read_source(path).table["grade"].tolist() == [-1, 0, 2]
    path.write_text(f"0,{form.format(1.5)}\n2,0\n")
    costs = read_cost_matrix(path, ["low", "high"])
    np.testing.assert_array_equal(costs, [[0.0, -1.5], [2.0, 0.0]])


@pytest.mark.parametrize(
    "cell", ["5-day", "10-20", "5-", "2024-05", "-", "--5", "5- 300"]
)
def test_signs_that_are_none(tmp_path, cell):
    path = tmp_path / "t.csv"
    pd.DataFrame({"x": [cell, "3-room"], "y": 1}).to_csv(path, index=False)
    assert read_source(path).table["x"].tolist() == [cell, "3-room"]
