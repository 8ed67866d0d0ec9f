"""One page to choose a model and explore a front: a single file that needs no network.

`page_of_front` collects the data of the page as plain values, and inserts them, the
style and the scripts of the folder ``page`` into the template. Text of users (names
of features, classes and data) is escaped there, or embedded as JSON and inserted as text
nodes only. The content security policy blocks the network and all foreign scripts.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
