"""`moselect search`: load, search with a progress line, write."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from moselect.cli.figures import print_summary
from moselect.cli.options import (
    PREPARATION,
    SEARCH,
    TABLE,
    Data,
    Json,
    Quiet,
    option,
    settings_of,
    table_of,
    with_options,
)
from moselect.cli.terminal import INTERRUPTED, Show, Terminal, short
from moselect.datasets.sources import check_source
from moselect.listing import in_one_line
from moselect.search.settings import checked_settings, preset_settings

if TYPE_CHECKING:  # slow to import
    from moselect.datasets import Dataset
    from moselect.search import ParetoSearch, SearchProgress
    from moselect.storage import Checkpoints

SECONDS_BETWEEN_UPDATES = 0.25


@with_options(TABLE, PREPARATION, SEARCH)
def search(
    data: Data = None,
    preset: Annotated[
        Literal["waegeman2008"] | None, option("Settings of a publication.")
    ] = None,
    out: Annotated[
        Path | None, option("Run folder; by default a new one in runs/.")
    ] = None,
    force: Annotated[bool, option("Replace the run folder.", "--force")] = False,
    resume: Annotated[
        Path | None, option("Go on with the search in this run folder.")
    ] = None,
    quiet: Quiet = False,
    json: Json = False,
    **options: Any,
) -> None:
    """Search the front of models of DATA, and keep it in a run folder."""
    if data is not None:
        check_source(data)
    elif resume is None:
        raise ValueError(
            "say what to search: a file, or a name that moselect datasets lists"
        )
    loaded_by, prepared = table_of(options)
    settings = ({} if preset is None else preset_settings(preset)) | settings_of(options)
    terminal = Terminal(quiet=quiet, json=json)
    if resume is None:
        assert data is not None
        _begin(data, loaded_by, settings, prepared, out, force, terminal)
        return
    n_jobs = settings.pop("n_jobs", None)
    if settings or prepared or out or force or any(loaded_by.values()):
        raise ValueError(
            "--resume goes on as the search began: give it DATA, --jobs, --quiet or --json only"
        )
    _go_on(resume, data, n_jobs, terminal)


def _begin(
    data: str,
    loaded_by: dict[str, Any],
    settings: dict[str, Any],
    prepared: dict[str, Any],
    out: Path | None,
    force: bool,
    terminal: Terminal,
) -> None:
    """Search the front of a table; ``prepared`` are settings of its preparation."""
    from moselect._kernels import compile_ahead

    with ExitStack() as held:
        with terminal.progress(f"reading {data}") as show, compile_ahead():
            import numpy as np  # while kernels are compiled, as all that is slow to import

            from moselect.columns import Preparation
            from moselect.datasets import load_dataset
            from moselect.search import ParetoSearch
            from moselect.storage.checkpoints import begin_run
            from moselect.storage.lock import check_run_path, claim_new_run, claim_run

            if prepared:
                seed = settings.get("random_state")
                settings["prepare"] = Preparation(random_state=seed, **prepared)
            search = ParetoSearch(**settings)
            checked_settings(search)
            if out is not None:
                check_run_path(out, force=force)
            dataset = load_dataset(data, **loaded_by)
            if search.random_state is None:
                seed = int(np.random.SeedSequence().generate_state(1)[0])
                search.set_params(random_state=seed)
            search.set_params(labels=dataset.labels)
            loaded_by = {"source": data, **loaded_by}
            name = dataset.name.replace(":", "-")
            claim = claim_new_run(name) if out is None else claim_run(out, force=force)
            path = held.enter_context(claim)
            with begin_run(path, search, dataset, loaded_by) as checkpoints:
                seconds = _fit(search, dataset, checkpoints, terminal, show)
        _write(path, search, dataset, seconds, loaded_by, terminal)


def _go_on(path: Path, data: str | None, n_jobs: int | None, terminal: Terminal) -> None:
    """Go on with the search in a run folder; ``data`` says where its table is now."""
    from moselect.storage import Checkpoints, read_run, search_of
    from moselect.storage.lock import hold
    from moselect.storage.run_record import (
        UNFINISHED,
        load_recorded,
        read_unfinished,
        warn_of_versions,
    )

    with hold(path):
        record = read_unfinished(path)
        if record is None:
            terminal.say(f"The search in '{path}' has ended: nothing is left to do.")
            print_summary(read_run(path), terminal)
            return
        with terminal.progress("reading the data") as show:
            way = f"moselect search DATA --resume {path}"
            dataset = load_recorded(record, data, way)
            warn_of_versions(record)
            search = search_of(record, n_jobs=n_jobs, labels=dataset.labels)
            checkpoints = Checkpoints(path / UNFINISHED)
            seconds = _fit(search, dataset, checkpoints, terminal, show)
        loaded_by = record["data"]["loaded_by"] | ({"source": data} if data else {})
        _write(path, search, dataset, seconds, loaded_by, terminal)


def _introduce(dataset: Dataset, terminal: Terminal) -> None:
    from moselect._kernels import compiled

    counts = dataset.y.value_counts()
    classes = " < ".join(
        f"{short(label)}: {counts.get(label, 0):,}" for label in dataset.labels
    )
    terminal.messages.print(
        f"{short(dataset.name)}: {len(dataset.X):,} rows · {classes} · {dataset.X.shape[1]} columns"
    )
    for note in dataset.notes:
        terminal.say(note)
    if "groups" in dataset.roles:
        terminal.warn_of_few_groups(dataset.roles["groups"].nunique())
    if not compiled():
        terminal.say("Compiling the kernels: once on this machine, some seconds ...")


def _fit(
    search: ParetoSearch,
    dataset: Dataset,
    checkpoints: Checkpoints,
    terminal: Terminal,
    show: Show,
) -> float:
    """Fit, and show how far all runs together are; gives the seconds that it took."""
    from moselect._kernels.compilation import watch_compiling
    from moselect.search.progress import quick_hypervolume

    _introduce(dataset, terminal)
    n_rows = int(len(dataset.X) * (1.0 - (search.holdout or 0.0))) - 1  # with rounding
    shown_at = [0.0]  # the time of the last update, from any thread

    def report(progress: SearchProgress) -> None:
        if (
            not terminal.is_live
            or time.perf_counter() < shown_at[0] + SECONDS_BETWEEN_UPDATES
        ):
            return
        shown_at[0] = time.perf_counter()
        done, budget = progress.n_evaluations, progress.budget
        sample = f" on {progress.n_samples:,} rows" if progress.n_samples < n_rows else ""
        volume = quick_hypervolume(progress)
        words = f"{done:,} evaluations, hypervolume {volume:.4f}{sample}"
        show(
            words if budget is None or done < budget else f"{words}; folds", done, budget
        )

    started = time.perf_counter()
    show("searching")
    with watch_compiling(lambda n: show(f"compiling the kernels ({n} done)")):
        search.fit(
            dataset.X,
            dataset.y,
            callback=report,
            checkpoints=checkpoints,
            **dataset.roles,
        )
    return time.perf_counter() - started


def _write(
    path: Path,
    search: ParetoSearch,
    dataset: Dataset,
    seconds: float,
    loaded_by: dict[str, Any],
    terminal: Terminal,
) -> None:
    """Write what was found, say what is odd about the table, and print a summary."""
    import numpy as np

    from moselect.cli.report import draw_front
    from moselect.columns.leaks import group_remarks, leak_remarks
    from moselect.columns.steps import summaries
    from moselect.labels import encode_labels
    from moselect.search.parallel_runs import stop_on_interrupt
    from moselect.storage import write_run
    from moselect.storage.checkpoints import end_run
    from moselect.storage.run_record import holds_finished_run

    front = search.front_
    codes = encode_labels(dataset.y, np.array(dataset.labels))
    for summary in summaries(front.columns):
        terminal.say(summary)
    remarks = leak_remarks(dataset.X, codes, front.columns)
    if "groups" not in dataset.roles:
        remarks += group_remarks(dataset.X)
    for remark in remarks:
        terminal.messages.print(in_one_line(remark))
    if search.interrupted_:
        keeps = holds_finished_run(path)
        front_kept = (
            "the run that was there stays" if keeps else "the front so far is kept"
        )
        terminal.say(f"Interrupted: {front_kept}. Go on: moselect search --resume {path}")
        if keeps:
            raise SystemExit(INTERRUPTED)
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
        if search.interrupted_:
            raise SystemExit(INTERRUPTED)
        end_run(path)
