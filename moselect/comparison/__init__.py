"""Many models: the same folds and measures, and whether differences mean anything."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
