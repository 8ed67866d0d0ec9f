"""Limits: upper bounds on the frequency of given mistakes, written in class labels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import groupby
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from moselect._types import Booleans, Floats, Integers, record
from moselect.inference.standard_errors import Rate, interval, rate_of, share_errors
from moselect.labels.labels import as_label_array
from moselect.listing import listing
from moselect.samples.samples import Samples

CONFIDENCE = 0.9  # by default
# Ratio of the margin to the normal quantile. The standard error reflects the sampled rows, but
# the deployed model is not one of the fold models, decisions are placed next to a mistake of
# these rows, and few mistakes are no normal variable: with 1, limits on the curve of
# `Evidence.price` hold in 71 % of simulated samples, with this ratio in 90 to 92 %
# (experiments/coverage/README.md, "Limits"). Without a mistake, it gives the rows of the exact
# binomial bound.
WIDENING = 1.818


@record
class Limit:
    """Upper bound on the share of a mistake.

    Attributes
    ----------
    words : str
        The mistake, as written by the user.
    mistakes : ndarray of bool, shape (r, r)
        Cells of the confusion matrix that count: true classes (rows), predicted classes
        (columns).
    among : ndarray of bool, shape (r,)
        True classes whose samples form the denominator of the share.
    most : float
        The greatest share, above 0 and below 1.
    ratios : ndarray of shape (r,)
        Prior of each class over its share in the table, 1 without priors; the share is
        estimated under the priors.
    members : ndarray of bool, shape (N,), or None
        Rows of the table that form the group in which the limit holds; None for all.
    confidence : float, default=0.9
        Confidence that the share of a decision that meets the limit is below it on new
        data, at least .5 and below 1.
    column, group : str
        The column and its group in which the limit holds; "" for all rows.
    """

    words: str
    mistakes: Booleans
    among: Booleans
    most: float
    ratios: Floats
    members: Booleans | None = None
    confidence: float = CONFIDENCE
    column: str = ""
    group: str = ""

    def reached(
        self,
        samples: Samples,
        predicted: Integers,
        folds: Integers | None = None,
        unlimited: Integers | None = None,
    ) -> LimitReached:
        """Report the share of mistakes of predictions, and whether the limit is met.

        Parameters
        ----------
        samples : Samples
            The samples (n,).
        predicted : ndarray of int, shape (n,)
            Predicted class codes, which alone determine whether the limit is met.
        folds : ndarray of int, shape (n,), optional
            Fold of each sample: the standard error includes the variance between fold
            models.
        unlimited : ndarray of int, shape (n,), optional
            Class codes predicted without limits. If these do not meet the limit, the
            decision was selected on the samples, and the share is corrected for that.
        """
        rows = self.rows_of(samples)
        part = self.part_of(samples)
        rate = self.rate(part, predicted[rows])
        is_met = self.allows(rate)
        share, error, size = rate
        if folds is not None:
            error = self.rate(part, predicted[rows], folds[rows]).error
        is_tuned = (
            unlimited is not None
            and is_met
            and not self.allows(self.rate(part, unlimited[rows]))
        )
        if is_tuned:
            # The threshold was placed at the first sample that is no mistake, next to m
            # mistakes of n samples. A new sample has any rank among these n + 1 with
            # equal probability, so it is a mistake with probability (m + 1) / (n + 1), as
            # in conformal risk control (Angelopoulos et al. 2024).
            share = (share * size + 1.0) / (size + 1.0)
        words = self.words
        if self.column:
            words += f" by {self.column}: {self.group}"
        return LimitReached(
            words, self.most, share, error, is_met, self.too_few(rate), self.confidence
        )

    def part_of(self, samples: Samples) -> Samples:
        """Return the samples of the limit's group, weighted to the priors in use."""
        if self.members is not None:
            samples = samples.without_features().take(self.rows_of(samples))
        return samples.in_use(self.ratios)

    def rate(
        self, part: Samples, predicted: Integers, folds: Integers | None = None
    ) -> Rate:
        """Estimate the share of mistakes of predictions for samples as of `part_of`."""
        has_priors = (self.ratios != 1.0).any()
        # A referral, after the classes, is no mistake.
        mistakes = np.pad(self.mistakes, ((0, 0), (0, 1)))[part.codes, predicted]
        return rate_of(mistakes, part, self.among, has_priors, folds)

    def allows(self, rate: Rate) -> bool:
        """Whether a rate lies below the limit by its margin."""
        margin = margin_of(self.confidence) * rate.error
        return rate.size > 0.0 and rate.share + margin <= self.most

    def too_few(self, rate: Rate) -> tuple[float, int] | None:
        """Return the number of rows, and the number needed, if no share in them is allowed."""
        if rate.size == math.inf or (
            rate.size and least_limit(rate.size, self.confidence) <= self.most
        ):
            return None
        return rate.size, rows_needed(self.most, self.confidence)

    def rows_of(self, samples: Samples) -> Booleans:
        """Mark the samples (n,) of the group in which the limit holds."""
        if self.members is None:
            return np.ones(len(samples), bool)
        return self.members[samples.rows]

    def frequencies(self, n_answers: int) -> Floats:
        """Return the weight of each mistake (r, n_answers): the prior ratio of its class.

        A referral, after the classes, is no mistake.
        """
        own = self.mistakes * self.ratios[:, None]
        return np.pad(own, ((0, 0), (0, n_answers - len(own))))


