from .new_data import Figure, NewData, Selection
from .page_of_front import Page, make_page
from .settings import select_for_settings

__all__ = [
    "Figure",
    "NewData",
    "Page",
    "Selection",
    "make_page",
    "select_for_settings",
]
