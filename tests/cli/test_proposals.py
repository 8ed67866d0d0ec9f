"""Every option that a message proposes is accepted as it is printed."""

import re
import shlex

import numpy as np
import pandas as pd
import pytest

from moselect.cli.terminal import as_options
from moselect.datasets import load_dataset
from moselect.labels.labels import as_label_array, check_classes, encode_labels
from moselect.listing import names
from moselect.samples.training import classes_with_samples
from tests.cli.conftest import parse_json

VALUE = r"""((?:'[^']*'|"'"|[^\s'();:,]+(?:,(?=\S))?)+)"""
PROPOSED = rf"(--order|--leave-out|--bins) {VALUE}( --binning quantile)?"


def table(labels, counts):
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(len(labels)), counts)
    columns = {"a": codes + rng.normal(size=len(codes)), "b": rng.normal(size=len(codes))}
    y = np.array(labels, dtype=object)[codes]
    return pd.DataFrame({**columns, "y": y}).sample(frac=1.0, random_state=1)


TABLES = {
    "one row": (["I", "II", "III", "IV", "V"], [9, 1, 20, 1, 9]),
    "few rows": (["C", "B", "A", "A+", "A++", "A+++"], [9, 9, 9, 1, 2, 3]),
    "a code": ([1, 2, 3, 8, 9], 9),
    "a gap between halves": ([1.0, 1.5, 2.5, 3.0], 9),
    "some grades": ([1.0, 1.5, 2.25], 9),
    "numbers": (list(np.arange(60) / 7), 3),
    "skewed numbers": (list(np.exp(np.arange(60) / 4)), 3),
    "an outlier": ([*range(60), 10**6], [3] * 60 + [1]),
}


def opened(options):
    """Return the messages of a table that is read and checked, and whether it is refused."""
    try:
        data = load_dataset("t.csv", **options)
        scale = as_label_array(data.labels)
        observed = classes_with_samples(scale, encode_labels(data.y, scale))
        check_classes(data.X, *observed[::-1], fewest=2)
    except ValueError as error:
        return as_options(str(error)), True
    return as_options(" ".join(data.notes)), False


@pytest.mark.parametrize("name", TABLES)
def test_proposed_options_are_accepted(name):
    table(*TABLES[name]).to_csv("t.csv", index=False)
    first, _ = opened({})
    proposed = re.findall(PROPOSED, first)
    assert proposed
    while proposed:
        option, text, quantile = proposed.pop()
        (value,) = shlex.split(text)
        given = int(value) if option == "--bins" else names(value)
        binning = {"binning": "quantile"} if quantile else {}
        then, refused = opened({option[2:].replace("-", "_"): given, **binning})
        if refused:  # for something else, and then the next line helps
            again = re.findall(PROPOSED, then)
            assert again, then
            assert (option, text, quantile) not in again
            assert "must name" not in then
            proposed += again


def test_a_class_without_rows_has_a_cost_and_distances(run_command):
    pairs = [(1, 1), (2, 2), (4, 4), (5, 5), (1, 2), (2, 4), (4, 2), (5, 4)]
    pd.DataFrame(pairs, columns=["y", "p"]).to_csv("p.csv", index=False)
    line = "evaluate p.csv --true y --pred p --json"
    for options, mae in ((" --order 1,2,3,4,5 --class-costs 1,1,1,5,5", 0.75), ("", 0.5)):
        done = run_command(line + options)
        measures = parse_json(done)["measures"]
        assert measures["mean_absolute_error"]["estimate"] == pytest.approx(mae)
        assert "3" in done.stderr
    assert "--order 1,2,3,4,5" in done.stderr
