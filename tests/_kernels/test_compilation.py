"""Where compiled kernels are kept, and what happens where they cannot be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import moselect

pytestmark = pytest.mark.slow
VUS = (
    "from moselect.metrics import vus_score; print(vus_score([1, 2, 3], [0.0, 1.0, 2.0]))"
)


def run(folder, **options):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)} | options.pop("env", {})
    done = subprocess.run(
        [sys.executable, "-c", VUS],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        **options,
    )
    assert (done.returncode, done.stdout) == (0, "1.0\n"), done.stderr
    return done.stderr


def test_where_no_folder_takes_them_they_are_compiled_all_the_same(tmp_path):
    package = tmp_path / "site" / "moselect"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(moselect.__file__).parent, package, ignore=ignored)
    (package / "_kernels" / "__pycache__").touch()  # a file stops the superuser as well
    nowhere = str(package / "__init__.py" / "home")
    env = {"PYTHONPATH": str(package.parent), "HOME": nowhere, "XDG_CACHE_HOME": nowhere}
    told = run("", env=env, cwd=tmp_path)
    assert told.count("Warning") == 1
    assert "NUMBA_CACHE_DIR" in told
