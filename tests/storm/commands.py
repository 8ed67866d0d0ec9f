"""The command line in this process, and the invariants of every command."""

import warnings

from tests.cli.conftest import run_main

ERROR = "moselect: error: "
MATHS = (
    "overflow encountered",
    "invalid value",
    "divide by zero",
    "Mean of empty",
    "NaN",
)


def run(folder, command, *options: object):
    """Run a command in a folder and check the invariants of every command.

    It succeeds, or ends with one line that names the error and its exit code; a traceback escapes
    from here as it would from the process. No output controls a terminal, and no warning is
    one of numpy's.
    """
    with warnings.catch_warnings():
        warnings.resetwarnings()  # as in a process of its own
        done = run_main(folder, *command.split(), *options)
    assert done.returncode in (0, 2, 65), done
    errors = [line for line in done.stderr.splitlines() if line.startswith(ERROR)]
    assert len(errors) == (done.returncode != 0), done
    if errors:
        assert done.stderr.splitlines()[-1] == errors[0], done
        assert len(errors[0]) > len(ERROR) + 8, done
    for text in (done.stdout, done.stderr):
        steering = {c for c in text if not c.isprintable() and c not in "\n"}
        assert not steering, (steering, done)
    for words in MATHS:
        assert words not in done.stderr, done
    return done
