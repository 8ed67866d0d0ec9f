from tests.page.conftest import chromium, show, windows

__all__ = ["chromium", "show", "windows"]
