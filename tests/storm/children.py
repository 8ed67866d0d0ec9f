"""Commands in copies of this process: they need not start first, and may die at any moment."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

from moselect.cli import main

CHANGES = {"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "shutil.rmtree"}
CRASHED, DIED = 70, -signal.SIGKILL
Prepare = Callable[[], None]
Ended = CompletedProcess[str]


def run(folder: Path, *arguments: object, prepare: Prepare | None = None) -> Ended:
    """Run a command in a folder; ``prepare`` is called in its process first."""
    return _wait(*_start(folder, arguments, prepare))


def kill_after(seconds: float, folder: Path, *arguments: object) -> Ended:
    """Run a command that is killed after some seconds, unless it has ended by then."""
    pid, outputs = _start(folder, arguments, None)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)  # until it is waited for, nobody else has its number
    return _wait(pid, outputs)


def at_changes(do: Callable[[int], None]) -> Prepare:
    """Return what makes a process call ``do(i)`` before its i-th change of the disk."""

    def prepare() -> None:
        i = -1

        def count(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal i
            if event in CHANGES and not (event == "open" and arguments[1] == "r"):
                i += 1
                do(i)

        sys.addaudithook(count)

    return prepare


def changes_of(folder: Path, *arguments: object) -> tuple[int, Ended]:
    """Run a command undisturbed: its changes of the disk, and how it ended."""
    counted = folder / "changes"
    counted.touch()
    ended = run(folder, *arguments, prepare=at_changes(lambda i: os.truncate(counted, i + 1)))
    n = counted.stat().st_size  # its size is the number
    counted.unlink()
    return n, ended


def moments(seed: int, n_changes: int, n: int) -> list[int]:
    """Draw moments to die: before so many changes of the disk."""
    draw = random.Random(seed)
    return [draw.randrange(n_changes) for _ in range(n)]


def kill_at(moment: int, folder: Path, *arguments: object) -> Ended:
    """Run a command that dies before a change of the disk."""

    def die(i: int) -> None:
        if i == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    return run(folder, *arguments, prepare=at_changes(die))


def _start(
    folder: Path, arguments: tuple[object, ...], prepare: Prepare | None
) -> tuple[int, tuple[int, int]]:
    outputs = os.memfd_create("out"), os.memfd_create("err")
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which the copy has not
        pid = os.fork()
    if pid == 0:
        code = CRASHED
        try:
            code = _be_command(folder, arguments, prepare, outputs)
        except BaseException:  # noqa: BLE001 - the parent is to see it
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(code)
    return pid, outputs


def _be_command(
    folder: Path,
    arguments: tuple[object, ...],
    prepare: Prepare | None,
    outputs: tuple[int, int],
) -> int:
    for output, number in zip(outputs, (1, 2), strict=True):
        os.dup2(output, number)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    warnings.resetwarnings()
    os.chdir(folder)
    os.environ.update(COLUMNS="80", MOSELECT_DATA="")
    sys.argv = ["moselect", *map(str, arguments)]
    if prepare is not None:
        prepare()
    try:
        main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    sys.stdout.flush()
    return code


def _wait(pid: int, outputs: tuple[int, int]) -> Ended:
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    texts = []
    for output in outputs:
        os.lseek(output, 0, os.SEEK_SET)
        with os.fdopen(output, "rb") as file:
            texts.append(file.read().decode(errors="replace"))
    return CompletedProcess((), code, *texts)
