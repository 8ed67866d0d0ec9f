"""Sliders of costs in a notebook."""

from __future__ import annotations

from typing import Any

from moselect.selection import Evidence


def cost_sliders(evidence: Evidence) -> Any:
    """Show the models of a comparison for costs that are set by sliders, one a class.

    Each slider is the cost of a misclassified sample of its class, from 0.1 to 100, times
    the distance between the classes, as ``class_costs``. No model is refitted. The extra
    ``notebook`` is needed.

    Parameters
    ----------
    evidence : Evidence
        Evidence of `moselect.compare`.

    Returns
    -------
    ipywidgets.VBox
        The sliders and, below, the evidence for their costs, as HTML.

    Raises
    ------
    ImportError
        If ipywidgets is not installed.
    ValueError
        If the candidates were fitted for the costs of a selection.

    Examples
    --------
    >>> import moselect
    >>> X, y = moselect.datasets.load_boston()
    >>> models = ["proportional_odds", "linear"]
    >>> evidence = moselect.compare(models, X, y, cv=3, random_state=0)
    >>> sliders = cost_sliders(evidence)  # doctest: +SKIP
    """
    import ipywidgets  # of the extra "notebook"

    sliders = {
        label: ipywidgets.FloatLogSlider(1.0, min=-1, max=2, description=str(label))
        for label in evidence.comparison.scale
    }
    shown = ipywidgets.HTML()

    def show(change: object = None) -> None:
        costs = {label: slider.value for label, slider in sliders.items()}
        shown.value = evidence.for_costs(costs)._repr_html_()

    for slider in sliders.values():
        slider.observe(show, "value")
    show()
    return ipywidgets.VBox([*sliders.values(), shown])
