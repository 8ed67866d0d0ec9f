"""Numbers in text: missing values, units and signs."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from moselect.datasets import load_dataset
from moselect.predictor import OrdinalLinearClassifier
from moselect.predictor.predictions import predict_table, read_rows
from moselect.preprocessing import Preparation
from moselect.tables.gap_codes import gap_codes
from moselect.tables.tables import read_source

DASHES = ["-", "--", "---", "\N{EM DASH}", "\N{MINUS SIGN}"]
GAPS = [*DASHES, "?", ".", "none", "NONE", "n/a", "#N/A", "#DIV/0!", ""]


@pytest.mark.slow
@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("amount", ["{} €", "{} %", "{}kg", "${}", "{}"])
def test_gaps_of_training_are_gaps_in_predictions(write, gap, amount):
    numbers = np.arange(60) + 0.25
    cells = [gap] * 10 + [amount.format(number) for number in numbers[10:]]
    rows = pd.DataFrame({"pay": cells, "grade": np.arange(60) % 3})
    source = read_source(write(rows.to_csv(index=False, sep=";")))
    preparation = Preparation().fit(source.table)
    model = OrdinalLinearClassifier([1.0], [0.0], ["a", "b"], columns=preparation)
    table = read_rows(model, source)
    assert (preparation.read(table).unreadable == "").all()
    expected = numbers[10:]
    found = preparation.transform(table)["pay"].to_numpy()
    assert_array_equal(found[10:], expected)
    assert_array_equal(found[:10], np.median(expected))


SIGNED = ["\N{MINUS SIGN}{}", "-{}", "{}-", "({})"]


@pytest.mark.parametrize("form", SIGNED)
@pytest.mark.parametrize("amount", ["{}", "{} kg", "€{}", "{}%"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_negative_numbers_in_files(write, form, amount, decimal):
    numbers = (np.arange(80) - 40.5) / 4
    around = amount.format(form) if form.endswith("-") else form.format(amount)
    cells = [
        (around if x < 0 else amount).format(f"{abs(x):.3f}".replace(".", decimal))
        for x in numbers
    ]
    rows = pd.DataFrame({"change": cells, "n": range(80)})
    found = read_source(write(rows.to_csv(index=False, sep=";"))).table
    assert_array_equal(found["change"], numbers)


@pytest.mark.parametrize("form", SIGNED)
def test_negative_numbers_in_tables_and_labels(write, form):
    table = pd.DataFrame({"x": [form.format("2.5"), "1", "3", form.format("1e-2")] * 5})
    assert Preparation().fit_transform(table)["x"].tolist() == [-2.5, 1.0, 3.0, -0.01] * 5
    if form != "({})":  # a few may be levels
        path = write(f"x,grade\n1,{form.format(1)}\n2,0\n3,2\n")
        assert read_source(path).table["grade"].tolist() == [-1, 0, 2]


@pytest.mark.parametrize(
    "cell", ["5-day", "10-20", "5-", "2024-05", "-", "--5", "5- 300"]
)
def test_signs_that_are_none(write, cell):
    path = write(f"x,y\n{cell},1\n3-room,1\n")
    assert read_source(path).table["x"].tolist() == [cell, "3-room"]


N = 60


@pytest.fixture
def read(write):
    """Return the features of a file with one column of text beside a number."""

    def read_cells(cells):
        grades = np.arange(N) % 3
        table = pd.DataFrame({"a": np.resize(cells, N), "x": range(N), "grade": grades})
        return load_dataset(write(table.to_csv(index=False)), target="grade").X

    return read_cells


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["5 kg", "10 kg", "2.5 kg"], [5, 10, 2.5]),
        (["19M", "404k", "1.5M", "7"], [19e6, 404e3, 1.5e6, 7]),
        (["€110.5M", "€500K", "€0"], [110.5e6, 500e3, 0]),
        (["R$ 1.234,5", "-R$ 7", "R$ 0"], [1234.5, -7, 0]),
        (["₹1,23,456", "-₹7", "₹12,34,567.5"], [123456, -7, 1234567.5]),
        (
            ["CHF 1\N{RIGHT SINGLE QUOTATION MARK}234.50", "CHF 7.-", "CHF -2"],
            [1234.5, 7, -2],
        ),
    ],
)
def test_amounts_have_units_and_magnitudes(read, cells, numbers):
    assert read(cells)["a"].tolist() == np.resize(numbers, N).tolist()


@pytest.mark.parametrize(
    "form", ["{}/{}", "{} / {} mmHg", "{}X{}cm", "{}\N{MULTIPLICATION SIGN}{}"]
)
def test_two_numbers_in_a_cell_are_two_columns(read, form):
    pairs = [(100 + k, 60.5 + k % 7) for k in range(40)]
    X = read([form.format(*pair) for pair in pairs])
    assert list(X) == ["a (1 of 2)", "a (2 of 2)", "x"]
    assert_array_equal(X.iloc[:, :2].to_numpy(), np.resize(pairs, (N, 2)))


def test_words_among_two_numbers_are_gaps_in_training_and_reasons_later(read):
    cells = [f"{100 + k}/{60 + k % 7}" for k in range(40)] + ["refused"]
    preparation = Preparation().fit(read(cells))
    new = pd.DataFrame({"a": ["120/80", "refused", "low", None], "x": 1})
    values = preparation.transform(new.drop(index=2))
    median = np.median([float(cell[:3]) for cell in np.resize(cells, N) if "/" in cell])
    assert values["a (1 of 2)"].tolist() == [120, median, median]
    assert "column 'a (1 of 2)' holds 'low'" in preparation.read(new).unreadable[2]
    readings = preparation.readings.set_index("column")
    assert readings.loc["a (2 of 2)", "setting"] == "categorical=a"


def test_a_target_is_read_as_it_is_written(write):
    path = write("x,risk\n" + "1,5%\n2,10%\n3,20%\n" * 9)
    assert load_dataset(path).labels == ("5%", "10%", "20%")


def test_linear_models_take_two_numbers_in_a_cell():
    model = OrdinalLinearClassifier(
        [1.0, -1.0], [30.0], ["low", "high"], ["a (1 of 2)", "a (2 of 2)"]
    )
    found = predict_table(model, pd.DataFrame({"a": ["120/80", "90/80", "?"]}))
    assert found.classes.tolist() == ["high", "low", None]


def test_messages_name_the_column_that_a_table_has():
    frame = pd.DataFrame({"bp (1 of 2)": [1, 2], "bp (2 of 2)": [3, 4], "n (1)": [5, 7]})
    preparation = Preparation().fit(frame)
    assert preparation.readings["setting"].iloc[-1] == "categorical='n (1)'"
    missing = "column 'bp' is missing; did you mean 'BP'?, column 'n (1)' is missing"
    message = f"{missing}: the model needs bp, n (1)"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        preparation.transform(pd.DataFrame({"BP": ["1/2"]}))


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        ([1, 2, 3, 4, 5, 9], [9]),
        ([1, 2, 3, 4, 5, 6, 7, 9, 9], [9]),  # more common than 7
        ([0, 9], []),  # any two levels
        ([*range(28), 999, np.nan], [999]),
        ([18, 40, 80, 99], []),  # may be an age
        ([*range(30), -1], [-1]),
        ([-1, 0, 1], []),
        ([-99, -9, 0, 0.5, 2.5, 999], [-99, -9, 999]),
        ([], []),
    ],
)
def test_codes_lie_outside_the_others(values, codes):
    assert gap_codes(np.array(list(values), dtype=float)) == codes
