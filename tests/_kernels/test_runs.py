from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st


def samples(n_classes, max_size):
    """Draw lists of (score, class): few scores, so ties; classes may be missing."""
    one = st.tuples(st.integers(-3, 3).map(float), st.integers(0, n_classes - 1))
    return st.lists(one, min_size=1, max_size=max_size)


def with_classes(numbers_of_classes, max_size):
    return st.sampled_from(numbers_of_classes).flatmap(
        lambda r: st.tuples(st.just(r), samples(r, max_size))
    )


def slow_runs(data):
    """(class, count, may a threshold follow) by asking at every neighbour whether to split."""
    data = sorted(data, key=lambda pair: (pair[0], -pair[1]))
    classes_at = {s: {label for score, label in data if score == s} for s, _ in data}
    members = 0
    for i, (score, label) in enumerate(data):
        next_score, next_label = data[i + 1] if i + 1 < len(data) else (math.inf, None)
        mixed = len(classes_at[score]) > 1 or len(classes_at.get(next_score, ())) > 1
        members += 1
        if label != next_label or (score != next_score and mixed):
            yield label, members, score != next_score
            members = 0


@given(with_classes([2, 3, 4, 5, 6, 11, 40], max_size=25))
def test_runs_split_where_the_class_changes_and_around_mixed_ties(rank, drawn):
    r, data = drawn
    ranking = rank(*zip(*data, strict=True), r)
    found = [part[: ranking.n_runs].tolist() for part in ranking.runs[:3]]
    assert list(zip(*found, strict=True)) == list(slow_runs(data))
