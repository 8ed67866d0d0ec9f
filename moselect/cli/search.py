"""`moselect search`: load, search with a progress line, write."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from moselect.cli.options import (
    Binning,
    Bins,
    Categorical,
    ClassCosts,
    Data,
    Drop,
    Group,
    Ignore,
    Jobs,
    Json,
    Keep,
    LeaveOut,
    Missing,
    Names,
    Order,
    Quiet,
    Read,
    Seconds,
    Target,
    Time,
    UsageError,
    Weight,
    WeightType,
    option,
    stated,
    table_of,
    usage_errors,
)
from moselect.cli.parsers import directions, number
from moselect.cli.search_run import begin, fit, write
from moselect.cli.tables import print_summary
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import check_source
from moselect.listing import names
from moselect.metrics.objectives import DECLARED
from moselect.search.settings import DEFAULT_ITERATIONS, Columns, preset_settings


def search(
    data: Data = None,
    preset: Annotated[
        Literal["waegeman2008"] | None, option("Settings of a published paper.")
    ] = None,
    out: Annotated[
        Path | None, option("Run folder; by default a new one in runs/.")
    ] = None,
    force: Annotated[bool, option("Replace the run folder.", "--force")] = False,
    resume: Annotated[
        Path | None, option("Resume the search in this run folder.")
    ] = None,
    quiet: Quiet = False,
    json: Json = False,
    target: Target = None,
    order: Order = None,
    bins: Bins = None,
    binning: Binning = None,
    leave_out: LeaveOut = None,
    categorical: Categorical = None,
    weight: Weight = None,
    weight_type: WeightType = None,
    group: Group = None,
    time: Time = None,
    reading: Read = None,
    drop: Drop = None,
    keep: Keep = None,
    missing: Missing = None,
    objectives: Annotated[
        Names,
        option(
            f"Objectives, separated by commas: {', '.join(DECLARED)}, or a metric of select such "
            "as f1:severe; by default those of Waegeman et al. (2008).",
            read=names,
        ),
    ] = None,
    particles: Annotated[int | None, option("Particles per swarm.", min=1)] = None,
    runs: Annotated[int | None, option("Independent runs, merged.", min=1)] = None,
    evaluations: Annotated[
        int | None,
        option(
            "Maximum number of evaluations of all runs together; by default "
            f"{DEFAULT_ITERATIONS} per particle and run.",
            min=1,
        ),
    ] = None,
    seconds: Seconds = None,
    holdout: Annotated[
        float | None,
        option(
            "Share of rows to hold out for an evaluation of the front.",
            read=number(
                float, lambda share: 0.0 < share < 1.0, "a share between 0 and 1"
            ),
            metavar="FLOAT",
        ),
    ] = None,
    folds: Annotated[
        int | None,
        option(
            "Cross-validation folds; the search is repeated in each. 5 by default, 0 for none.",
            read=number(
                int, lambda folds: folds == 0 or folds > 1, "at least 2, or 0 for none"
            ),
            metavar="INTEGER",
        ),
    ] = None,
    class_costs: ClassCosts = None,
    columns: Annotated[
        Columns | None,
        option(
            "Inputs of the linear models: features, splines of them, or scores of other models."
        ),
    ] = None,
    monotone: Annotated[
        Mapping[str, int] | None,
        option(
            "Monotonic effects: predictions only rise (+) or only fall (-) with a column: "
            "age:+,income:-.",
            read=directions,
        ),
    ] = None,
    jobs: Jobs = None,
    seed: Annotated[
        int | None,
        option("Random seed, for reproducible results; by default a new one.", min=0),
    ] = None,
    ignore: Ignore = None,
) -> None:
    """Find the Pareto-optimal models for DATA, and save them in a run folder."""
    if data is not None:
        check_source(data)
    elif resume is None:
        raise UsageError("give a file, or a name listed by moselect datasets")
    loaded_by = table_of(locals())
    prepared = stated(drop=drop, keep=keep, categorical=categorical, missing=missing)
    settings = {} if preset is None else preset_settings(preset)
    settings |= stated(
        objectives=objectives,
        n_particles=particles,
        n_runs=runs,
        max_evaluations=evaluations,
        max_seconds=seconds,
        holdout=holdout,
        cv=folds,
        class_costs=class_costs,
        columns=columns,
        monotone=monotone,
        n_jobs=jobs,
        random_state=seed,
    )
    if folds == 0:
        settings["cv"] = None
    with usage_errors():
        terminal = Terminal(quiet=quiet, json=json, ignored=ignore or ())
    if resume is None:
        assert data is not None
        begin(data, loaded_by, settings, prepared, out, force, terminal)
        return
    n_jobs = settings.pop("n_jobs", None)
    if settings or prepared or out or force or loaded_by:
        raise UsageError(
            "--resume keeps the settings of the search: give DATA, --jobs, --quiet or --json only"
        )
    _go_on(resume, data, n_jobs, terminal)


def _go_on(path: Path, data: str | None, n_jobs: int | None, terminal: Terminal) -> None:
    """Resume the search in a run folder; ``data`` is the present path of its table."""
    from moselect.io import Checkpoints, read_run
    from moselect.io.atomic import hold
    from moselect.io.run_record import (
        UNFINISHED,
        load_recorded,
        read_unfinished,
        settings_of,
        warn_of_versions,
    )

    with hold(path):
        record = read_unfinished(path)
        if record is None:
            terminal.inform(
                f"The search in '{path}' is complete: there is nothing to resume."
            )
            print_summary(read_run(path), terminal)
            return
        with terminal.progress("reading the data") as show:
            way = f"moselect search DATA --resume {path}"
            dataset = load_recorded(record, data, way)
            warn_of_versions(record)
            settings = settings_of(record, n_jobs=n_jobs, labels=dataset.labels)
            checkpoints = Checkpoints(path / UNFINISHED)
            searched, seconds = fit(settings, dataset, checkpoints, terminal, show)
        loaded_by = record["data"]["loaded_by"] | ({"source": data} if data else {})
        write(path, searched, dataset, seconds, loaded_by, terminal)
