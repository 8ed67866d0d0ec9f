"""Commands in copies of this process: they need not start first, and may die at any moment.

Functions that make a process do something return one that the process calls first.
"""

import os
import shutil
import signal
import sys
import traceback
import warnings
from pathlib import Path
from subprocess import CompletedProcess

from moselect.cli import main

CHANGES = {"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "shutil.rmtree"}
CRASHED = 70
KILLED = -signal.SIGKILL


def run(folder, command, prepare=None):
    """Run a command in a folder; ``prepare`` is called in its process first."""
    return Child(folder, command, prepare).end()


def before_disk_changes(do):
    """Make a process call ``do(i)`` before its i-th change of the disk."""

    def prepare():
        i = -1
        doing = False

        def count(event, arguments):
            nonlocal i, doing
            changes = event in CHANGES and not (event == "open" and arguments[1] == "r")
            if changes and not doing:
                i += 1
                doing = True
                do(i)  # what this changes itself is not counted
                doing = False

        sys.addaudithook(count)

    return prepare


def signal_when_written(path, number):
    """Make a process send itself a signal as soon as it has written a file."""
    sent = False

    def send_once(i):
        nonlocal sent
        if not sent and Path(path).exists():
            sent = True
            signal.raise_signal(number)

    return before_disk_changes(send_once)


def limit_file_size(limit):
    """Limit the size of each file of a process in bytes, as on a full disk."""

    def prepare():
        import resource  # which not all systems have

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        sys.dont_write_bytecode = True  # Python would leave modules cut off
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return prepare


def count_disk_changes(folder, command):
    """Run a command to its end; return the number of disk changes and its result."""
    counted = folder / "changes"
    counted.touch()
    completed = run(
        folder, command, before_disk_changes(lambda i: os.truncate(counted, i + 1))
    )
    n = counted.stat().st_size  # its size is the number
    counted.unlink()
    return n, completed


def snapshot_before(moments, folder, to):
    """Copy a folder to ``to`` before these changes, as a kill at that moment would leave it."""

    def keep(i):
        if i in moments:
            shutil.copytree(folder, to / f"killed-{i}")

    return before_disk_changes(keep)


def kill_before(moment):
    """Make a process kill itself before one change of the disk."""

    def die(i):
        if i == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    return before_disk_changes(die)


def fork(do):
    """Call a function in a copy of this process, with the result as exit code; return the pid."""
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        # of threads, which the copy has not
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        code = CRASHED
        try:
            code = do()
        except BaseException:  # noqa: BLE001 - the parent is to see it
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(code)
    return pid


def wait_for_exit(pid):
    """Wait for a child; returns its exit code."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Child:
    """A command that runs in a copy of this process."""

    def __init__(self, folder, command, prepare=None):
        self._outputs = os.memfd_create("out"), os.memfd_create("err")
        self._ended = None
        self.pid = fork(lambda: self._be_command(folder, command, prepare))

    def runs(self):
        """Whether it has not ended; until it is waited for, nobody else has its number."""
        state = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return self._ended is None and os.waitid(os.P_PID, self.pid, state) is None

    def send(self, number):
        """Send it a signal, unless it has ended, and wait until it ends."""
        if self.runs():
            os.kill(self.pid, number)
        return self.end()

    def end(self):
        """Wait until it ends; return the exit code and the printed text."""
        if self._ended is None:
            code = wait_for_exit(self.pid)
            texts = []
            for output in self._outputs:
                os.lseek(output, 0, os.SEEK_SET)
                with os.fdopen(output, "rb") as file:
                    texts.append(file.read().decode(errors="replace"))
            self._ended = CompletedProcess((), code, *texts)
        return self._ended

    def _be_command(self, folder, command, prepare):
        for output, number in zip(self._outputs, (1, 2), strict=True):
            os.dup2(output, number)
        sys.stdout = os.fdopen(1, "w")
        sys.stderr = os.fdopen(2, "w", buffering=1)
        warnings.resetwarnings()
        warnings.simplefilter("default", UserWarning)  # no filter at all is no setting
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(folder)
        os.environ.update(COLUMNS="80", MOSELECT_DATA="")
        sys.argv = ["moselect", *command.split()]
        if prepare is not None:
            prepare()
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        sys.stdout.flush()
        return code
