from .page_of_front import make_page

__all__ = ["make_page"]
