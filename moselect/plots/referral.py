"""What is gained by leaving rows to a person: cost against the share that is referred."""

from __future__ import annotations

from moselect.decision import Evidence
from moselect.decision.kinds import TRIVIAL
from moselect.plots.style import AnyFigure, draw_band, new_figure, plain
from moselect.plots.trade_off import MARK, draw_legend, line_styles

SHOWN = {"cost": "cost of a row", "decided": "cost of a row that is decided"}


def referral(evidence: Evidence, *, figure: AnyFigure | None = None) -> AnyFigure:
    """Draw what a row costs as more rows are left to a person, on new data.

    On the left the cost of all rows, on the right that of the rows that are decided (risk
    over coverage), one line a kind of model; rows are left in the order of what that is
    expected to save. The band is one standard error of the selected kind, the dot is the
    share in use.

    Parameters
    ----------
    evidence : Evidence
        That of a model that was selected with the cost of a referral, ``model.evidence``.
    figure : Figure or SubFigure, optional
        Where to draw, instead of a new figure.

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
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], kind="linear", refer=0.5)
    >>> [ax.get_ylabel() for ax in referral(model.evidence).axes]
    ['cost of a row', 'cost of a row that is decided']
    """
    curves, styles = evidence.referral(), line_styles(evidence)
    if figure is None:
        figure = new_figure(8.4, 3.9, layout="constrained")
    both = figure.subplots(1, 2)
    for ax, (what, label) in zip(both, SHOWN.items(), strict=True):
        for kind, line in curves.groupby("kind", sort=False):
            if kind == TRIVIAL and what == "decided":
                continue
            style = styles[str(kind)]
            ax.plot(line["referred"], line[what], label=plain(str(kind)), **style)
            if kind != evidence.selected:
                continue
            if what == "cost":
                columns = ["referred", what, "standard error"]
                draw_band(ax, line[columns], style["color"])
            used = line[line["in use"]]
            ax.plot("referred", what, "o", data=used, label="in use", ls="none", **MARK)
        ax.set(xlim=(-0.02, 1.02), ylim=(0.0, None), ylabel=label)
    figure.supxlabel(
        "share left to a person, on new data; band: one standard error", fontsize=9
    )
    draw_legend(figure, *both[0].get_legend_handles_labels())
    return figure