class LimitReached(NamedTuple):
    """A limit and the cross-validated share of its mistake.

    Attributes
    ----------
    words : str
        The limit.
    most : float
        The greatest share allowed.
    share, std_error : float
        Cross-validated share of the mistake by the deployed model, with its standard error.
    met : bool
        Whether the share of the out-of-fold predictions lies below the limit by the
        margin, without the variance between fold models.
    too_few : (float, int) or None
        Effective number of rows, and the number needed, if no share in so few rows lies
        below the limit by the margin.
    confidence : float
        Confidence that the limit holds on unseen rows.

    Examples
    --------
    >>> str(LimitReached("severe<serious", 0.2, 0.15, 0.02, True))
    'severe<serious: met, 15.0% (11.1% to 18.9%), cross-validated'
    >>> str(LimitReached("severe<serious", 0.2, 0.0, 0.11, False, (8.0, 11)))
    'severe<serious: not shown by 8 rows, 11 are needed, 0.0% (0.0% to 21.6%), cross-validated'
    """

    words: str
    most: float
    share: float
    std_error: float
    met: bool
    too_few: tuple[float, int] | None = None
    confidence: float = CONFIDENCE

    @property
    def holds(self) -> bool:
        """Whether it is met, or the share is at most the limit and the rows are too few."""
        return self.met or (self.too_few is not None and self.share <= self.most)

    def __str__(self) -> str:
        state = "met" if self.met else "not met"
        if self.too_few is not None:
            rows, needed = self.too_few
            state = f"not shown by {rows:.3g} rows, {needed} are needed"
        ends = interval(self.share, self.std_error, least=0.0, most=1.0)
        rate = "{:.1%} ({:.1%} to {:.1%})".format(*ends)
        return f"{self.words}: {state}, {rate}, cross-validated"


def margin_of(confidence: float) -> float:
    """Return the margin below a limit, in standard errors, at a confidence level.

    Examples
    --------
    >>> margin_of(0.5)
    0.0
    """
    if not 0.5 <= confidence < 1.0:
        raise ValueError(f"confidence is {confidence!r}: give a number from 0.5, below 1")
    return WIDENING * NormalDist().inv_cdf(confidence)


def least_limit(size: float, confidence: float) -> float:
    """Compute the least limit that ``size`` rows without any mistake meet."""
    return margin_of(confidence) * float(share_errors(0.0, 0.0, size))


