"""What is said of a selected model: its card, a record for scripts, tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
from rich.columns import Columns

from moselect import __version__
from moselect.cli.terminal import Terminal, decimals_of, measured, short
from moselect.columns.steps import summaries
from moselect.datasets import Dataset
from moselect.decision import Evidence
from moselect.decision.differences import BEHIND, TIMES, PairedDifference, behind_words
from moselect.decision.kinds import KINDS, PROPORTIONAL_ODDS, RIVALS
from moselect.front import Front
from moselect.front.selection import MEMBER
from moselect.listing import in_one_line
from moselect.metrics.objectives import objective_named
from moselect.models import Model, ModelCard, model_card
from moselect.models.card import Figure
from moselect.scorecard.sheet import is_scorecard, sheet_of

NORMAL = 1.959963984540054  # standard errors on each side of a 95 % interval
FRACTIONS = {1 / 4: "a quarter", 1 / 3: "a third", 1 / 2: "half", 2 / 3: "two thirds"}
PRIORS = (
    "Class probabilities hold where the classes are as common as among the training rows."
)
SHOWN_CONDITIONS = [3, 5, 8, 12, 16, 20]


def card_of_selected(
    model: Model, evidence: Evidence, dataset: Dataset, record: Mapping[str, Any]
) -> ModelCard:
    """Return the card of a model that was fitted to its training rows for costs or preferences."""
    objectives = {str(name): values for name, values in evidence.objectives.iterrows()}
    costs = evidence.costs
    value = "weighted gain above chance" if costs is None else "mean cost of a row"
    figures = [
        _figure(value, evidence.expected, "new data", evidence.expected_se),
        _figure(value, evidence.rules["training"][evidence.selected], "training"),
        *_figures(objectives["new data"], "new data", objectives["standard error"]),
        *_figures(objectives["training"], "training"),
    ]
    if "held out" in objectives:
        figures += _figures(objectives["held out"].add_prefix("held out: "), "new data")
    return _card(
        model,
        dataset,
        record,
        purpose="Selected for the greatest gain above chance on new data, by the weights below."
        if costs is None
        else "Selected to cost least on new data, by the costs below.",
        cost_matrix=None if costs is None else costs.matrix.tolist(),
        preferences=None if evidence.preferences is None else dict(evidence.preferences),
        figures=figures,
        confusion=evidence.confusion.round(1).to_numpy().tolist(),
        limits=[PRIORS],
    )


def card_of_member(
    model: Model,
    front: Front,
    index: int,
    dataset: Dataset,
    record: Mapping[str, Any],
) -> ModelCard:
    """Return the card of a model of the front as it is, which has no class probabilities."""
    figures = []
    if front.expected is not None and front.expected_se is not None:
        errors = front.expected_se.iloc[index]
        figures += _figures(front.expected.iloc[index], "new data", errors)
    if front.holdout is not None:
        figures += _figures(
            front.holdout.iloc[index].add_prefix("held out: "), "new data"
        )
    figures += _figures(front.objectives.iloc[index], "training")
    purpose = f"Model {index} of the front, as the search found it."
    return _card(model, dataset, record, purpose=purpose, figures=figures)


def _card(
    model: Model, dataset: Dataset, record: Mapping[str, Any], **known: Any
) -> ModelCard:
    return model_card(
        model,
        dataset.X,
        dataset.y,
        predicts=dataset.target,
        data=record["data"]["name"],
        preparation=summaries(model.columns),
        versions={"moselect": __version__, **record["versions"]},
        seed=record["settings"]["random_state"],
        **known,
    )


def _figures(
    values: pd.Series, rows: Any, errors: pd.Series | None = None
) -> list[Figure]:
    errors = values * np.nan if errors is None else errors
    return [
        _figure(str(name), value, rows, error)
        for name, value, error in zip(
            values.index, values, errors[values.index], strict=True
        )
    ]


def _figure(name: str, value: float, rows: Any, error: float = np.nan) -> Figure:
    if np.isnan(error):
        return Figure(name=name, value=float(value), rows=rows)
    interval = (float(value - NORMAL * error), float(value + NORMAL * error))
    about = f"{name}, standard error {error:.3g}"
    return Figure(name=about, value=float(value), rows=rows, interval=interval)


def record_of(model: Model, evidence: Evidence) -> dict[str, Any]:
    """Return what is known of a selected model as a document for scripts."""
    return {
        "classes": model.classes_,
        "thresholds": getattr(model, "thresholds_", None),
        "cost_matrix": None if evidence.costs is None else evidence.costs.matrix,
        "preferences": evidence.preferences,
        "compared_by": evidence.value,
        "expected": evidence.expected,
        "standard_error": evidence.expected_se,
        "rules": evidence.rules.to_dict("index"),
        "differences": {
            rival: found._asdict() for rival, found in evidence.differences.items()
        },
        "verdicts": evidence.verdicts,
        "confusion": evidence.confusion.to_numpy(),
        "objectives": evidence.objectives.to_dict("index"),
        "kind": evidence.selected,
        "limits": [str(limit) for limit in evidence.limits],
        "without_limits": evidence.without_limits,
        "shuffled": evidence.shuffled,
    }


def print_rule(model: Model, card: ModelCard | None, terminal: Terminal) -> None:
    """Print which scores mean which class."""
    if card is None or not is_scorecard(model):
        terminal.print(model.summary)
        return
    sheet = sheet_of(model, card)
    features = [
        in_one_line(
            f"{feature} {'; '.join(f'{line.text}: {line.points}' for line in lines)}"
        )
        for feature, lines in groupby(sheet.lines, key=lambda line: line.feature)
    ]
    terminal.print(Columns(features, padding=(0, 3)))
    sums = "; ".join(f"{in_one_line(label)}: {sums}" for label, sums in sheet.classes)
    terminal.print(
        f"Class by the sum of points: {sums}. As an index card: --export card.txt"
    )


def print_evidence(evidence: Evidence, terminal: Terminal) -> None:
    """Print what each kind of model costs on new data, and what the selected one gets wrong."""
    by_cost, rules = evidence.costs is not None, evidence.rules.round(12)
    if not by_cost:
        weights = (evidence.preferences or {}).items()
        said = [
            f"{objective_named(name).label} {100 * w:.0f} %"
            for name, w in weights
            if w > 0.0
        ]
        terminal.print(
            f"Preference: {', '.join(said)}. Gain above chance: 1 is the most of the front in "
            "training."
        )
    decimals = decimals_of(rules["standard error"])
    _print_rules(
        rules, evidence.selected, "cost of a row" if by_cost else "gain", terminal
    )
    taken = evidence.selected
    others = [str(name) for name in rules.index if name not in (*RIVALS, MEMBER, taken)]
    said = [_why(evidence, others, decimals)]
    not_fitted = [
        name for name in KINDS if name not in {*rules.index, *evidence.left_out}
    ]
    if others or not_fitted:
        said.append(f"Others: --kind {' | '.join([*others, *not_fitted])}")
    if evidence.shuffled is not None:
        said.append(
            f"Later rows differ from earlier ones: by folds without regard to time {taken} would "
            f"show {measured(*evidence.shuffled, decimals)}."
        )
    if evidence.conditions is not None and taken == "points":
        shown = evidence.conditions["new data"].loc[SHOWN_CONDITIONS]
        figures = ", ".join(f"{number}: {value:.3g}" for number, value in shown.items())
        said.append(f"By --conditions: {figures}.")
    said += [f"Limit {limit}." for limit in evidence.limits]
    if evidence.without_limits is not None:
        said.append(_price_of_limits(evidence, decimals))
    for name, reason in evidence.left_out.items():
        terminal.warn(f"{name} is left out: {reason}")
    for sentence in said:
        terminal.print(sentence)
    _print_confusion(evidence.confusion, terminal)
    if evidence.costs is not None and evidence.costs.referral is not None:
        _print_referral(evidence, terminal)


def _print_rules(
    rules: pd.DataFrame, selected: str, value: str, terminal: Terminal
) -> None:
    outside = ["held out"] if "held out" in rules else []
    decimals = decimals_of(rules["standard error"])
    table = terminal.table(
        value, "on new data", "beside the best", *outside, "terms", "s"
    )
    for name, row in rules.iterrows():
        behind, low, high = row[list(BEHIND)]
        words = behind_words(row)
        if value == "gain":
            words = f"{behind:.2g} less ({low:.2g} to {high:.2g})"
        table.add_row(
            str(name),
            measured(row["new data"], row["standard error"], decimals),
            "" if np.isnan(behind) or behind == low == high == 0.0 else words,
            *(f"{row[column]:.{decimals}f}" for column in outside),
            "" if np.isnan(row["terms"]) else f"{row['terms']:g}",
            f"{row['seconds']:.1f}",
            style="bold" if name == selected else "",
        )
    terminal.print(table)


def _why(evidence: Evidence, others: Sequence[str], decimals: int) -> str:
    """Return in a sentence what the selected kind costs, beside a rival and the next kind."""
    taken, by_cost = evidence.selected, evidence.costs is not None
    words = f"{taken.capitalize()}: {evidence.rules['new data'][taken]:.{decimals}f} "
    counted = measured(evidence.expected, evidence.expected_se, decimals)
    words += f"{'a row' if by_cost else 'gained'} ({counted} with the choice counted in)"
    rival = evidence.differences.get(PROPORTIONAL_ODDS)
    if rival is not None and by_cost:
        noise = "" if _is_clear(rival) else " (within noise)"
        words += f", {_share_words(rival.estimate)} {PROPORTIONAL_ODDS}{noise}"
    if others and others[0] in evidence.differences:
        behind = evidence.differences[others[0]]
        better = "better" if behind.estimate < 0.0 else "worse"
        words += f"; {others[0]} is {better if _is_clear(behind) else f'no {better} within noise'}"
    return f"{words}."


def _is_clear(difference: PairedDifference) -> bool:
    return difference.low > 0.0 or difference.high < 0.0


def _share_words(saving: float) -> str:
    """Return by how much less a kind costs, as the page says it."""
    share = abs(saving)
    if share < 0.005:
        return "as much as"
    if saving <= -TIMES:
        return f"{1.0 - saving:.2g} times as much as"
    near = (
        words for fraction, words in FRACTIONS.items() if abs(fraction - share) < 0.02
    )
    words = next(near, f"{100.0 * share:.0f} %")
    return f"{words} {'less' if saving > 0.0 else 'more'} than"


def _price_of_limits(evidence: Evidence, decimals: int) -> str:
    """Return in words what limits cost on new data."""
    held, free = evidence.rules["new data"][evidence.selected], evidence.without_limits
    assert free is not None
    figures = f"({held:.{decimals}f} instead of {free:.{decimals}f}"
    what = "limit costs" if len(evidence.limits) == 1 else "limits cost"
    if evidence.costs is None:
        return f"The {what} {free - held:.2g} of the gain {figures})."
    more = "nothing" if held <= free else "all of it"
    if held > free > 0.0:
        share = held / free - 1.0
        more = f"{100.0 * share:.0f} % more"
        if share >= TIMES:
            more = f"{1.0 + share:.2g} times as much"
    return f"The {what} {more} {figures} per row on new data)."


def _print_confusion(confusion: pd.DataFrame, terminal: Terminal) -> None:
    """Print the confusion matrix, or, of many classes, the rates of each."""
    counts = confusion.to_numpy().round(1)
    names = [short(label) for label in confusion]  # a referral is the last
    if len(set(names)) < len(names):  # shortened to the same: numbers tell them apart
        names = [f"{k + 1} {name}" for k, name in enumerate(names)]
    headings = [f"as {name}" for name in names]
    first = max(map(len, ["on new data", *names]))
    width = first + sum(len("  ") + len(heading) for heading in headings)
    if width <= terminal.results.width:
        table = terminal.table("on new data", *headings)
        for name, row in zip(names, counts, strict=False):
            table.add_row(name, *map(str, row))
    else:
        table = terminal.table(
            "on new data", "rows", "found", "called lower", "called higher"
        )
        for k, (name, row) in enumerate(zip(names, counts, strict=False)):
            called = row[: len(counts)]
            rates = [
                part.sum() / max(row.sum(), 1)
                for part in (called[k : k + 1], called[:k], called[k + 1 :])
            ]
            table.add_row(
                name, str(row.sum().round(1)), *(f"{rate:.0%}" for rate in rates)
            )
    terminal.print(table)


def _print_referral(evidence: Evidence, terminal: Terminal) -> None:
    """Print which rows are left to a person, and what that saves."""
    counts, curve = (
        evidence.confusion,
        evidence.referral().set_index("kind").loc[evidence.selected],
    )
    of_classes = counts.iloc[:, -1] / counts.sum(axis=1)
    shares = ", ".join(
        f"{share:.0%} of {in_one_line(k)}" for k, share in of_classes.items()
    )
    share = counts.iloc[:, -1].sum() / counts.to_numpy().sum()
    terminal.print(
        f"Left to a person: {share:.1%} of rows on new data ({shares}); without that a row costs "
        f"{curve['cost'].iloc[0]:.3g}.",
        soft_wrap=True,
    )
