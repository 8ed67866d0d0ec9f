import re
import shlex

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moselect.datasets import load_dataset
from moselect.datasets.ordered_target import order_target
from moselect.labels.scale_words import WORDS, scale_sections
from moselect.labels.scales import recognise_scale
from moselect.listing import names
from moselect.tables.tables import read_source

SCALES = {name: levels for name, levels in scale_sections().items() if WORDS not in name}


def target(values):
    return pd.Series(values, name="grade")


LARGE = [2**64 - 1, 2**63 + 1, 1]
SIZES = pd.Categorical(["hi", "lo"], ["lo", "mid", "hi"], ordered=True)


@pytest.mark.parametrize(
    ("values", "order", "labels", "codes"),
    [
        (pd.Series([True, False], dtype="boolean"), None, (False, True), [1, 0]),
        (["10", "9", "-1"], None, (-1, 9, 10), [2, 1, 0]),
        (np.array(LARGE, dtype=np.uint64), None, tuple(LARGE[::-1]), [2, 1, 0]),
        (SIZES, None, ("lo", "hi"), [1, 0]),
        (SIZES, ["hi", "lo"], ("hi", "lo"), [0, 1]),
        # compared as text
        ([1, 2, 3, 1], ["3", "2", "1"], (3, 2, 1), [2, 1, 0, 2]),
        (["a+", "a", "b"], ["b", "a + a+"], ("b", "a + a+"), [1, 1, 0]),
        # numbers as numbers
        (["3.0", "1.50"], ["1.5", "3"], ("1.50", "3.0"), [1, 0]),
        ([3, 1, 2], ["1.0", "2.0 + 3.0"], ("1", "2.0 + 3.0"), [1, 0, 1]),
        # evenly spaced
        ([2.5, 1.0, 1.5], None, (1.0, 1.5, 2.5), [2, 0, 1]),
        # classes that no row has
        ([4, 1, 2], ["1", "2", "3", "4"], (1, 2, 3, 4), [3, 0, 1]),
    ],
)
def test_labels_and_their_order(values, order, labels, codes):
    found = order_target(target(values), order)
    assert found.labels == labels
    assert [labels.index(label) for label in found.values] == codes
    if isinstance(found.values.dtype, pd.CategoricalDtype):
        assert found.values.cat.ordered
        assert found.values.cat.codes.tolist() == codes


