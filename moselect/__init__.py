"""Multi-objective model selection for ordinal targets.

>>> import moselect
>>> X, y = moselect.datasets.load_boston()
>>> search = moselect.ParetoSearch(n_iterations=5, random_state=1).fit(X, y)
>>> model = search.select(class_costs=[1, 1, 1, 5, 5])
"""

import lazy_loader

__version__ = "0.2.0"

# Loaded on first use, so that the command line can answer `--help` without numba and pandas.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
