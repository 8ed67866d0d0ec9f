import pytest


@pytest.fixture(autouse=True)
def _no_data_folder(monkeypatch):
    monkeypatch.delenv("MOSELECT_DATA", raising=False)
