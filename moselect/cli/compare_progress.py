"""Compare models of a data set with a progress bar that names the one being fitted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from moselect.cli.terminal import Terminal
from moselect.comparison import Comparison, Progress, compare
from moselect.datasets import Dataset


def compare_with_progress(
    models: Sequence[str], dataset: Dataset, terminal: Terminal, **settings: Any
) -> Comparison:
    """Return what `compare` finds with these settings."""
    bar = terminal.progress("{task.completed} of {task.total} fits, {task.fields[fitting]}")

    def report(done: Progress) -> None:
        fitting = f"fitting {done.waiting}" if done.waiting else "done"
        bar.update(task, total=done.n_fits, completed=done.n_done, fitting=fitting)

    with bar:
        task = bar.add_task("", total=None, fitting=f"fitting {models[0]}")
        return compare(
            models, dataset.X, dataset.y, labels=dataset.labels, report=report, **settings
        )
