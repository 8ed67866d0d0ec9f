import pandas as pd
from numpy.testing import assert_allclose

from moselect.plots import convergence


def test_runs_grow_evenly_between_marks_and_stay_after_their_end():
    history = pd.DataFrame(
        {
            "run": [0, 0, 1, 1],
            "n_evaluations": [100, 300, 150, 500],
            "hypervolume": [0.1, 0.3, 0.2, 0.9],
        }
    )
    ax = convergence(history)
    x, median = ax.lines[0].get_data()
    assert x.tolist() == [150, 300, 500]
    # The band is one polygon: its lowest and highest corner at each x are the edges.
    corners = pd.DataFrame(ax.collections[0].get_paths()[0].vertices).groupby(0)[1]
    low = corners.min()[x]
    high = corners.max()[x]
    assert_allclose(low, [0.15, 0.3, 0.3])
    assert_allclose(high, [0.2, 0.2 + 0.7 * 150 / 350, 0.9])
    assert_allclose(median, (low + high) / 2)
