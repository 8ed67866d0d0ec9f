"""Feature columns of amounts and pairs of numbers in text."""

import re

import numpy as np
import pandas as pd
import pytest

from moselect.datasets import load_dataset
from moselect.predictor import OrdinalLinearClassifier
from moselect.predictor.predictions import predict_table
from moselect.preprocessing import Preparation

N = 60


def read(tmp_path, cells, **options):
    """Return the features of a file with one column of text beside a number."""
    path = tmp_path / "t.csv"
    grades = np.arange(N) % 3
    table = pd.DataFrame({"a": np.resize(cells, N), "x": range(N), "grade": grades})
    table.to_csv(path, index=False)
    return load_dataset(path, target="grade", **options).X


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["95%", "96%", "100%"], [95, 96, 100]),
        (["5 kg", "10 kg", "2.5 kg"], [5, 10, 2.5]),
        (["19M", "404k", "1.5M", "7"], [19e6, 404e3, 1.5e6, 7]),
        (["€110.5M", "€500K", "€0"], [110.5e6, 500e3, 0]),
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_amounts_of_few_and_many_values(tmp_path, cells, numbers, many):
    if many:  # all different, with the same units
        cells = [c.replace("5", str(k), 1) for k in range(5, 9) for c in cells] + cells
        X = read(tmp_path, cells)
        assert pd.api.types.is_numeric_dtype(X["a"].dtype)
        return
    X = read(tmp_path, cells)
    assert X["a"].tolist() == np.resize(numbers, N).tolist()


@pytest.mark.parametrize("cells", [["3+", "2", "1"], ["1st", "2nd"], ["5m", "4wd", "x"]])
def test_levels_are_no_amounts(tmp_path, cells):
    assert read(tmp_path, cells)["a"].tolist() == np.resize(cells, N).tolist()


@pytest.mark.parametrize(
    "form", ["{}/{}", "{} x {}", "{} / {} mmHg", "{}X{}cm", "{}\N{MULTIPLICATION SIGN}{}"]
)
def test_two_numbers_in_a_cell_are_two_columns(tmp_path, form):
    pairs = [(100 + k, 60.5 + k % 7) for k in range(40)]
    X = read(tmp_path, [form.format(*pair) for pair in pairs])
    for name, numbers in zip(
        ("a (1 of 2)", "a (2 of 2)"), zip(*pairs, strict=True), strict=True
    ):
        assert X[name].tolist() == np.resize(numbers, N).tolist()
    assert list(X) == ["a (1 of 2)", "a (2 of 2)", "x"]
    categorical = read(
        tmp_path, [form.format(*pair) for pair in pairs], categorical=["a"]
    )
    assert categorical["a"][0] == form.format(*pairs[0])


def test_words_among_two_numbers_are_gaps_in_training_and_reasons_later(tmp_path):
    cells = [f"{100 + k}/{60 + k % 7}" for k in range(40)] + ["refused"]
    X = read(tmp_path, cells)
    preparation = Preparation().fit(X)
    new = pd.DataFrame({"a": ["120/80", "refused", "low", None], "x": 1})
    values = preparation.transform(new.drop(index=2))
    median = np.median([float(cell[:3]) for cell in np.resize(cells, N) if "/" in cell])
    assert values["a (1 of 2)"].tolist() == [120, median, median]
    assert "column 'a (1 of 2)' holds 'low'" in preparation.remarks(new)["unreadable"][2]
    readings = preparation.readings.set_index("column")
    assert readings.loc["a (2 of 2)", "setting"] == "categorical=a"


def test_a_target_is_read_as_it_is_written(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,risk\n" + "1,5%\n2,10%\n3,20%\n" * 9)
    assert load_dataset(path).labels == ("5%", "10%", "20%")


def test_linear_models_take_two_numbers_in_a_cell(tmp_path):
    model = OrdinalLinearClassifier(
        [1.0, -1.0], [30.0], ["low", "high"], ["a (1 of 2)", "a (2 of 2)"]
    )
    found = predict_table(model, pd.DataFrame({"a": ["120/80", "90/80", "?"]}))
    assert found.classes.tolist() == ["high", "low", None]


def test_messages_name_the_column_that_a_table_has():
    frame = pd.DataFrame({"bp (1 of 2)": [1, 2], "bp (2 of 2)": [3, 4], "n (1)": [5, 7]})
    preparation = Preparation().fit(frame)
    assert preparation.readings["setting"].iloc[-1] == "categorical='n (1)'"
    message = (
        "column 'bp' is missing; did you mean 'BP'?, column 'n (1)' is missing: needed"
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        preparation.transform(pd.DataFrame({"BP": ["1/2"]}))
