"""`moselect search`: load, search with a progress line, write."""

import shlex
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np

from moselect._kernels import compiled
from moselect._types import Document
from moselect.cli.options import DEFAULT_SEED
from moselect.cli.requests import usage_errors
from moselect.cli.table_requests import SearchRequest, TableRequest
from moselect.cli.terminal import INTERRUPTED, Show, Terminal, as_options, short
from moselect.datasets import Dataset, load_dataset
from moselect.io import Checkpoints, Run, read_run, write_run
from moselect.io.atomic import hold, write_file
from moselect.io.run_record import (
    FRONTS,
    RECORD,
    UNFINISHED,
    is_part_of_run,
    read_record,
    read_unfinished,
    settings_of,
    warn_of_versions,
)
from moselect.io.table_file import read_dataset
from moselect.io.tables import as_csv
from moselect.io.unfinished import (
    begin_run,
    check_run_path,
    claim_new_run,
    claim_run,
    end_run,
)
from moselect.listing import listing, rows_of
from moselect.metrics.objectives import objective_named
from moselect.preprocessing import Preparation
from moselect.preprocessing.steps import Steps
from moselect.report.members import figure_warnings
from moselect.search import Searched, SearchProgress, front_search
from moselect.search.parallel_runs import stop_on_interrupt
from moselect.search.settings import SearchSettings, checked_settings
from moselect.tables.date_formats import date_notes

READINGS = "columns.csv"  # of a run folder: how every column was read


def search(request: SearchRequest) -> None:
    """Search the front of a table, or resume a search."""
    terminal = request.terminal()
    if request.resume is not None:
        run = _go_on(request.resume, request.n_jobs, terminal)
    else:
        assert request.data is not None
        run = begin(request.data, request, request.settings, terminal)
    from moselect.cli.pictures import draw_front  # matplotlib, after the answer

    draw_front(run.path, run.front)


def _go_on(path: Path, n_jobs: int | None, terminal: Terminal) -> Run:
    """Resume the search in a run folder, which holds the rows of its table."""
    with hold(path):
        record = read_unfinished(path)
        if record is None:
            terminal.inform(
                f"The search in '{path}' is complete: there is nothing to resume."
            )
            run = read_run(path)
            print_summary(run, terminal)
            return run
        with terminal.progress("reading the data") as show:
            dataset = read_dataset(path / UNFINISHED, record)
            warn_of_versions(record)
            settings = settings_of(record, n_jobs=n_jobs, labels=dataset.labels)
            checkpoints = Checkpoints(path / UNFINISHED)
            searched, seconds = fit(settings, dataset, checkpoints, terminal, show)
        loaded_by = record["data"]["loaded_by"]
        return write(path, searched, dataset, seconds, loaded_by, terminal)


def begin(
    data: str,
    request: TableRequest,
    settings: Document,
    terminal: Terminal,
    dataset: Dataset | None = None,
) -> Run:
    """Search the front of a table, read it unless it is loaded, and return its run."""
    place = request.given("out", "force")
    out = place.get("out")
    force = "force" in place
    seed = settings.setdefault("random_state", DEFAULT_SEED)
    with ExitStack() as held:
        with terminal.progress(f"reading {data}") as show:
            if request.prepared:
                prepared = Preparation(random_state=seed, **request.prepared)
                settings["prepare"] = prepared
            with usage_errors():
                checked = checked_settings(SearchSettings(**settings))
                if out is not None:
                    check_run_path(out, force=force)
                    if is_part_of_run(Path(data), out):
                        raise ValueError(
                            f"'{data}' is a file of the run '{out}': move it"
                        )
            if dataset is None:
                dataset = load_dataset(data, **request.loaded_by)
            checked = replace(checked, labels=dataset.labels)
            loaded_by = {"source": data, **request.loaded_by}
            name = dataset.name.replace(":", "-")
            claim = claim_new_run(name) if out is None else claim_run(out, force=force)
            path = held.enter_context(claim)
            with begin_run(path, checked, dataset, loaded_by) as checkpoints:
                searched, seconds = fit(checked, dataset, checkpoints, terminal, show)
        return write(path, searched, dataset, seconds, loaded_by, terminal)


def print_notes(dataset: Dataset, terminal: Terminal) -> None:
    """Report how a table was read."""
    times = dataset.roles.get("times")
    dates = [] if times is None else date_notes(times)
    # Bins are classes that only their edges define.
    is_binned = dataset.y.attrs.get("bin_edges") is not None
    for note in (*dataset.notes, *dates):
        terminal.remark(note, recorded=is_binned)


