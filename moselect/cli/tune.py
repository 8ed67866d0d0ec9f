"""`moselect tune`: search over models and hyper-parameters, in the run folder of a search."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import moselect
from moselect.cli.options import (
    Binning,
    Bins,
    Categorical,
    ClassCosts,
    Group,
    Json,
    LeaveOut,
    Order,
    Quiet,
    Read,
    Target,
    Time,
    Weight,
    data_argument,
    option,
    stated,
    table_of,
)
from moselect.cli.pictures import save_figure
from moselect.cli.run_fits import fits_of
from moselect.cli.search_run import begin
from moselect.cli.terminal import INTERRUPTED, Terminal
from moselect.cli.values import names
from moselect.datasets.sources import check_source
from moselect.io.atomic import make_folder, write_file
from moselect.io.lock import hold
from moselect.io.run_record import FIGURES, RECORD, TRIALS
from moselect.listing import in_one_line, measured


def tune(
    data: Annotated[
        str,
        data_argument(
            "A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file, which is "
            "searched first; or a run folder, to tune on its data and folds, or to go on.",
            "DATA|RUN",
        ),
    ],
    models: Annotated[
        Any,
        option(
            "Models to tune, separated by commas, such as lightgbm,random_forest,ensemble. An "
            "unknown name lists all.",
            read=names,
        ),
    ] = ("gradient_boosting", "random_forest"),
    trials: Annotated[int, option("Number of trials of all models.", min=1)] = 100,
    objectives: Annotated[
        Any,
        option(
            "Objectives, separated by commas: accuracy,one_minus_mae,vus by default, or cost "
            "with --class-costs.",
            read=names,
        ),
    ] = None,
    class_costs: ClassCosts = None,
    seconds: Annotated[
        float | None, option("Time after which no further trials begin.")
    ] = None,
    out: Annotated[
        Path | None, option("Run folder; by default a new one in runs/.")
    ] = None,
    seed: Annotated[
        int | None, option("Same seed, same front; random by default.", min=0)
    ] = None,
    jobs: Annotated[int | None, option("Processes to fit with.")] = None,
    quiet: Quiet = False,
    json: Json = False,
    target: Target = None,
    order: Order = None,
    bins: Bins = None,
    binning: Binning = None,
    leave_out: LeaveOut = None,
    categorical: Categorical = None,
    weight: Weight = None,
    group: Group = None,
    time: Time = None,
    reading: Read = None,
) -> None:
    """Tune models by cross-validated objectives; select takes one: --candidates tuned.

    Each trial is kept in the run folder: the same command with this folder goes on.
    """
    terminal = Terminal(quiet=quiet, json=json)
    loaded_by = table_of(
        target, order, bins, binning, leave_out, categorical, weight, group, time, reading
    )
    run = Path(data)
    if not (run / RECORD).is_file():
        check_source(data)
        settings = stated(random_state=seed, n_jobs=jobs)
        silent = Terminal(quiet=quiet or json)
        run = begin(data, loaded_by, settings, {}, out, False, silent)
    elif loaded_by or out is not None or seed is not None:
        raise ValueError(
            "a run folder says how its data are read, and its seed: give options with DATA"
        )
    with terminal.progress(f"reading {run}") as show, hold(run / TRIALS):
        from moselect.io.tables import as_csv
        from moselect.metrics import Costs
        from moselect.tuning.trials import ERROR
        from moselect.tuning.tuning import objectives_of, tuned_trials

        searched = moselect.io.read_run(run)
        front = searched.front
        _, selector, _ = fits_of(searched, None, show, jobs)
        scale = searched.scale
        costs = None
        if class_costs is not None:
            costs = Costs(class_costs).for_seen(front.classes, scale)
        selector.objectives = objectives_of(objectives, front.classes, scale, costs)

        def report(done: int, total: int) -> None:
            show(f"tuning: {done} of {total} trials", done, total)

        tuning = tuned_trials(
            selector,
            models,
            trials,
            run / TRIALS,
            timeout=seconds,
            n_jobs=jobs,
            report=report,
        )
        best = tuning.front
        table = tuning.table.rename_axis("trial").reset_index()
        write_file(run / f"{TRIALS}.csv", as_csv(table), follow=False)
    if terminal.json:
        about = {"run": str(run), "n_trials": len(table), "front": best}
        terminal.print_json(about | {"failures": tuning.failures})
    else:
        shown = terminal.table(
            "trial", *(objective.label for objective in selector.objectives)
        )
        for name, row in best.iterrows():
            cells = [measured(row[key], row[f"{key}{ERROR}"]) for key in tuning.chance]
            shown.add_row(str(name), *cells)
        terminal.print(shown)
        terminal.print(f"{len(best)} of {len(table)} trials are not dominated.")
        for name, failure in tuning.failures.items():
            terminal.say(in_one_line(f"{name} failed: {failure}"))
        terminal.print(
            f"Next: moselect select {shlex.quote(str(run))} --candidates tuned",
            soft_wrap=True,
        )
    names_of = [*tuning.chance]
    fronts = {"trials": best[names_of]}
    if front.expected is not None and {*names_of} <= {*front.expected}:
        fronts["linear models"] = front.expected[names_of]
    make_folder(run / FIGURES)
    with suppress(ValueError):  # fewer than two objectives
        figure = moselect.plots.pairwise_fronts(fronts)
        save_figure(figure, run / FIGURES / "trials.png")
    if tuning.interrupted:
        raise SystemExit(INTERRUPTED)
