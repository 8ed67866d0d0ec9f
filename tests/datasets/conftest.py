import pytest


@pytest.fixture(autouse=True)
def _no_data_folder(monkeypatch):
    monkeypatch.delenv("MOSELECT_DATA", raising=False)


@pytest.fixture
def write(tmp_path):
    """Write a text file and return its path."""

    def write_file(text, name="table.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write_file