@pytest.mark.parametrize(
    ("values", "order", "message"),
    [
        (range(51), None, "'grade' has 51 different numbers in 51 rows: cut it"),
        ([f"word {i}" for i in range(51)], None, "has 51 different labels of text"),
        (
            [0.5, 1.0, 2.25],
            None,
            "'grade' is continuous (0.5, 1.0, 2.25): cut it into classes",
        ),
        (["setosa", "versicolor", "virginica"], None, "without a known order"),
        (["low", "medium", "tall"], None, "without a known order"),
        # the same level twice
        (["rarely", "seldom", "always"], None, "without a known order"),
        ([4, 4], None, "'grade' has the one label 4: two or more are needed"),
        (
            ["rock", "pop, or so"],
            None,
            """lowest first (order=LOWEST,...,HIGHEST): '"pop, or so",rock'""",
        ),
        (
            ["mid", "low", "high"],
            ["low", "mid"],
            "for high: order=LOWEST,...,HIGHEST of high,low,mid",
        ),
        (
            ["mid", "low"],
            ["low", "mid", "mid"],
            "each of the 2 labels of target 'grade' once",
        ),
    ],
)
def test_targets_without_an_order_are_refused(values, order, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        order_target(target(values), order)


@pytest.mark.parametrize(
    ("values", "order", "labels", "note"),
    [
        (
            ["low ", " high", "low", "high"],
            ["low", "high"],
            ("low", "high"),
            "blanks around labels of 'grade' removed: 'low ', ' high'",
        ),
        (
            ["mid", "LOW", "High"],
            None,
            ("LOW", "mid", "High"),
            "labels of 'grade' in their usual order, lowest first: LOW, mid, High",
        ),
        (SIZES, None, ("lo", "hi"), "no row of 'grade' has the category mid"),
    ],
)
def test_changes_are_noted(values, order, labels, note):
    found = order_target(target(values), order)
    assert found.labels == labels
    assert found.values.tolist() == [label.strip() for label in values]
    assert note in found.notes[0]


@given(st.sampled_from(sorted(SCALES)), st.data())
def test_any_part_of_a_scale_keeps_its_order(name, data):
    ranks = SCALES[name]
    levels = [[w for w in ranks if ranks[w] == k] for k in sorted({*ranks.values()})]
    words = [data.draw(st.sampled_from(level)) for level in levels]
    chosen = data.draw(
        st.lists(st.sampled_from(range(len(words))), min_size=3, unique=True)
    )
    found = recognise_scale([words[i] for i in chosen])
    if found is None:  # scales disagree
        assert len(chosen) < len(words)
    else:
        assert found == [words[i] for i in sorted(chosen)]


def option_in(message):
    return names(
        shlex.split(message[message.index("order=") :])[0].removeprefix("order=")
    )


@pytest.mark.parametrize(
    ("labels", "counts", "merged"),
    [
        (["1", "2+", "3", "4"], [1, 9, 9, 2], [10, 11]),
        (["A", "A+", "A++", "B"], [9, 9, 0, 2], [9, 11]),
    ],
)
def test_rare_classes_are_suggested_to_merge_with_smaller_neighbours(
    labels, counts, merged, write
):
    # a row counts as often as its integer weight
    rows = pd.DataFrame({"x": 1.0, "grade": labels, "n": counts})
    path = write(rows.to_csv())
    note = load_dataset(path, order=labels, target="grade", weight="n").notes[-1]
    few = [f"{x}: {n}" for x, n in zip(labels, counts, strict=True) if 0 < n < 5]
    assert f"({', '.join(few)})" in note
    found = order_target(rows["grade"], option_in(note))
    assert rows["n"].groupby(found.values).sum().tolist() == merged


def test_missing_numbers_between_classes_are_suggested():
    present = target([1.0, 1.5, 2.5, 3.0])
    note = order_target(present).notes[-1]
    assert "if it is a class" in note
    found = order_target(present, option_in(note))
    assert found.labels == (1.0, 1.5, 2.0, 2.5, 3.0)
    assert found.values.cat.codes.tolist() == [0, 1, 3, 4]
    assert "it counts in distances and costs" in found.notes[-1]
    assert not order_target(target([1, 2, 30])).notes
    assert not order_target(target([1, 2, 3])).notes


def copied(caught):
    return re.search(r"\(order='(.*?)'\)", str(caught.value))[1]


def test_letter_case_and_words_for_no_answer_are_named_with_an_order_to_copy():
    labels = ["low", "Low", "high", "HIGH", "medium"]
    with pytest.raises(ValueError, match="only letter case or blanks differ") as caught:
        order_target(target(labels))
    found = order_target(target(labels), names(copied(caught)))
    assert found.values.cat.codes.tolist() == [0, 0, 2, 2, 1]
    with pytest.raises(ValueError, match=r"each of the 5 labels .*HIGH \+ high"):
        order_target(target(labels), ["low", "medium", "high"])
    with pytest.raises(ValueError, match="leave_out='<Missing>'") as caught:
        order_target(target(["Grade 1", "Grade 10", "<Missing>", "Grade 2"]))
    assert copied(caught) == "Grade 1,Grade 2,Grade 10"
    with pytest.raises(ValueError, match="leave_out='9 = refused'"):
        order_target(target(["1 = low", "2 = high", "9 = refused"]))


def test_labels_keep_their_digits(write):
    labels = ["5.6", "5.9", "5.10", "5.11", "5.12"]
    path = write(pd.DataFrame({"x": range(60), "grade": labels * 12}).to_csv())
    listed = re.escape(f"lowest first (order=LOWEST,...,HIGHEST): {','.join(labels)}")
    with pytest.raises(ValueError, match=listed):
        load_dataset(path)
    assert load_dataset(path, order=labels).labels == tuple(labels)
    written = read_source(path).as_written("grade")  # copied to predictions
    assert written.drop_duplicates().tolist() == labels


def test_numbers_with_the_same_number_of_digits_stay_numbers(write):
    path = write("x,grade\n" + "1,0.50\n2,1.00\n3,1.50\n" * 9)
    assert load_dataset(path).labels == (0.5, 1.0, 1.5)


@pytest.mark.parametrize(
    ("answers", "code", "doubted", "missing"),
    [
        ([1, 2, 3, 4], 7, ["7"], []),
        ([1, 2, 4, 5], 99, ["99"], ["3"]),
        ([1, 3, 5, 7], 9, [], []),
    ],
)
def test_codes_beyond_the_classes_are_doubted(answers, code, doubted, missing):
    # a code is rarer than each answer
    labels = [*answers * 9, code, code]
    notes = " ".join(order_target(target(labels)).notes)
    assert re.findall(r"leave_out=(\S+)", notes) == doubted
    # of a scale whose lowest answer is named
    texts = [f"{label} (none)" if label == 1 else str(label) for label in labels]
    named = " ".join(order_target(target(texts)).notes)
    assert re.findall(r"leave_out=(\S+)", named) == doubted
    assert re.findall(r"no row of 'grade' has (\d+),.*if it is a class", notes) == missing
