"""What scorecards cost on new data, by their number of conditions."""

from __future__ import annotations

from matplotlib.axes import Axes

from moselect.decision import Evidence
from moselect.plots.style import LINE_COLOURS, LINE_STYLES, legend_above, new_axes


def conditions(evidence: Evidence, *, ax: Axes | None = None) -> Axes:
    """Draw what scorecards of 1 to 20 conditions cost on new data, with standard errors.

    Lines across are the other kinds of model. Everything is cross-validated.

    Parameters
    ----------
    evidence : Evidence
        That of a model for which scorecards were considered, ``model.evidence``.
    ax : Axes, optional
        Where to draw, instead of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If no scorecards were considered.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> search = moselect.ParetoSearch(n_iterations=2, cv=None, random_state=1).fit(X, y)
    >>> model = search.select(class_costs=[1, 1, 1, 5, 5], kind="points")
    >>> conditions(model.evidence).get_xlabel()
    'conditions on the card'
    """
    cards = evidence.conditions
    if cards is None:
        raise ValueError("no scorecards were considered: select without kind, or with 'points'")
    ax = new_axes(6.0, 4.0) if ax is None else ax
    n, error = cards.index.to_numpy(), cards["standard error"]
    ax.errorbar(n, cards["new data"], error, fmt="o-", color=LINE_COLOURS[0], label="points")
    others = evidence.rules["new data"].reindex(["linear", "curves", "pool"]).dropna()
    styles = zip(others.items(), LINE_COLOURS[1:], LINE_STYLES[1:], strict=False)
    for (name, value), colour, line in styles:
        ax.axhline(float(value), color=colour, linestyle=line, label=str(name))
    ax.set(xlabel="conditions on the card", ylabel=f"{evidence.value} on new data")
    ax.set_xticks(n[3::4])
    legend_above(ax, ncols=4)
    return ax