def rows_needed(most: float, confidence: float = CONFIDENCE) -> int:
    """Compute the least number of rows that meet a limit without any mistake.

    Examples
    --------
    >>> [rows_needed(most) for most in (0.4, 0.3, 0.2, 0.1, 0.05)]
    [5, 7, 11, 22, 46]
    """
    # By `share_errors`, the least limit of n rows lies between margin / (n + 2) and
    # margin / n.
    rows = max(1, int(margin_of(confidence) / most) - 2)
    while least_limit(rows, confidence) > most:
        rows += 1
    return rows


def check_rows(limits: Sequence[Limit], samples: Samples) -> None:
    """Raise ValueError if the rows are too few to show a limit, in each of its groups."""
    for (mistake, column), each in groupby(
        limits, key=lambda limit: (limit.words, limit.column)
    ):
        of_groups = list(each)
        lowest = np.zeros_like(samples.codes)
        shown = [limit.reached(samples, lowest).too_few for limit in of_groups]
        if None in shown:
            continue
        (size, needed), limit = max(filter(None, shown)), of_groups[0]
        rows = f"{size:.3g} rows of class {listing(samples.classes[limit.among])}"
        least = least_limit(max(size, 1.0), limit.confidence)
        least = math.ceil(1_000.0 * least) / 10.0
        remedy = f"give a limit of at least {least:g} %" if least < 100.0 else "add rows"
        if column:
            rows += f", the most in a group of {column!r},"
            remedy += ", or merge groups"
        raise ValueError(
            f"the limit {mistake!r}: {rows} cannot show {100.0 * limit.most:.3g} % with a "
            f"confidence of {limit.confidence:g}: {needed} are needed; {remedy}"
        )


def read_limit(
    words: str,
    most: float,
    classes: ArrayLike,
    ratios: Floats | None = None,
    confidence: float = CONFIDENCE,
) -> Limit:
    """Parse a limit given in class labels; ValueError if it is invalid.

    ``"severe<serious", 0.2``: at most a fifth of the samples of class severe or above
    may be predicted below serious. ``"slight>serious", 0.1``: at most a tenth of class
    slight or below may be predicted above serious. ``"slight predicted severe", 0.1``: at
    most a tenth of class slight. ``"predicted severe", 0.05``: at most a twentieth of all
    samples may be predicted severe. ``ratios`` (r,) are the priors over the class shares.
    """
    names = [str(label) for label in as_label_array(classes).tolist()]
    if not 0.0 < most < 1.0:
        raise ValueError(f"the limit {words!r} is {most}: give a share between 0 and 1")
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
    if ratios is None:
        ratios = np.ones(len(names))
    return Limit(words, mistakes, among, most, ratios, confidence=confidence)


def split_limit(words: str) -> tuple[str, str, str]:
    """Split a limit into the mistake and, if it holds in groups, column and group.

    Examples
    --------
    >>> split_limit("severe<serious by sex: m"), split_limit("predicted severe")
    (('severe<serious', 'sex', 'm'), ('predicted severe', '', ''))
    """
    mistake, by, groups = words.rpartition(" by ")
    column, _, group = groups.partition(": ")
    return (mistake, column, group) if by else (words, "", "")


SIDES = {"<": "below", ">": "above"}


def parts_of(words: str, names: Sequence[str]) -> dict[str, int]:
    """Parse a limit into class codes: ``below``, ``above`` or ``predicted``, and ``truth``."""
    # Labels may contain such signs: <1, >2.
    label = "|".join(map(re.escape, names))
    found = re.fullmatch(rf"\s*({label}|)\s*(<|>|\bpredicted )\s*({label})\s*", words)
    if found is None or (not found[1] and found[2] in SIDES):
        raise ValueError(
            f"the limit {words!r} cannot be read: write 'severe<serious', 'slight>serious', "
            "'predicted severe' or 'slight predicted severe', of the classes "
            f"{listing(names)}"
        )
    parts = {SIDES.get(found[2], "predicted"): names.index(found[3])}
    if found[1]:
        parts["truth"] = names.index(found[1])
    return parts
