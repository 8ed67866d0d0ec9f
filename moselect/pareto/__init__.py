"""How good a set of models is: non-dominated archives, crowding, indicators, subsets."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
