"""One page to explore a front and pick a model by cost: a single file that needs no network.

`summary` gives what the page is to know as plain values; `html` puts them, Plotly's own bundle, and
the style and the scripts of the folder ``page`` into ``page/template.html``. Text of users (names
of features, classes and data) is carried as JSON and becomes text nodes only; the page's own policy
forbids it the network and all scripts but its own.
"""

from moselect.report.page_of_front import Page, make_page

__all__ = ["Page", "make_page"]
