"""The options of `moselect datasets`."""

from __future__ import annotations

from moselect.cli.options import JsonOption
from moselect.cli.terminal import Terminal


def datasets(json: JsonOption = False) -> None:
    """List the data sets that can be loaded by name."""
    from moselect.cli.datasets import run_datasets

    run_datasets(Terminal(json=json))
