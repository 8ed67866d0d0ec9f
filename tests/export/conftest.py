import shutil
import tempfile
from pathlib import Path

import pytest

from tests.export.cases import CASES, make_case
from tests.export.databases import Postgres, run_duckdb, run_sqlite


@pytest.fixture(params=CASES)
def case(request):
    return make_case(request.param)


@pytest.fixture(scope="session")
def run_postgres():
    # Not in pytest's folder: that is closed to other users, and the server refuses to be root.
    folder = Path(tempfile.mkdtemp(prefix="moselect-pg"))
    try:
        server = Postgres(folder)
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", "duckdb", "postgres"])
def run(request):
    """Return a function that runs a SELECT on a table in one of three databases."""
    if request.param == "postgres":
        return request.getfixturevalue("run_postgres")
    return {"sqlite": run_sqlite, "duckdb": run_duckdb}[request.param]
