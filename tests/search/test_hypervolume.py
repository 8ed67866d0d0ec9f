"""How much of the possible volume a default search covers on Boston."""

from __future__ import annotations

import numpy as np
import pytest

from moselect import ParetoSearch


@pytest.mark.slow
def test_the_front_of_a_default_search_is_large(boston):
    # Ready-made models with exact thresholds cover 0.145, the published search 0.153.
    searches = [ParetoSearch(cv=None, random_state=seed) for seed in range(3)]
    found = [search.fit(*boston).front_.hypervolume for search in searches]
    assert np.median(found) >= 0.192


def test_directions_with_exact_thresholds_cover_more_than_searched_thresholds(boston):
    found = {
        thresholds: ParetoSearch(
            thresholds=thresholds, n_iterations=10, cv=None, random_state=0
        )
        .fit(*boston)
        .front_.hypervolume
        for thresholds in ("exact", "search")
    }
    assert found["exact"] > 1.5 * found["search"]
