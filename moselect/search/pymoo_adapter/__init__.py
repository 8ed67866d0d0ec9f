"""pymoo both ways: our problem for its algorithms, its algorithms for our search."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
