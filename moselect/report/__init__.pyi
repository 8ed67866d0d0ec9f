from .page_of_front import make_page
from .settings import select_for_settings

__all__ = ["make_page", "select_for_settings"]
