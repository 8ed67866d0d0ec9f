import os

import pytest

from tests.storm.writers import fill


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """Return a folder with a table, a run, a model, predictions, costs and a page."""
    if not hasattr(os, "fork"):
        pytest.skip("commands run in copies of this process")
    return fill(tmp_path_factory.mktemp("filled"))
