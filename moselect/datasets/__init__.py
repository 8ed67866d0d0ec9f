"""Data sets with an ordinal target: bundled, from files, from OpenML, or binned."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
