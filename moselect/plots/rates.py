"""Miss rate against false alarm rate, and cost by the share of referred samples."""

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from moselect.candidates.names import TRIVIAL
from moselect.inference.standard_errors import Rate, rate_of
from moselect.inspection.group_members import FEWEST_ROWS
from moselect.labels.labels import rank_of
from moselect.listing import rounded
from moselect.plots.style import (
    CONSTANT,
    MARK,
    PERCENT,
    Z_95,
    bar_lengths,
    draw_candidates,
    frame,
    new_figure,
    panels_of,
    plain,
    short_name,
)
from moselect.report.headline import costliest_class
from moselect.selection import Evidence

MISS_RATE = "miss rate: share predicted as other classes"
FALSE_ALARM_RATE = "false alarm rate: share of other classes predicted as these"
TITLE_LENGTH = 34  # characters of a line above a panel


def trade_off(evidence: Evidence, label: object = None) -> Figure:
    """Draw cross-validated miss rates against false alarm rates.

    One panel per boundary between classes, one line per candidate; every point of it is
    attainable with other costs or limits. Rates are shares of all samples on one side of
    the boundary, weighted by the class shares in use. The band is the 95 % interval of
    the miss rate of the selected candidate. The dot is the selected model with its 95 %
    intervals, and the cross is the constant prediction. Down and to the left is better.
    Misses are about the classes above a boundary, or about those below it if errors on
    the lowest class cost more than errors on the highest. The title states both rates of
    the selected model at the boundary of the costlier of these two classes. With a
    referral, the lines are for the samples that the selected model does not refer, and the
    title is for all.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a selected model, ``model.evidence``.
    label : label or str, optional
        Lowest class above the boundary; by default all boundaries are drawn.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], model="linear")
    >>> [ax.get_title() for ax in trade_off(model.evidence, 4).axes]
    ['4 or above']
    """
    everything = evidence
    if evidence.criteria.referral is not None:
        evidence = _without_referred(evidence)
    labels = evidence.samples.classes[1:].tolist() if label is None else [label]
    figure, panels = panels_of(len(labels), sharey=True)
    columns = ["miss_rate", "false_alarm_rate"]
    if not costliest_class(evidence):
        columns.reverse()
    rate, other_rate = columns
    for ax, label in zip(panels, labels, strict=True):
        table = evidence.trade_off(label)
        table = table[~table["model"].isin(CONSTANT)]
        draw_candidates(ax, table, evidence, other_rate, rate, f"{rate}_error")
        for name, marker in ((evidence.selected, "o"), (TRIVIAL, "X")):
            evaluation = evidence.evaluations.get(name)
            # A comparison may have no constant prediction, or this is a referral.
            if evaluation is None:
                continue
            if evaluation.out_of_fold.codes.max() == evidence.samples.n_classes:
                continue
            missed, alarms = boundary_rates(evidence, name, label)
            ax.errorbar(
                alarms.share,
                missed.share,
                bar_lengths(missed.share, Z_95 * missed.error, greatest=1.0),
                bar_lengths(alarms.share, Z_95 * alarms.error, greatest=1.0),
                fmt=marker,
                label=plain(f"{name}, selected" if marker == "o" else name),
                zorder=5,
                **MARK,
            )
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        ax.set_xticks([0.0, 0.25, 0.5, 0.75])  # at 1, it would touch the next panel's 0
        ax.xaxis.set_major_formatter(PERCENT)
        ax.yaxis.set_major_formatter(PERCENT)
        ax.set_title(
            short_name(classes_to_find(evidence, label), TITLE_LENGTH), fontsize=9
        )
    if len(labels) > 1:
        label = labels[0 if costliest_class(evidence) == 0 else -1]
    missed, alarms = boundary_rates(everything, evidence.selected, label)
    classes = plain(classes_to_find(evidence, label))
    headline = (
        f"{evidence.selected}: {100.0 * missed.share:.0f} % of {classes} missed,\n"
        f"false alarms on {100.0 * alarms.share:.0f} % of the others"
    )
    classified = len(evidence.samples) / len(everything.samples)
    if classified < 1.0:
        headline += f"; lines: without the {100.0 * (1.0 - classified):.0f} % referred"
    xlabel = f"{FALSE_ALARM_RATE}\ncross-validated, with 95 % intervals"
    frame(figure, panels, xlabel, MISS_RATE, headline)
    return figure


