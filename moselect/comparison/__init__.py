"""Many models: the same folds, the same measures, and whether differences mean a thing."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
