"""One page to explore a front and choose a model: a single file that needs no network.

`summary` collects what the page is to know as plain values; `html` puts them, the style and the
modules of the folder ``page`` into its template. Text of users (names of features, classes and
data) is carried as JSON and becomes text nodes only; the page's own policy forbids it the network
and all scripts but its own.
"""

from moselect.report.new_data import Figure, NewData, Selection
from moselect.report.page_of_front import Page, make_page
from moselect.report.settings import select_for_settings

__all__ = ["Figure", "NewData", "Page", "Selection", "make_page", "select_for_settings"]