def _without_referred(evidence: Evidence) -> Evidence:
    """Return the evidence of the samples that the selected model does not refer.

    Its rates among all samples would lie below the lines, where no threshold leads:
    referred samples are neither misses nor false alarms.
    """
    codes = evidence.chosen.out_of_fold.codes
    rows = np.flatnonzero(codes < evidence.samples.n_classes)
    if len(rows) in (0, len(codes)):
        return evidence
    classified = {name: each.take(rows) for name, each in evidence.evaluations.items()}
    return replace(evidence, evaluations=classified)


def boundary_rates(
    evidence: Evidence, candidate: str, label: object
) -> tuple[Rate, Rate]:
    """Estimate miss rate and false alarm rate of a candidate at the boundary below a class.

    Misses are about `classes_to_find`. Rates are shares of all samples on one side of the
    boundary: referred samples count in the denominators, but as neither misses nor false
    alarms.
    """
    samples = evidence.samples
    boundary = rank_of(label, samples.classes)
    codes = evidence.evaluations[candidate].out_of_fold.codes
    is_high = (codes >= boundary) & (codes < samples.n_classes)
    above = np.arange(samples.n_classes) >= boundary
    missed, alarms = (
        rate_of(
            mistaken & among[samples.codes],
            samples.in_use(evidence.criteria.ratios),
            among,
            evidence.criteria.has_priors,
            evidence.splits.folds,
        )
        for mistaken, among in ((codes < boundary, above), (is_high, ~above))
    )
    return (missed, alarms) if costliest_class(evidence) else (alarms, missed)


def classes_to_find(evidence: Evidence, label: object) -> str:
    """Name the classes on the costlier side of the boundary below a class."""
    names = list(map(str, evidence.samples.classes.tolist()))
    boundary = rank_of(label, evidence.samples.classes)
    if costliest_class(evidence):
        return names[-1] if boundary == len(names) - 1 else f"{label} or above"
    # "or below" would be read as less severe where 1 is the most severe class.
    return names[0] if boundary == 1 else f"{names[0]} to {names[boundary - 1]}"


# Least share of decided samples that is drawn: the mean of fewer samples varies so much that
# it would set the scale.
MIN_CLASSIFIED = 0.1


def referral(evidence: Evidence) -> Figure:
    """Draw cross-validated cost by the share of samples referred for review.

    Left: mean cost of all samples. Right: mean cost of the decided samples (risk-coverage
    curve), where these are at least 30 and a tenth of all samples. One line per
    candidate; samples are referred in the order of expected saving. The band is the 95 %
    interval of the selected candidate, the dot is the share in use.

    Parameters
    ----------
    evidence : Evidence
        Evidence of a model that was selected with a referral cost, ``model.evidence``.

    Returns
    -------
    Figure

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
    curves = evidence.referral()
    fewest = max(FEWEST_ROWS / len(evidence.samples), MIN_CLASSIFIED)
    many_classified = 1.0 - curves["referred"] >= fewest
    figure = new_figure(8.4, 4.2)
    both = figure.subplots(1, 2)
    of_classified = curves[many_classified & ~curves["model"].isin(CONSTANT)]
    for ax, shown, what, label, error in (
        (both[0], curves, "cost", "mean cost", "std_error"),
        (both[1], of_classified, "decided", "mean cost of decided samples", ""),
    ):
        draw_candidates(ax, shown, evidence, "referred", what, error)
        used = shown[(shown["model"] == evidence.selected) & shown["in use"]]
        ax.plot(
            "referred", what, "o", data=used, label="in use", ls="none", zorder=5, **MARK
        )
        ax.set(xlim=(-0.02, 1.02), ylim=(0.0, None), ylabel=label)
        ax.xaxis.set_major_formatter(PERCENT)
    own = curves[(curves["model"] == evidence.selected) & curves["in use"]].iloc[0]
    headline = (
        f"{evidence.selected} refers {100.0 * own['referred']:.0f} % of the samples: "
        f"mean cost {rounded(own['cost'])}"
    )
    xlabel = "share referred for review, cross-validated; band: 95 % interval"
    frame(figure, both, xlabel, title=headline)
    return figure
