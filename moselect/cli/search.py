"""`moselect search`: load, search with a progress bar, write, summarise."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from moselect._kernels import compiled
from moselect._kernels.compilation import watch_compiling
from moselect.cli.commands.report import draw_front
from moselect.cli.summary import print_summary
from moselect.cli.terminal import Terminal, short
from moselect.columns import Preparation
from moselect.columns.leaks import leak_remarks
from moselect.columns.steps import summaries
from moselect.datasets import Dataset, load_dataset
from moselect.labels import encode_labels
from moselect.listing import in_one_line
from moselect.search import ParetoSearch, SearchProgress
from moselect.search.parallel_runs import stop_on_interrupt
from moselect.search.progress import quick_hypervolume
from moselect.search.settings import checked_settings
from moselect.storage import Checkpoints, claim_run, read_run, search_of, write_run
from moselect.storage.checkpoints import begin_run, end_run
from moselect.storage.lock import check_run_path, claim_new_run, hold
from moselect.storage.run_record import (
    UNFINISHED,
    load_recorded,
    read_unfinished,
    warn_of_versions,
)

SECONDS_BETWEEN_UPDATES = 0.25


def run_search(
    data: str,
    source: dict[str, Any],
    settings: dict[str, Any],
    prepared: dict[str, Any],
    out: Path | None,
    force: bool,
    terminal: Terminal,
) -> None:
    """Search the front of a table and write it; ``prepared`` are settings of its preparation."""
    if prepared:
        settings["prepare"] = Preparation(random_state=settings.get("random_state"), **prepared)
    if "categorical" in prepared:
        source["categorical"] = prepared["categorical"]
    search = ParetoSearch(**settings)
    checked_settings(search)
    if out is not None:
        check_run_path(out, force=force)
    dataset = load_dataset(data, **source)
    if search.random_state is None:
        search.set_params(random_state=int(np.random.SeedSequence().generate_state(1)[0]))
    search.set_params(labels=dataset.labels)
    loaded_by = {"source": data, **source}
    name = dataset.name.replace(":", "-")
    with claim_new_run(name) if out is None else claim_run(out, force=force) as path:
        with begin_run(path, search, dataset, loaded_by) as checkpoints:
            seconds = _fit(search, dataset, checkpoints, terminal)
        _write(path, search, dataset, seconds, loaded_by, terminal)


def resume_search(path: Path, data: str | None, n_jobs: int | None, terminal: Terminal) -> None:
    """Go on with the search in a run folder; ``data`` says where its table is now."""
    if read_unfinished(path) is not None:
        with hold(path):
            record = read_unfinished(path)  # another process may have ended it meanwhile
            if record is not None:
                dataset = load_recorded(record, data, f"moselect search DATA --resume {path}")
                loaded_by = record["data"]["loaded_by"] | ({"source": data} if data else {})
                warn_of_versions(record)
                search = search_of(record, n_jobs=n_jobs, labels=dataset.labels)
                seconds = _fit(search, dataset, Checkpoints(path / UNFINISHED), terminal)
                _write(path, search, dataset, seconds, loaded_by, terminal)
                return
    terminal.say(f"The search in '{path}' has ended: nothing is left to do.")
    print_summary(read_run(path), terminal)


def _introduce(dataset: Dataset, terminal: Terminal) -> None:
    counts = dataset.y.value_counts()
    classes = " < ".join(f"{short(label)}: {counts.get(label, 0):,}" for label in dataset.labels)
    terminal.messages.print(
        f"{short(dataset.name)}: {len(dataset.X):,} rows · {classes} · {dataset.X.shape[1]} columns"
    )
    for note in dataset.notes:
        terminal.say(note)
    if not compiled():
        terminal.say("Compiling the kernels: once on this machine, some seconds ...")


def _fit(
    search: ParetoSearch, dataset: Dataset, checkpoints: Checkpoints, terminal: Terminal
) -> float:
    """Fit with a progress bar over all runs together; gives the seconds that it took."""
    _introduce(dataset, terminal)
    n_rows = int(len(dataset.X) * (1.0 - (search.holdout or 0.0))) - 1  # with rounding
    bar = terminal.progress("{task.completed:,.0f} evaluations, {task.fields[found]}")
    task = bar.add_task("", total=None, found="starting")
    shown_at = [0.0]  # the time of the last update, from any thread

    def show(progress: SearchProgress) -> None:
        if bar.disable or time.perf_counter() < shown_at[0] + SECONDS_BETWEEN_UPDATES:
            return
        shown_at[0] = time.perf_counter()
        sample = f" on {progress.n_samples:,} rows" if progress.n_samples < n_rows else ""
        bar.update(
            task,
            total=progress.budget,
            completed=progress.n_evaluations,
            found=f"hypervolume {quick_hypervolume(progress):.4f}{sample}",
        )

    started = time.perf_counter()

    def tell(n_compiled: int) -> None:
        bar.update(task, found=f"compiling the kernels ({n_compiled} done)")

    with bar, watch_compiling(tell):
        search.fit(dataset.X, dataset.y, callback=show, checkpoints=checkpoints, **dataset.roles)
    seconds = time.perf_counter() - started
    front = search.front_
    accuracy = None if front.expected is None else front.expected.get("accuracy")
    leaks = leak_remarks(
        dataset.X,
        encode_labels(dataset.y, np.array(dataset.labels)),
        front.columns,
        0.0 if accuracy is None else accuracy.max(),
    )
    for summary in summaries(front.columns):
        terminal.say(summary)
    for leak in leaks:
        terminal.messages.print(in_one_line(leak))
    return seconds


def _write(
    path: Path,
    search: ParetoSearch,
    dataset: Dataset,
    seconds: float,
    loaded_by: dict[str, Any],
    terminal: Terminal,
) -> None:
    if search.interrupted_:
        terminal.say(
            f"Interrupted: keeping the front found so far. Go on: moselect search --resume {path}"
        )
    with stop_on_interrupt():  # a Ctrl-C that comes late must not cost the search
        try:
            run = write_run(path, search, dataset, seconds, loaded_by)
            print_summary(run, terminal)

            draw_front(path, run.front)  # while the summary is read
        except OSError as error:
            raise OSError(
                f"the run could not be written to '{path}' ({error}): make room and go on, "
                f"moselect search --resume {path}"
            ) from error
        if not search.interrupted_:
            end_run(path)
