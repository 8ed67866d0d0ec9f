"""Known directions of columns: whether the class may only rise or only fall with them."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from moselect._protocols import Directions
from moselect._types import Integers
from moselect.listing import listing, suggestion
from moselect.samples.features import names_or_numbers

MEANING = "give 1 (rising) or -1 (falling)"

NO_DIRECTION = "it can have no direction, unless it is an ordered Categorical"


def check_directions(monotone: Directions, names: Iterable[str]) -> dict[str, int]:
    """Return directions by column; ValueError unless they are 1 or -1 of columns there are.

    Examples
    --------
    >>> check_directions({"age": 1}, ["age", "income"])
    {'age': 1}
    >>> check_directions({"aeg": 1}, ["age", "income"])
    Traceback (most recent call last):
    ...
    ValueError: monotone: there is no column 'aeg'; did you mean 'age'?
    """
    if not isinstance(monotone, Mapping):
        raise TypeError(f"monotone is {monotone!r}: {MEANING}, such as {{'age': 1}}")
    known = list(names)
    for name, direction in monotone.items():
        if name not in known:
            hint = suggestion(str(name), known)
            raise ValueError(f"monotone: there is no column {name!r}{hint}")
        if direction not in (1, -1):
            raise ValueError(f"monotone of {name!r} is {direction!r}: {MEANING}")
    return {str(name): int(direction) for name, direction in monotone.items()}


def signs_of(
    monotone: Mapping[str, int], names: Sequence[str] | None, n: int
) -> Integers:
    """Return the direction of each of n features: 1, -1, or 0 for any.

    Features without ``names`` are called x0, x1 and so on.

    Examples
    --------
    >>> signs_of({"income": -1}, ["age", "income"], 2)
    array([ 0, -1])
    """
    known = names_or_numbers(names, n)
    return np.array([monotone.get(name, 0) for name in known], dtype=np.int64)


def feature_signs(monotone: Directions, names: Sequence[str] | None, n: int) -> Integers:
    """Return the direction of each of n features from the parameter of an estimator.

    The parameter is a mapping of names to 1 or -1, a direction for each feature (1, -1, or
    0 for any), as ``monotonic_cst`` of scikit-learn, or None for no directions.

    Examples
    --------
    >>> feature_signs({"x1": -1}, None, 2), feature_signs([1, 0], None, 2)
    (array([ 0, -1]), array([1, 0]))
    """
    if monotone is None:
        return np.zeros(n, dtype=np.int64)
    if isinstance(monotone, Mapping):
        known = names_or_numbers(names, n)
        return signs_of(check_directions(monotone, known), names, n)
    signs = np.asarray(monotone)
    if signs.shape != (n,) or not np.isin(signs, (-1, 0, 1)).all():
        raise ValueError(
            f"monotone is {monotone!r}: give 1, -1 or 0 for each of {n} features, or by name"
        )
    return signs.astype(np.int64)


def direction_words(monotone: Mapping[str, int]) -> str:
    """Describe directions in a sentence without its full stop; "" for none.

    Examples
    --------
    >>> direction_words({"RM": 1, "LSTAT": -1})
    'The class never falls with RM and never rises with LSTAT'
    """
    parts = []
    for direction, verb in ((1, "falls"), (-1, "rises")):
        columns = [name for name, sign in monotone.items() if sign == direction]
        parts += [f"never {verb} with {listing(columns, 20)}"] if columns else []
    return f"The class {' and '.join(parts)}" if parts else ""
