"""One page to choose a model and explore a front: a single file that needs no network.

`summary` collects what the page is to know as plain values; `page_of_front` puts them,
the style and the scripts of the folder ``page`` into its template. Text of users (names
of features, classes and data) is escaped there, or carried as JSON and becomes text nodes
only; the page's own policy forbids it the network and all scripts but its own.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
