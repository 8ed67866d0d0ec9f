import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from moselect import Costs, compare
from moselect.io import read_comparison, write_comparison

RNG = np.random.default_rng(3)
X = pd.DataFrame(RNG.normal(size=(60, 2)), columns=["größe", "b"])
CODES = np.digitize(X["b"] + RNG.normal(size=60), [-0.5, 0.7])
LABELS = {
    "numbers": (np.array([1, 5, 9])[CODES], None),
    "text": (np.array(["low", "mid", "höchst"])[CODES], ["low", "mid", "höchst"]),
    "bool": (CODES > 0, None),
}
MODELS = {
    "bayes ✓": GaussianNB(),
    "few": LogisticRegression(max_iter=1),  # warns
    "no/proba": "ordinal_ridge",
    "broken": LogisticRegression(C=-1.0),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "models.jsonl"


@cache
def make_comparison(label_type="numbers"):
    y, labels = LABELS[label_type]
    costs = np.arange(1, 1 + len(set(y)))
    return compare(MODELS, X, y, labels=labels, cv=3, random_state=5, costs=costs)


@pytest.mark.parametrize("label_type", LABELS)
def test_a_comparison_is_restored_to_the_last_bit(path, label_type):
    comparison = make_comparison(label_type)
    write_comparison(path, comparison)
    again = read_comparison(path)
    assert again.classes.tolist() == comparison.classes.tolist()
    assert list(again.results) == list(comparison.results)
    assert again.failures == comparison.failures
    assert again.failures.keys() == {"broken"}
    assert again.warnings == comparison.warnings
    assert again.warnings.keys() == {"few"}
    assert (again.fingerprint, again.random_state) == (comparison.fingerprint, 5)
    pd.testing.assert_frame_equal(again.per_fold, comparison.per_fold, check_exact=True)
    measure = "ranked_probability_error"  # of what is stored but was not measured before
    pd.testing.assert_frame_equal(
        again.measured([measure]), comparison.measured([measure])
    )
    for costs in (None, Costs([1.0] * len(again.classes))):
        pd.testing.assert_frame_equal(
            again.costs(costs), comparison.costs(costs), check_exact=True
        )
    assert str(again) == str(comparison)
    write_comparison(path.with_name("again.jsonl"), again)
    assert path.with_name("again.jsonl").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("line", "changes", "message"),
    [
        (
            0,
            {"schema": 99},
            "has schema 99, but this version reads schema 4: update moselect",
        ),
        (0, {}, "is damaged .*: compare again"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(path, line, changes, message):
    with pytest.raises(ValueError, match="cannot read the comparison"):
        read_comparison(path)
    write_comparison(path, make_comparison())
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | changes) if changes else "{"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=message) as error:
        read_comparison(path)
    assert len(str(error.value).splitlines()) == 1
