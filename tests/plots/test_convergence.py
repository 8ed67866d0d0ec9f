import numpy as np
import pandas as pd

from moselect.plots import convergence


def make_history(*runs):
    parts = [
        pd.DataFrame({"run": run, "n_evaluations": marks, "hypervolume": volumes})
        for run, (marks, volumes) in enumerate(runs)
    ]
    return pd.concat(parts, ignore_index=True)


def drawn(ax):
    """Median, and lower and upper edge of the band."""
    corners = ax.collections[0].get_paths()[0].vertices
    x, median = ax.lines[0].get_data()
    edges = [
        np.sort(np.unique(corners[corners[:, 0] == place, 1]))[[0, -1]] for place in x
    ]
    return x, median, *np.array(edges).T


def test_runs_grow_evenly_between_marks_and_stay_after_their_end():
    history = make_history(([100, 300], [0.1, 0.3]), ([150, 500], [0.2, 0.9]))
    x, median, low, high = drawn(convergence(history))
    assert x.tolist() == [150, 300, 500]
    np.testing.assert_allclose(low, [0.15, 0.3, 0.3])
    np.testing.assert_allclose(high, [0.2, 0.2 + 0.7 * 150 / 350, 0.9])
    np.testing.assert_allclose(median, (low + high) / 2)
