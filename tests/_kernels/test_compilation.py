"""Where compiled kernels are kept, and what happens where they cannot be."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import moselect

pytestmark = pytest.mark.slow
VUS = "from moselect.metrics import vus_score; print(vus_score([1, 2, 3], [0.0, 1.0, 2.0]))"


@pytest.fixture
def run(tmp_path):
    """Run a script with a copy of moselect in which no folder takes compiled kernels.

    A file stands where each folder would be, which stops the superuser as well.
    """
    site = tmp_path / "site"
    shutil.copytree(
        Path(moselect.__file__).parent,
        site / "moselect",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (site / "moselect" / "_kernels" / "__pycache__").touch()
    nowhere = site / "moselect" / "__init__.py" / "home"
    (tmp_path / "temporary").mkdir()

    def run(script, temporary=tmp_path / "temporary"):
        environment = {
            **os.environ,
            "PYTHONPATH": str(site),
            "HOME": str(nowhere),
            "XDG_CACHE_HOME": str(nowhere),
            "TMPDIR": str(temporary),
            "NUMBA_CACHE_DIR": "",
        }
        return subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run


def test_a_folder_for_temporary_files_of_the_user_takes_them(run, tmp_path):
    done = run(VUS)
    assert (done.returncode, done.stdout) == (0, "1.0\n"), done.stderr
    assert done.stderr.count("Warning") == 1
    (folder,) = (tmp_path / "temporary").iterdir()
    assert f"compiled kernels are kept in '{folder}'" in done.stderr
    assert folder.stat().st_mode & 0o077 == 0
    kept = set(folder.rglob("*.nbc"))
    assert kept
    assert run(VUS).stdout == "1.0\n"
    assert set(folder.rglob("*.nbc")) == kept  # read, not compiled again


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have modes on POSIX only")
@pytest.mark.parametrize("planted", ["open to all", "link"])
def test_code_is_not_loaded_from_a_folder_of_others(run, tmp_path, planted):
    folder = tmp_path / "temporary" / f"moselect-kernels-{os.getuid()}"
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    if planted == "link":
        folder.symlink_to(other)
    else:
        folder.mkdir()
        folder.chmod(0o777)
    done = run(VUS)
    assert (done.returncode, done.stdout) == (0, "1.0\n"), done.stderr
    assert "they are compiled anew every time" in done.stderr
    assert list(folder.iterdir()) == []


def test_a_numba_folder_of_the_user_comes_first(run, tmp_path):
    named = tmp_path / "named"
    done = run(f"import os; os.environ['NUMBA_CACHE_DIR'] = {str(named)!r}; {VUS}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1.0\n", "")
    assert list(named.rglob("*.nbc"))


def run_with(folder, **options):
    return subprocess.run(
        [sys.executable, "-c", VUS],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=300,
        **options,
    )


def no_room():
    """Let no file of this process hold a byte, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_on_a_full_disk_they_are_compiled_all_the_same(tmp_path):
    done = run_with(tmp_path, preexec_fn=no_room)
    assert (done.returncode, done.stdout) == (0, "1.0\n"), done.stderr
    assert done.stderr.count("Warning") == 1
    assert "cannot be kept in" in done.stderr
    assert not list(tmp_path.rglob("*.nb?"))


@pytest.mark.parametrize("left", [0, 20])
def test_files_that_are_damaged_are_written_anew(tmp_path, left):
    assert run_with(tmp_path).stdout == "1.0\n"
    kept = {path: path.stat().st_size for path in tmp_path.rglob("*.nb?")}
    for path in kept:  # as after a loss of power
        os.truncate(path, left)
    done = run_with(tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1.0\n", "")
    assert all(path.stat().st_size > left for path in kept)
