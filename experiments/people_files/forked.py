"""Commands of moselect in forked processes, as the imports of one take seconds."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

LOADED = (
    "matplotlib.pyplot",
    "matplotlib.backends.backend_agg",
    "pandas",
    "scipy.stats",
    "sklearn.linear_model",
    "sklearn.model_selection",
    "sklearn.ensemble",
    "sklearn.isotonic",
    "sklearn.preprocessing",
    "pyarrow",
    "moselect",
    "moselect.cli",
)


def load() -> None:
    """Import the packages that most commands need."""
    for name in LOADED:
        importlib.import_module(name)
    for module in pkgutil.iter_modules(sys.modules["moselect"].__path__, "moselect."):
        if not module.name.endswith(("__main__", "pymoo_adapter")):
            importlib.import_module(module.name)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command as in a terminal of 80 columns."""
    load()
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            _command(folder, arguments, out.fileno(), err.fileno())
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        written = []
        for file in (out, err):
            file.seek(0)
            written.append(file.read().decode())
    return subprocess.CompletedProcess(list(arguments), code, *written)


def _command(folder: Path, arguments: tuple[str, ...], out: int, err: int) -> None:
    code = 1
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        os.chdir(folder)
        os.environ["COLUMNS"] = "80"
        sys.argv = ["moselect", *arguments]
        from moselect.cli import main

        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BaseException:  # noqa: BLE001 - a traceback is a finding
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
