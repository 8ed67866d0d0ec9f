"""What is searched: linear ordinal models of one table, measured in batches."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
