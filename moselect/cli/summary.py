"""What a search found and what a selection rests on, as tables and sentences in a terminal."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import numpy as np
import pandas as pd

from moselect.cli.terminal import Terminal, decimals_of, short
from moselect.comparison.costs import behind_words
from moselect.decision import Evidence
from moselect.decision.differences import BEHIND
from moselect.decision.kinds import KINDS, PROPORTIONAL_ODDS, RIVALS
from moselect.front import Front
from moselect.front.selection import MEMBER
from moselect.listing import in_one_line
from moselect.metrics.objectives import objective_named
from moselect.storage import Run


def print_summary(run: Run, terminal: Terminal) -> None:
    """Print the figures of the balanced model of a run, and the command that selects another."""
    front, record = run.front, run.record
    balanced = front.balanced()
    warnings = _warnings(figures_of(front, balanced))
    if terminal.json:
        found = {"balanced": balanced, "figures": figures_of(front, balanced).to_dict("index")}
        terminal.print_json({"run": str(run.path), **record, **found, "warnings": warnings})
        return
    print_figures(front, balanced, terminal)
    for warning in warnings:
        terminal.warn(warning)
    costs = ",".join(str(k) for k in range(1, len(front.classes) + 1))
    classes = ", ".join(short(label) for label in front.classes[:6])
    more = ", ..." if len(front.classes) > 6 else ""
    terminal.results.print(f"\nNext: what does a mistake cost? Classes {classes}{more}")
    path = shlex.quote(str(run.path))
    terminal.results.print(f"  moselect select {path} --class-costs {costs}", soft_wrap=True)
    terminal.results.print(
        f"Saved in {run.path} · {len(front):,} model{'s' * (len(front) > 1)} · "
        f"{record['n_evaluations']:,} evaluations · "
        f"seed {record['settings']['random_state']} · {record['seconds']:.1f} s",
        soft_wrap=True,
    )


def print_figures(front: Front, index: int, terminal: Terminal) -> None:
    """Print the figures of a model of the front, those for new data before those of training."""
    figures = figures_of(front, index)
    if len(front.classes) == 2:  # then accuracy is 1 - MAE, and all ranking measures are equal
        figures = figures[~figures.round(9).duplicated()]
    cells = figures.map("{:.4f}".format).where(figures.notna(), "")
    if "standard error" in figures:
        errors = figures["standard error"].map(" ± {:.2f}".format)
        cells["on new data"] += errors.where(figures["standard error"].notna(), "")
        cells = cells.drop(columns="standard error")
    table = terminal.table(f"model {index}", *cells)
    for name, row in cells.iterrows():
        table.add_row(objective_named(str(name)).label, *row)
    terminal.results.print(table)


def figures_of(front: Front, index: int) -> pd.DataFrame:
    """Return a row for each objective: by chance, on new data, held out and in training."""
    tables = {
        "on new data": front.expected,
        "standard error": front.expected_se,
        "held out": front.holdout,
        "training": front.objectives,
    }
    figures = pd.DataFrame({"chance": front.chance.reindex(front.objectives.columns)})
    for name, table in tables.items():
        if table is not None:
            figures[name] = table.iloc[index]
    return figures


def _warnings(figures: pd.DataFrame) -> list[str]:
    """Return what is to be said of figures for new data that chance may reach as well."""
    if "on new data" not in figures:
        return []
    gain = figures["on new data"] - figures["chance"]
    names = [
        objective_named(str(name)).label
        for name in figures.index[gain <= figures["standard error"]]
    ]
    if not names:
        return []
    return [
        f"on new data {', '.join(names)} {'is' if len(names) == 1 else 'are'} within noise of "
        "chance: take more rows or fewer features"
    ]


def print_evidence(evidence: Evidence, terminal: Terminal) -> None:
    """Print what each kind of model costs on new data, and what the selected one gets wrong."""
    unit = "cost of a row"
    if evidence.costs is None:
        wanted = {n: w for n, w in (evidence.preferences or {}).items() if w > 0.0}
        said = ", ".join(
            f"{objective_named(name).label} {100 * weight:.0f} %" for name, weight in wanted.items()
        )
        terminal.results.print(f"Preference: {said}", soft_wrap=True)
        unit = "utility"
    _print_rules(evidence, unit, terminal)
    _print_confusion(evidence.confusion, terminal)
    if evidence.costs is not None and evidence.costs.referral is not None:
        _print_referral(evidence, terminal)


def _print_referral(evidence: Evidence, terminal: Terminal) -> None:
    """Print which rows are left to a person, and what that saves."""
    counts, curve = evidence.confusion, evidence.referral().set_index("kind").loc[evidence.selected]
    of_classes = counts.iloc[:, -1] / counts.sum(axis=1)
    each = ", ".join(f"{share:.0%} of {in_one_line(str(k))}" for k, share in of_classes.items())
    share = counts.iloc[:, -1].sum() / counts.to_numpy().sum()
    without = curve["cost"].iloc[0]
    terminal.results.print(
        f"Left to a person: {share:.1%} of rows on new data ({each}); without that a row costs "
        f"{without:.3g}.",
        soft_wrap=True,
    )


def _print_rules(evidence: Evidence, unit: str, terminal: Terminal) -> None:
    rules = evidence.rules.round(12)
    outside = ["held out"] if "held out" in rules else []
    decimals = decimals_of(rules["standard error"])
    table = terminal.table(unit, "on new data", "beside the best", *outside, "terms", "s")
    for name, row in rules.iterrows():
        cost, error = row["new data"], row["standard error"]
        cell = "not known" if np.isnan(cost) else f"{cost:.{decimals}f} ± {error:.{decimals}f}"
        table.add_row(
            str(name),
            cell,
            _behind(row, by_cost=evidence.costs is not None),
            *(f"{row[column]:.{decimals}f}" for column in outside),
            "" if np.isnan(row["terms"]) else f"{row['terms']:g}",
            f"{row['seconds']:.1f}",
            style="bold" if name == evidence.selected else "",
        )
    terminal.results.print(table)
    taken = evidence.selected
    others = [str(name) for name in rules.index if name not in (*RIVALS, MEMBER, taken)]
    terminal.results.print(_why(evidence, others, decimals))
    not_fitted = [name for name in KINDS if name not in {*rules.index, *evidence.left_out}]
    if others:
        more = [*others, *not_fitted]
        terminal.results.print(f"Others: --kind {' | '.join(more)}", soft_wrap=True)
    for name, reason in evidence.left_out.items():
        terminal.warn(f"{name} is left out: {reason}")
    if evidence.shuffled is not None:
        cost, error = evidence.shuffled
        terminal.results.print(
            f"Later rows differ from earlier ones: by folds without regard to time {taken} would "
            f"show {cost:.{decimals}f} ± {error:.{decimals}f}."
        )
    if evidence.conditions is not None and taken == "points":
        shown = evidence.conditions["new data"].loc[[3, 5, 8, 12, 16, 20]]
        figures = ", ".join(f"{number}: {value:.3g}" for number, value in shown.items())
        terminal.results.print(f"By --conditions: {figures}.")
    for limit in evidence.limits:
        terminal.results.print(f"Limit {limit}.")
    if evidence.without_limits is not None:
        terminal.results.print(_price_of_limits(evidence, decimals))


def _why(evidence: Evidence, others: Sequence[str], decimals: int) -> str:
    """Return in a sentence what the selected kind is to cost, beside a rival and the next kind."""
    unit = "a row" if evidence.costs is not None else "of utility"
    said = (
        f"{evidence.selected.capitalize()}: {evidence.expected:.{decimals}f} ± "
        f"{evidence.expected_se:.{decimals}f} {unit} with the choice counted in"
    )
    rival = evidence.differences.get(PROPORTIONAL_ODDS)
    if rival is not None and evidence.costs is not None:
        surely = f"{100.0 * rival.estimate:.0f} % less" if rival.low > 0.0 else "not surely less"
        said += f", {surely} than {PROPORTIONAL_ODDS}"
    if others and others[0] in evidence.differences:
        behind = evidence.differences[others[0]]
        noise = "" if behind.low > 0.0 or behind.high < 0.0 else " within noise"
        said += f"; {others[0]} is {'better' if behind.estimate < 0.0 else 'worse'}{noise}"
    return f"{said}."


def _price_of_limits(evidence: Evidence, decimals: int) -> str:
    """Return in words what limits cost on new data."""
    held, free = evidence.rules["new data"][evidence.selected], evidence.without_limits
    assert free is not None
    figures = f"({held:.{decimals}f} instead of {free:.{decimals}f}"
    what = "limit costs" if len(evidence.limits) == 1 else "limits cost"
    if evidence.costs is None:
        return f"The {what} {free - held:.2g} of utility {figures})."
    more = "nothing" if held <= free else "all of it"
    if held > free > 0.0:
        more = f"{100.0 * (held / free - 1.0):.0f} % more"
    return f"The {what} {more} {figures} per row on new data)."


def _behind(row: pd.Series, *, by_cost: bool) -> str:
    """Return in words what a kind costs more than the cheapest, or has less than the best."""
    behind, low, high = row[list(BEHIND)]
    if np.isnan(behind) or behind == low == high == 0.0:
        return ""
    return behind_words(row) if by_cost else f"{behind:.2g} less ({low:.2g} to {high:.2g})"


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
        table = terminal.table("on new data", "rows", "found", "called lower", "called higher")
        for k, (name, row) in enumerate(zip(names, counts, strict=False)):
            called = row[: len(counts)]
            rates = [
                part.sum() / max(row.sum(), 1)
                for part in (called[k : k + 1], called[:k], called[k + 1 :])
            ]
            table.add_row(name, str(row.sum().round(1)), *(f"{rate:.0%}" for rate in rates))
    terminal.results.print(table)
