"""Trade-offs: miss rate against false alarm rate, cost of limits, cost by coverage."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from textwrap import fill
from typing import Any

from matplotlib.axes import Axes

from moselect.plots.style import (
    LINE_COLOURS,
    LINE_STYLES,
    MARK_COLOURS,
    OTHERS_COLOUR,
    AnyFigure,
    draw_band,
    new_figure,
    panels_of,
    plain,
)
from moselect.selection import Evidence
from moselect.selection.choice import TRIVIAL
from moselect.selection.limits import boundary_limits, mistake_of, rank_of

PANELS: dict[str, Any] = {  # lengths in inches
    "across": 4,
    "side": (3.1, 3.1),
    "least": (5.6, 4.4),
    "above": 0.9,
}
WIDEST = 34  # characters above a panel
REFERRED = {"cost": "mean cost", "decided": "mean cost of decided samples"}
MARK: dict[str, Any] = {"color": "black", "markerfacecolor": MARK_COLOURS[0], "zorder": 5}


def trade_off(
    evidence: Evidence, label: Any = None, *, figure: AnyFigure | None = None
) -> AnyFigure:
    """Draw cross-validated miss rates against false alarm rates.

    One panel per boundary between classes, one line per candidate; every point of it is
    attainable with other costs or limits. Rates are shares of all samples on one side of
    the boundary, weighted by the class shares in use. The band is one standard error of
    the miss rate of the selected candidate. The dot is the selected model with one
    standard error each way, and the cross is the constant prediction. Referred samples
    count in the denominators, but as neither misses nor false alarms. Down and to the
    left is better.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a selected model, ``model.evidence``.
    label : label or str, optional
        Lowest class above the boundary; by default all boundaries are drawn.
    figure : Figure or SubFigure, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Figure or SubFigure

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> [ax.get_title() for ax in trade_off(model.evidence, 4).axes]
    ['4 or above']
    """
    labels = evidence.samples.classes[1:].tolist() if label is None else [label]
    figure, panels = panels_of(figure, len(labels), **PANELS)
    styles = line_styles(evidence)
    for ax, label in zip(panels, labels, strict=True):
        table = evidence.trade_off(label)
        for candidate, line in table[table["model"] != TRIVIAL].groupby(
            "model", sort=False
        ):
            style = styles[str(candidate)]
            ax.plot(
                line["false_alarm_rate"],
                line["miss_rate"],
                label=plain(candidate),
                **style,
            )
            if candidate == evidence.selected:
                columns = ["false_alarm_rate", "miss_rate", "miss_rate_error"]
                draw_band(ax, line[columns], style["color"], 0.0, 1.0)
        _mark(ax, evidence, label)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        ax.set_title(_wrapped(_and_above(label, evidence)), fontsize=9)
    alarms = "false alarm rate: share of lower classes predicted above"
    below = f"{alarms}\ncross-validated; bars and band: one standard error"
    frame(figure, panels[0].get_legend_handles_labels(), below)
    figure.supylabel("miss rate: share predicted lower", fontsize=9)
    return figure


def price_of_limit(
    evidence: Evidence,
    mistakes: str | Sequence[str] | None = None,
    *,
    figure: AnyFigure | None = None,
) -> AnyFigure:
    """Draw the least cross-validated cost under each limit on an error rate, and its candidate.

    One panel per error rate, at most 61 decisions per candidate. A limit is met with a
    margin of 2.33 standard errors, as in `ParetoSearch.select`; a vertical line is a limit
    in use.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a model that was selected for costs, ``model.evidence``.
    mistakes : str or sequence of str, optional
        Such as ``"severe<serious"``; by default the limited error rates, or else the
        miss rate of each boundary.
    figure : Figure or SubFigure, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Figure or SubFigure

    Raises
    ------
    ValueError
        If it was selected by preference, or a mistake cannot be read.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> [ax.get_title() for ax in price_of_limit(model.evidence, "4<4").axes]
    ['4 or above called lower']
    """
    in_use = {mistake_of(limit.words): limit.most for limit in evidence.limits}
    if mistakes is None:
        mistakes = [*in_use] or [
            f"{label}<{label}" for label in evidence.samples.classes[1:].tolist()
        ]
    mistakes = [mistakes] if isinstance(mistakes, str) else mistakes
    figure, panels = panels_of(figure, len(mistakes), **PANELS, sharey=True)
    styles = line_styles(evidence)
    seen: dict[str, Any] = {}
    for ax, words in zip(panels, mistakes, strict=True):
        table = evidence.price(words)
        # Each row holds from its own limit up to that of the row before.
        table["above"] = table["limit"].shift(fill_value=1.0).clip(upper=1.0)
        for candidate, part in table.groupby("model", sort=False):
            style = {"color": styles[str(candidate)]["color"], "linewidth": 2.4}
            seen[str(candidate)] = ax.hlines(
                part["cost"], part["limit"], part["above"], **style
            )
        if words in in_use:
            ax.axvline(in_use[words], color=OTHERS_COLOUR, linestyle=":")
        ax.step(
            table["limit"], table["cost"], where="pre", color=OTHERS_COLOUR, linewidth=0.6
        )
        ax.set_xlim(0.0, min(1.0, 1.5 * table["limit"].iloc[0]))
        truth, below, called = (part.strip() for part in words.partition("<"))
        if below:
            than = "" if truth == called else f" than {called}"
            words = f"{_and_above(truth, evidence)} called lower{than}"
        ax.set_title(_wrapped(words), fontsize=9)
    entries = list(seen.values()), list(map(plain, seen))
    frame(figure, entries, "maximum allowed share, cross-validated")
    figure.supylabel("least mean cost", fontsize=9)
    return figure


def _mark(ax: Axes, evidence: Evidence, label: Any) -> None:
    """Mark the error rates of the selected model and of the constant prediction.

    Rates are shares of all samples on one side of the boundary, as on the lines: referred
    samples count in the denominators, but as neither misses nor false alarms.
    """
    names = list(map(str, evidence.samples.classes.tolist()))
    sides = boundary_limits(rank_of(str(label), names), evidence.class_ratios)
    for name, marker in ((evidence.selected, "o"), (TRIVIAL, "X")):
        codes = evidence.predicted_codes[name]
        missed, alarms = (
            side.reached(evidence.samples, codes, evidence.folds) for side in sides
        )
        ax.errorbar(
            alarms.share,
            missed.share,
            missed.std_error,
            alarms.std_error,
            fmt=marker,
            label=plain(f"{name}, selected" if marker == "o" else name),
            **MARK,
        )


def line_styles(evidence: Evidence) -> dict[str, dict[str, Any]]:
    """Assign a line style to each candidate, the selected one thick and first."""
    candidates = [
        str(candidate) for candidate in evidence.predicted if candidate != TRIVIAL
    ]
    candidates.sort(key=lambda candidate: candidate != evidence.selected)
    looks = zip(candidates, cycle(LINE_COLOURS), cycle(LINE_STYLES), strict=False)
    return {TRIVIAL: {"color": OTHERS_COLOUR, "linewidth": 1.1}} | {
        candidate: {
            "color": colour,
            "linestyle": style,
            "linewidth": 2.2 if candidate == evidence.selected else 1.1,
        }
        for candidate, colour, style in looks
    }


def frame(figure: AnyFigure, entries: tuple[list[Any], list[Any]], below: str) -> None:
    """Draw one legend above all panels and the name of the measure below them."""
    place: dict[str, Any] = {"loc": "outside upper center", "fontsize": 8}
    figure.legend(*entries, ncols=4, frameon=False, **place)
    figure.supxlabel(below, fontsize=9)


def _and_above(label: Any, evidence: Evidence) -> str:
    """Name a class and all higher classes."""
    highest = str(evidence.samples.classes[-1])
    return str(label) if str(label) == highest else f"{label} or above"


def _wrapped(title: str) -> str:
    """Wrap a title to the width of a panel."""
    return plain(fill(title, WIDEST, max_lines=4, placeholder=" ..."))


def referral(evidence: Evidence, *, figure: AnyFigure | None = None) -> AnyFigure:
    """Draw cross-validated cost by the share of samples referred for review.

    Left: mean cost of all samples. Right: mean cost of the decided samples (risk-coverage
    curve). One line per candidate; samples are referred in the order of expected saving.
    The band is one standard error of the selected candidate, the dot is the share in
    use.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a model that was selected with a referral cost, ``model.evidence``.
    figure : Figure or SubFigure, optional
        Drawn into, instead of a new figure.

    Returns
    -------
    Figure or SubFigure

    Raises
    ------
    ValueError
        If it was selected without a referral.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear", refer=0.5)
    >>> [ax.get_ylabel() for ax in referral(model.evidence).axes]
    ['mean cost', 'mean cost of decided samples']
    """
    curves, styles = evidence.referral(), line_styles(evidence)
    if figure is None:
        figure = new_figure(8.4, 3.9)
    both = figure.subplots(1, 2)
    for ax, (what, label) in zip(both, REFERRED.items(), strict=True):
        for candidate, line in curves.groupby("model", sort=False):
            if candidate == TRIVIAL and what == "decided":
                continue
            style = styles[str(candidate)]
            ax.plot(line["referred"], line[what], label=plain(str(candidate)), **style)
            if candidate != evidence.selected:
                continue
            if what == "cost":
                columns = ["referred", what, "std_error"]
                draw_band(ax, line[columns], style["color"], 0.0)
            used = line[line["in use"]]
            ax.plot("referred", what, "o", data=used, label="in use", ls="none", **MARK)
        ax.set(xlim=(-0.02, 1.02), ylim=(0.0, None), ylabel=label)
    below = "share referred for review, cross-validated; band: one standard error"
    frame(figure, both[0].get_legend_handles_labels(), below)
    return figure
