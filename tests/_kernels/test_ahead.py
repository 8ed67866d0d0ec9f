"""Kernels that are compiled ahead are those of a search, with its types."""

from __future__ import annotations

from moselect import ParetoSearch
from moselect._kernels.ahead import AHEAD


def test_a_search_takes_what_is_compiled_ahead(boston):
    ParetoSearch(n_particles=20, n_iterations=2, cv=2, random_state=0).fit(*boston)
    for kernel, signature in AHEAD.items():
        assert signature in kernel.signatures, kernel
