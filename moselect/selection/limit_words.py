"""Limits in words: the mistakes that they name by class labels."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Floats
from moselect.listing import listing
from moselect.samples.labels import as_label_array
from moselect.selection.limits import Limit


def read_limits(
    limits: Mapping[str, float] | None,
    classes: ArrayLike,
    ratios: Floats | None = None,
) -> list[Limit]:
    """Parse limits given in class labels; ValueError if one is invalid.

    ``{"severe<serious": 0.2}``: at most a fifth of the samples of class severe or above
    may be predicted below serious. ``{"slight>serious": 0.1}``: at most a tenth of class
    slight or below may be predicted above serious. ``{"slight predicted severe": 0.1}``: at
    most a tenth of class slight. ``{"predicted severe": 0.05}``: at most a twentieth of all
    samples may be predicted severe. Referred samples count in the denominator, and not as
    mistakes. ``ratios`` (r,) are the priors over the class shares.
    """
    if ratios is None:
        ratios = np.ones(len(as_label_array(classes)))
    names = [str(label) for label in as_label_array(classes).tolist()]
    parsed = []
    for words, most in (limits or {}).items():
        if not 0.0 < most < 1.0:
            raise ValueError(
                f"the limit {words!r} is {most}: give a share between 0 and 1"
            )
        parts = parts_of(words, names)
        relation, c = next(iter(parts.items()))
        ranks = np.arange(len(names))
        truth = parts.get("truth", 0)
        if relation == "predicted":
            among = (ranks == truth) | ("truth" not in parts)
            wrong = ranks == c
        elif relation == "below":
            among = ranks >= truth
            wrong = ranks < c
        else:
            among = ranks <= truth
            wrong = ranks > c
            if c < truth:
                raise ValueError(
                    f"the limit {words!r} counts correct predictions: write "
                    f"'{names[c]}>{names[c]}' or '{names[c]} predicted {names[truth]}'"
                )
        mistakes = among[:, None] & wrong
        if not mistakes.any():
            raise ValueError(
                f"the limit {words!r} excludes nothing: no class is {relation} {names[c]}"
            )
        parsed.append(Limit(words, mistakes, among, most, ratios))
    return parsed


def mistake_of(words: str) -> str:
    """Return the mistake of a limit, without the column of its groups.

    Examples
    --------
    >>> mistake_of("severe<serious by sex")
    'severe<serious'
    """
    return words.rpartition(" by ")[0] or words


def parts_of(words: str, names: Sequence[str]) -> dict[str, int]:
    """Parse a limit into class codes: ``below``, ``above`` or ``predicted``, and ``truth``."""
    splits = [
        (words[: found.start()].strip(), found[0], words[found.end() :].strip())
        for found in re.finditer(r"<|>|\bpredicted ", words)
    ]
    splits = [split for split in splits if split[2]]
    if not splits:
        raise ValueError(
            f"the limit {words!r} cannot be read: write 'severe<serious', 'slight>serious', "
            "'predicted severe' or 'slight predicted severe'"
        )
    # Labels may contain such signs: <1, >2. rank_of refuses unknown labels.
    known = (split for split in splits if split[2] in names and split[0] in ("", *names))
    truth, relation, label = next(known, splits[0])
    side = {"<": "below", ">": "above"}.get(relation, "predicted")
    parts = {side: rank_of(label, names)}
    if truth or side != "predicted":
        parts["truth"] = rank_of(truth, names)
    return parts


def rank_of(name: str, names: Sequence[str]) -> int:
    """Return the code of a class; ValueError for an unknown name."""
    if name.strip() not in names:
        raise ValueError(f"{name.strip()!r} is no class: choose from {listing(names)}")
    return names.index(name.strip())
