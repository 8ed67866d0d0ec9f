"""All plots: legible on light and dark backgrounds, without side effects."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.cbook import is_math_text
from matplotlib.figure import Figure

import moselect
from moselect import plots
from moselect.candidates.candidates import CandidateFits, FitSettings
from moselect.costs import Costs
from moselect.models import AdditiveOdds
from moselect.samples.samples import Samples
from moselect.selection.selector import Selector
from tests.any_tables import ordinal_table
from tests.plots.conftest import NAMES, make_objectives, texts_in_sight

FEATURES = [
    f"$a$ rather long name of the feature with number {j} of all" for j in range(12)
]
CLASSES = [
    "$not$ likely to be repaid",
    "$x^{$ unlikely to be",
    "$doubtful$",
    "likely",
    "certain",
]

X, CODES = ordinal_table(120, p=12, r=5)
X = pd.DataFrame(X, columns=FEATURES)
FOUR = X.iloc[:, :4]
Y = pd.Categorical.from_codes(CODES, CLASSES, ordered=True)
OBJECTIVES = make_objectives(30)
THREE = OBJECTIVES[NAMES[1:4]]
CHANCE = pd.Series(0.75, index=NAMES)
MARKED = OBJECTIVES[:2].set_axis(
    ["the $model$ that was chosen", "$another$, proportional odds"]
)
HISTORY = pd.DataFrame(
    {
        "run": [0, 0, 1, 1],
        "n_evaluations": [100, 3_000, 100, 2_500],
        "hypervolume": [0.1, 0.2, 0.12, 0.19],
    }
)


def comparison():
    """Compare models, one of them without additive terms."""
    names = [
        "always_one_class",
        "ordinal_ridge",
        "proportional_odds",
        "gradient_boosting",
    ]
    models = {f"${name}$": name for name in names}
    return moselect.compare(models, FOUR, Y, labels=CLASSES, cv=2, random_state=1)


def evidence():
    selector = Selector(CandidateFits(Samples.from_table(FOUR, Y), FitSettings()))
    return selector.select(Costs([1, 1, 1, 5, 5]), "linear").evidence


def with_title(ax):
    ax.set_title("a title, and a rather long one: for the costs 1, 1, 1, 1 and $5$")
    return ax


PICTURES = {
    "pairwise_fronts": lambda: plots.pairwise_fronts(
        {
            "the $search$ of the paper": OBJECTIVES,
            "the $default$ search": OBJECTIVES + 0.02,
        },
        chance=CHANCE,
        marked=MARKED,
    ),
    "pairwise_fronts, held out": lambda: plots.pairwise_fronts(
        THREE, chance=CHANCE[1:4], holdout=THREE - 0.01
    ),
    "decision": lambda: plots.decision(evidence()),
    "convergence": lambda: plots.convergence({"$1$": HISTORY, "$2$": HISTORY}),
    "new_data": lambda: plots.front_on_new_data(comparison()),
    "thresholds": lambda: with_title(
        plots.thresholds(
            AdditiveOdds(labels=CLASSES).fit(FOUR, Y).to_predictor(), FOUR, Y
        )
    ),
}
WITHOUT_NAMES = ("pairwise_fronts, held out", "decision")  # of the user's
TABLES = [X, OBJECTIVES, CHANCE, MARKED, HISTORY, pd.Series(Y)]
ORIGINALS = [table.copy() for table in TABLES]


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_texts_are_legible_do_not_overlap_and_lie_in_the_figure(name):
    style = "dark_background" if len(name) % 2 else "default"
    with plt.style.context(style):
        before = dict(mpl.rcParams)
        drawn = PICTURES[name]()
        figure = drawn if isinstance(drawn, Figure) else drawn.figure
        texts, touching = texts_in_sight(figure)
        assert dict(mpl.rcParams) == before
    assert all(
        np.array_equal(one, copy) for one, copy in zip(TABLES, ORIGINALS, strict=True)
    )
    assert touching == []
    assert len(texts) > 5
    assert figure is plt.gcf()  # so that a notebook shows it
    of_users = [text.get_text() for text in texts if r"\$" in text.get_text()]
    assert bool(of_users) == (name not in WITHOUT_NAMES)
    assert not any(map(is_math_text, of_users))
    bounds = figure.bbox.padded(0.02 * figure.dpi)
    for text in texts:
        corners = text.get_window_extent().corners()
        assert bounds.count_contains(corners) == 4, text.get_text()
