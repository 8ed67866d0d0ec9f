"""Kernels that another process compiles ahead of the first search."""

import os
import subprocess
import sys

import pytest

from moselect._kernels.ahead import SIGNATURES


@pytest.mark.slow
def test_a_search_calls_the_kernels_that_are_compiled_ahead(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def compiled(*module):
        command = [sys.executable, "-m", *module]
        subprocess.run(command, env=environment, cwd=tmp_path, check=True)
        files = [file.name for file in tmp_path.glob("cache/*/*.nbc")]
        names = [kernel.py_func.__name__ for kernel in SIGNATURES]
        # A file holds the machine code of a kernel for one signature.
        return {name: sum(f".{name}-" in file for file in files) for name in names}

    ahead = compiled("moselect._kernels.ahead")
    assert set(ahead.values()) == {1}
    assert compiled("moselect", "search", "boston", "--evaluations", "500") == ahead
