"""`moselect datasets`."""

from __future__ import annotations

import typer


def datasets() -> None:
    """List the data sets that can be loaded by name."""
    from moselect.datasets import list_datasets

    for name, description in list_datasets().items():
        typer.echo(f"{name:24} {description}")
