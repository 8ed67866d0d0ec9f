"""Limits on missing the costliest class: one at the same cost, and stricter ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from moselect.listing import counted
from moselect.predictor.card import Section
from moselect.report.headline import costliest_class

if TYPE_CHECKING:
    from moselect.selection.evidence import Evidence

STRICTER = (0.75, 0.5, 0.25)  # limits in multiples of the present error rate
# Costs of two rules that differ by less are equal, and a rule finds more cases if these are
# at least two and a tenth of the class.
EQUAL_COST = 0.005
MORE_CASES = 2.0
MORE_OF_CLASS = 0.1


def limit_section(evidence: Evidence) -> Section:
    """Offer a limit that finds more cases at the same cost, and tabulate stricter limits."""
    code = costliest_class(evidence)
    label = evidence.samples.classes[code]
    title = f"Limits on missing class {label}"
    # A comparison has no limits: they are set by a selection.
    is_selection = evidence.compared is None
    by_cost = evidence.loss.by_cost and bool(evidence.probabilities)
    if not is_selection or not by_cost or evidence.limits:
        return Section(title)
    # the miss rate at the boundary of this outer class, or beyond
    words = f"{label}<{label}" if code else f"{label}>{label}"
    counts = evidence.confusion.to_numpy()
    total = counts[code].sum()
    referred = counts[code, len(counts) :].sum()  # no mistakes, by the limit
    missed = 1.0 - (counts[code, code] + referred) / total
    cost = evidence.chosen.cv_loss[0]
    if not cost > 0.0 or not missed > 0.0:
        return Section(title)
    # Rules are ordered from the cheapest to the strictest.
    rules = evidence.price(words)
    # A limit is written with two decimals, and is to be met by the rule.
    rules["limit"] = np.ceil(100.0 * rules["limit"]) / 100.0
    rules = rules[rules["limit"] < 1.0]
    rows = []
    for share in STRICTER:
        for rule in rules[rules["share"] <= share * missed].head(1).to_dict("records"):
            more = max(0.0, rule["cost"] / cost - 1.0)
            row = [
                f"{words}:{rule['limit']:g}",
                f"{rule['share']:.0%}",
                f"{more:.0%} more",
            ]
            if row not in rows:
                rows.append(row)
    if not rows:
        return Section(title)
    sentences = []
    least = max(MORE_CASES, MORE_OF_CLASS * total)
    is_offer = (rules["cost"] <= (1.0 + EQUAL_COST) * cost) & (
        (missed - rules["share"]) * total >= least
    )
    if is_offer.any():
        offer = rules[is_offer].iloc[-1]
        found = counted(math.floor((1.0 - offer["share"]) * total))
        sentences.append(
            f"Can find {found} of these {counted(total)} at this cost, fewer later: "
            f"--limit '{words}:{offer['limit']:g}'"
        )
    heading = ["limit", "expected to be missed", "mean cost"]
    return Section(title, sentences, [heading, *rows])
