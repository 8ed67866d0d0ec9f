from tests.page.conftest import chromium, show, window

__all__ = ["chromium", "show", "window"]
