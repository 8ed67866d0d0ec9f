"""Messages of the library, whose parameters are options on the command line."""

from __future__ import annotations

import re

from moselect.cli.values import READ_BY

# Options that have the names of parameters.
_SETTING = re.compile(
    r"\b(order|leave_out|bins|binning|target|weight|group|time|drop|keep|categorical|missing"
    r"|model)=(?=\S)"
)
_READING = re.compile(rf"\b({'|'.join(READ_BY)})=(?=\S)")
# Parameters of another name or form.
_OTHERS = {
    "groups=range(len(X))": "--group none",
    "class_costs=1,1,5 or a cost_matrix": "--class-costs 1,1,5",
    "overwrite=True": "--force",
    "force=True": "--force",
    "resume=": "moselect search --resume ",
    "moselect.check": "moselect check",
}
_LIMIT = re.compile(r"limits=\{'(.*)': (.*)\}")
_COVERAGE = re.compile(r"predict_set\(coverage=(\S+)\) gives")


def as_options(message: str) -> str:
    """Write the parameters that a message names as options.

    Examples
    --------
    >>> as_options("give the order (order=low,high), or another file (sheet=2)")
    'give the order (--order low,high), or another file (--read sheet=2)'
    """
    for parameter, option in _OTHERS.items():
        message = message.replace(parameter, option)
    message = _LIMIT.sub(r"select --limit '\1:\2'", message)
    message = _COVERAGE.sub(r"predict --coverage \1 writes", message)
    message = _SETTING.sub(lambda found: f"--{found[1].replace('_', '-')} ", message)
    return _READING.sub(r"--read \1=", message)
