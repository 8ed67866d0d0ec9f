"""`moselect search`: load, search with a progress bar, write, summarise."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from moselect._kernels import compiled
from moselect.cli.cluster import dask_cluster
from moselect.cli.pictures import draw_pictures
from moselect.cli.summary import print_summary, print_summary_json
from moselect.cli.terminal import Terminal, short
from moselect.columns import Preparation
from moselect.datasets import Dataset, load_dataset
from moselect.search import (
    NO_LIMIT,
    ParetoSearch,
    SearchProgress,
    SearchSettings,
    quick_hypervolume,
    stop_on_interrupt,
)
from moselect.storage import (
    Checkpoints,
    Run,
    begin_run,
    check_data,
    check_run_path,
    checkpoints_of,
    claim_new_run,
    claim_run,
    end_run,
    hold_folder,
    read_run,
    read_unfinished,
    search_of,
    warn_of_versions,
    write_run,
)

SECONDS_BETWEEN_UPDATES = 0.25


def run_search(
    data: str | None,
    source: dict[str, Any],
    settings: dict[str, Any],
    out: Path | None,
    force: bool,
    dask: str | None,
    terminal: Terminal,
) -> None:
    """Do the whole job of `moselect search`; ``source`` and ``settings`` are what was asked for."""
    if data is None:
        raise ValueError(
            "say what to search: a CSV or Parquet file, or a name that moselect datasets lists"
        )
    search = ParetoSearch(**settings)
    SearchSettings.of(search.get_params())
    if out is not None:
        check_run_path(out, force=force)
    dataset = load_dataset(data, **source)
    if search.random_state is None:
        search.set_params(random_state=int(np.random.SeedSequence().generate_state(1)[0]))
    search.set_params(labels=dataset.labels)
    loaded_by = {"source": data, **source}
    _introduce(dataset, terminal)
    name = dataset.name.replace(":", "-")
    with claim_new_run(name) if out is None else claim_run(out, force=force) as path:
        with begin_run(path, search, dataset, loaded_by) as checkpoints:
            seconds = _fit(search, dataset, checkpoints, dask, terminal)
        _finish(path, search, dataset, seconds, loaded_by, terminal)


def resume_search(
    path: Path,
    data: str | None,
    source: dict[str, Any],
    settings: dict[str, Any],
    dask: str | None,
    terminal: Terminal,
) -> None:
    """Go on with the search in a run folder; what is asked for must be what it began with."""
    if read_unfinished(path) is not None:
        with hold_folder(path):
            record = read_unfinished(path)  # another process may have ended it meanwhile
            if record is not None:
                _go_on(path, record, data, source, settings, dask, terminal)
                return
    run = read_run(path)
    _check_same(path, run.record, source, {k: v for k, v in settings.items() if k != "n_jobs"})
    terminal.say(f"The search in '{path}' has ended: nothing is left to do.")
    _summarise(run, terminal)


def _check_same(
    path: Path, record: dict[str, Any], source: dict[str, Any], settings: dict[str, Any]
) -> None:
    """Raise ValueError if another search is asked for than the one that began."""
    loaded_by = record["data"]["loaded_by"]
    for asked, begun_with in ((source, loaded_by), (settings, record["settings"])):
        for name, value in asked.items():
            if isinstance(value, Preparation):
                same = _same_preparation(value, begun_with.get(name))
            else:
                same = value is None or value == begun_with.get(name)
            if not same:
                raise ValueError(
                    f"the search in '{path}' began with {name} = {begun_with.get(name)}, "
                    f"not {value}: leave that option out, or begin anew (--out)"
                )


def _go_on(
    path: Path,
    record: dict[str, Any],
    data: str | None,
    source: dict[str, Any],
    settings: dict[str, Any],
    dask: str | None,
    terminal: Terminal,
) -> None:
    n_jobs = settings.pop("n_jobs", None)
    loaded_by = {**record["data"]["loaded_by"]}
    _check_same(path, record, source, settings)
    if data is not None:
        loaded_by["source"] = data
    if loaded_by.get("source") is None:
        raise ValueError(f"'{path}' does not say where its data are: name them before --resume")
    dataset = load_dataset(**loaded_by)
    check_data(record, dataset)
    warn_of_versions(record)
    search = search_of(record, n_jobs=n_jobs, labels=dataset.labels)
    _introduce(dataset, terminal)
    seconds = _fit(search, dataset, checkpoints_of(path), dask, terminal)
    _finish(path, search, dataset, seconds, loaded_by, terminal)


def _same_preparation(asked: Preparation, recorded: Any) -> bool:
    names = ("drop", "keep", "categorical")
    return isinstance(recorded, dict) and all(
        list(getattr(asked, name)) == recorded[name] for name in names
    )


def _introduce(dataset: Dataset, terminal: Terminal) -> None:
    classes = ", ".join(short(label) for label in dataset.labels)
    terminal.messages.print(
        f"{short(dataset.name)}: {len(dataset.X):,} rows, {dataset.X.shape[1]} features, "
        f"target {short(dataset.target)} with classes {classes}"
    )
    for note in dataset.notes:
        terminal.say(note)
    if not compiled():
        terminal.say("Compiling the kernels: once on this machine, some seconds ...")


def _fit(
    search: ParetoSearch,
    dataset: Dataset,
    checkpoints: Checkpoints,
    dask: str | None,
    terminal: Terminal,
) -> float:
    """Fit with a progress bar over all runs together; gives the seconds that it took."""
    lock = threading.Lock()
    next_update = 0.0
    n_rows = int(len(dataset.X) * (1.0 - (search.holdout or 0.0))) - 1  # with rounding
    bar = terminal.progress("{task.completed:,.0f} evaluations, {task.fields[found]}")

    def show(progress: SearchProgress) -> None:
        nonlocal next_update
        with lock:
            if time.perf_counter() < next_update:
                return
            next_update = time.perf_counter() + SECONDS_BETWEEN_UPDATES
        volume = quick_hypervolume(progress.points, progress.chance)
        sample = f" on {progress.n_samples:,} rows" if progress.n_samples < n_rows else ""
        bar.update(
            task,
            total=None if progress.budget >= NO_LIMIT else progress.budget,
            completed=progress.n_evaluations,
            found=f"hypervolume {volume:.4f}{sample}",
        )

    started = time.perf_counter()
    with bar, dask_cluster(dask):
        task = bar.add_task("", total=None, found="starting")
        search.fit(dataset.X, dataset.y, callback=show, checkpoints=checkpoints)
    seconds = time.perf_counter() - started
    columns = search.front_.columns
    if columns is not None and isinstance(columns.steps[0][1], Preparation):
        terminal.say(columns.steps[0][1].summary)
    terminal.say("")
    return seconds


def _finish(
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
            draw_pictures(run)
        except OSError as error:
            raise OSError(
                f"the run could not be written to '{path}' ({error}): make room and go on, "
                f"moselect search --resume {path}"
            ) from error
        if not search.interrupted_:
            end_run(path)
    _summarise(run, terminal)


def _summarise(run: Run, terminal: Terminal) -> None:
    (print_summary_json if terminal.json else print_summary)(run, terminal)
