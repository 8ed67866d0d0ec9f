"""`moselect search`: load, search with a progress bar, write, summarise."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from moselect._kernels import compiled
from moselect.cli.pictures import draw_pictures
from moselect.datasets import Dataset, load_dataset
from moselect.pareto import hypervolume_above_chance
from moselect.plots import OBJECTIVE_NAMES
from moselect.search import Front, ParetoSearch
from moselect.search import Progress as SearchProgress
from moselect.search.run import stop_on_interrupt
from moselect.storage import Run, check_run_path, new_run_path, write_run

SECONDS_BETWEEN_UPDATES = 0.25
QUICK_SAMPLES = 2**12  # for the hypervolume while searching
COMPROMISES = 4


def run_search(
    data: str,
    source: dict[str, Any],
    preset: str | None,
    settings: dict[str, Any],
    out: Path | None,
    force: bool,
    messages: Console,
) -> None:
    """Do the whole job of `moselect search`."""
    search = ParetoSearch.preset(preset, **settings) if preset else ParetoSearch(**settings)
    if out is not None:
        check_run_path(out, force=force)
    dataset = load_dataset(data, **source)
    if search.random_state is None:
        search.set_params(random_state=int(np.random.SeedSequence().generate_state(1)[0]))
    classes = ", ".join(f"{label}" for label in dataset.labels)
    messages.print(
        f"{dataset.name}: {len(dataset.X)} objects, {dataset.X.shape[1]} features, "
        f"target {dataset.target} with classes {classes}",
        highlight=False,
        markup=False,
    )
    if not compiled():
        messages.print("Compiling the kernels: once on this machine, some seconds ...")
    started = time.perf_counter()
    _fit(search, dataset, messages)
    seconds = time.perf_counter() - started
    if search.interrupted_:
        messages.print("Interrupted: this is the front found so far.")
    path = out or new_run_path(dataset.name.replace(":", "-"))
    with stop_on_interrupt():  # a Ctrl-C that comes late must not cost the search
        run = write_run(path, search, dataset, seconds, {"source": data, **source})
        draw_pictures(run)
    _summarise(run, Console())


def _fit(search: ParetoSearch, dataset: Dataset, messages: Console) -> None:
    """Fit with a progress bar over all runs together."""
    done: dict[int, int] = {}
    lock = threading.Lock()
    next_update = 0.0
    bar = Progress(
        SpinnerColumn(),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:,.0f} evaluations, {task.fields[front]}"),
        TimeRemainingColumn(),
        console=messages,
        transient=True,
    )

    def report(progress: SearchProgress) -> None:
        nonlocal next_update
        with lock:
            done[progress.run] = progress.n_evaluations
            if time.perf_counter() < next_update:
                return
            next_update = time.perf_counter() + SECONDS_BETWEEN_UPDATES
        volume = hypervolume_above_chance(
            progress.points, progress.chance, exact_up_to=50, n_samples=QUICK_SAMPLES
        )
        bar.update(
            task,
            total=progress.budget,
            completed=sum(done.values()),
            front=f"front {len(progress.points):,}, hypervolume {volume:.4f}",
        )

    with bar:
        task = bar.add_task("", total=None, front="starting")
        search.set_params(labels=dataset.labels).fit(dataset.X, dataset.y, report=report)


def _summarise(run: Run, console: Console) -> None:
    front, record = run.front, run.record
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("model")
    table.add_column("")
    for name in front.objectives:
        table.add_column(OBJECTIVE_NAMES[str(name)].short, justify="right")
    table.add_row("", "chance", *(f"{value:.4f}" for value in front.chance), style="dim")
    for i, what in _outstanding(front):
        values = (f"{value:.4f}" for value in front.objectives.iloc[i])
        table.add_row(str(i), what, *values)
    console.print(table)
    console.print(
        f"{len(front):,} models from {record['n_evaluations']:,} evaluations in "
        f"{record['seconds']:.1f} s (seed {record['settings']['random_state']})\n"
        f"Hypervolume above chance: {record['hypervolume_above_chance']:.4f} of 1",
        highlight=False,
    )
    console.print(f"Run folder: {run.path}", highlight=False, markup=False, soft_wrap=True)


def _outstanding(front: Front) -> list[tuple[int, str]]:
    """Give the best model of each objective, and compromises that stand for the rest."""
    rows = [
        (front.best(str(name)), f"best {OBJECTIVE_NAMES[str(name)].short}")
        for name in front.objectives
    ]
    rows.append((front.balanced(), "balanced"))
    shown = {i for i, _ in rows}
    spread = front.spread(len(shown) + COMPROMISES)
    return rows + [(int(i), "compromise") for i in spread if i not in shown][:COMPROMISES]
