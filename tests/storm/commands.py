"""The command line in this process, and what must hold for the end of every command."""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, settings

from moselect.cli import main

ERROR = "moselect: error: "
MATHS = ("overflow encountered", "invalid value", "divide by zero", "Mean of empty", "NaN")


def examples(n: int) -> settings:
    """Return the settings of a property that takes long to try once."""
    return settings(max_examples=n, suppress_health_check=list(HealthCheck), print_blob=True)


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    arguments: tuple[str, ...]
    code: int
    out: str
    err: str


def run(folder: Path, *arguments: object) -> Done:
    """Run a command in a folder; AssertionError unless it ends as every command must.

    It ends well, or with exit code 2 and one line that names what is wrong; never with a
    traceback, which escapes from here as it would from the process. Nothing that it prints steers
    a terminal, and no warning is one of numpy's.
    """
    given = tuple(map(str, arguments))
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="")
    code: object = 0
    argv = sys.argv
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        warnings.resetwarnings()  # as in a process of its own
        sys.argv = ["moselect", *given]
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        finally:
            sys.argv = argv
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    assert code in (0, 2), f"{given} ended with {code}"
    done = Done(given, code, *texts)
    check_end(done)
    return done


def check_end(done: Done) -> None:
    errors = [line for line in done.err.splitlines() if line.startswith(ERROR)]
    assert len(errors) == (done.code == 2), done
    if errors:
        assert done.err.splitlines()[-1] == errors[0], done
        assert len(errors[0]) > len(ERROR) + 8, done
    for text in (done.out, done.err):
        steering = {c for c in text if not c.isprintable() and c not in "\n"}
        assert not steering, (steering, done)
    for words in MATHS:
        assert words not in done.err, done


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, by its name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def check_kept(before: dict[str, bytes], folder: Path) -> None:
    """Check that no file was changed or lost, and that none is half-written."""
    after = contents(folder)
    assert before.items() <= after.items()
    assert not [name for name in after if ".part" in name], sorted(after)