def introduce(dataset: Dataset, terminal: Terminal) -> None:
    """Say which table is searched, and that kernels are compiled first."""
    size = rows_of(len(dataset.y), dataset.n_source_rows)
    repeated = dataset.counts
    if repeated is not None:
        size += f", which count as {repeated.sum():,}"
    counts = np.bincount(dataset.codes, repeated, len(dataset.labels))
    classes = " < ".join(
        f"{short(label)}: {count:,.0f}"
        for label, count in zip(dataset.labels, counts, strict=True)
    )
    n_columns = dataset.X.shape[1]
    terminal.inform(f"{short(dataset.name)}: {size} · {classes} · {n_columns} columns")
    print_notes(dataset, terminal)
    if not compiled():
        terminal.inform("Compiling the kernels: once on this machine, some seconds ...")


def fit(
    settings: SearchSettings,
    dataset: Dataset,
    checkpoints: Checkpoints,
    terminal: Terminal,
    show: Show,
) -> tuple[Searched, float]:
    """Search, and show how far all runs together are; gives the seconds that it took, too."""
    introduce(dataset, terminal)

    def report(progress: SearchProgress) -> None:
        done = progress.n_evaluations
        # A search begins on a sample of many rows, and ends with its folds.
        on = f"searching: {done:,} evaluations, {progress.n_samples:,} rows"
        show(on, done, progress.budget)

    started = time.perf_counter()
    show("searching")
    searched = front_search.search(
        dataset.X,
        dataset.y,
        settings,
        callback=report,
        checkpoints=checkpoints,
        **dataset.roles,
    )
    return searched, time.perf_counter() - started


def write(
    path: Path,
    searched: Searched,
    dataset: Dataset,
    seconds: float,
    loaded_by: Document,
    terminal: Terminal,
) -> Run:
    """Write the results, and print a summary."""
    front = searched.front
    columns = Steps.of(front.columns)
    for step in columns.steps:
        if step.summary:
            terminal.inform(step.summary)
    first = columns.first
    readings = first.readings
    if readings is None:  # numbers alone need no preparation
        readings = Preparation(keep=[*map(str, dataset.X)]).fit(dataset.X).readings
    if searched.interrupted:
        keeps = (path / RECORD).is_file() and not read_record(path)["interrupted"]
        front_kept = (
            "the earlier run is unchanged" if keeps else "the front so far is saved"
        )
        terminal.remark(
            f"Interrupted: {front_kept}. Resume it: moselect search --resume {path}"
        )
        if keeps:
            raise SystemExit(INTERRUPTED)
    with stop_on_interrupt():  # a Ctrl-C that comes late must not cost the search
        try:
            run = write_run(path, searched, dataset, seconds, loaded_by, terminal.remarks)
            readings = readings.rename(columns={"setting": "option"})
            # Not the dashes first, which spreadsheets take for a formula.
            options = readings["option"].map(as_options)
            readings["option"] = options.mask(options != "", "search " + options)
            write_file(path / READINGS, as_csv(readings))
            terminal.inform(
                f"Columns as read, with the options to change them: {path / READINGS}"
            )
            print_summary(run, terminal)
        except OSError as error:
            raise OSError(
                f"the run could not be written to '{path}' ({error.strerror}): make room and "
                f"resume it, moselect search --resume {path}"
            ) from error
        if searched.interrupted:
            raise SystemExit(INTERRUPTED)
        end_run(path)
    return run


def print_summary(run: Run, terminal: Terminal) -> None:
    """Print the size of the front, its compromise model, and the next command."""
    front = run.front
    record = run.record
    balanced = front.balanced()
    figures = front.figures_of(balanced)
    if terminal.json:
        warnings = figure_warnings(figures)
        about = {"balanced": balanced, "figures": figures, "warnings": warnings}
        terminal.print_json({"run": str(run.path), **record, **about})
        return
    measured = "training" if front.expected is None else "cross-validated"
    objectives = ", ".join(
        f"{objective_named(str(name)).label} {value:.3f}"
        for name, value in figures[measured].items()
    )
    terminal.print(
        f"Front of {len(front):,} model{'s' * (len(front) > 1)}, drawn in pairs of objectives in "
        f"{run.path / FRONTS}. Compromise model, {measured}: {objectives}."
    )
    costs = ",".join(str(k) for k in range(1, len(run.scale) + 1))
    classes = listing(map(short, run.scale), 6)
    path = shlex.quote(str(run.path))
    terminal.print(f"Next: state the cost of missing a case of each class ({classes})")
    terminal.print(f"  moselect select {path} --class-costs {costs}", soft_wrap=True)
    terminal.print(
        f"Saved in {run.path} · {record['n_evaluations']:,} evaluations · "
        f"seed {record['settings']['random_state']} · {record['seconds']:.1f} s",
        soft_wrap=True,
    )
