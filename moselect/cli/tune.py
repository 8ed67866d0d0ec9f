"""`moselect tune`: search over models and hyper-parameters, in the run folder of a search."""

import shlex
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.json import decode

import moselect
from moselect.cli.files import save_figure
from moselect.cli.options import (
    ClassCosts,
    Jobs,
    Names,
    Seconds,
    Seed,
    data_argument,
    option,
)
from moselect.cli.requests import TableRequest, UsageError, usage_errors
from moselect.cli.search_run import begin
from moselect.cli.terminal import INTERRUPTED, Terminal
from moselect.datasets.sources import check_source
from moselect.io.atomic import hold, write_file
from moselect.io.documents import as_json
from moselect.io.run_record import FIGURES, RECORD, TRIALS
from moselect.listing import measured, names

DEFAULTS = {
    "models": ["gradient_boosting", "random_forest"],
    "trials": 100,
    "objectives": None,
    "class_costs": None,
}


class TuneRequest(TableRequest, frozen=True, kw_only=True):
    """Options of `moselect tune`."""

    data: Annotated[
        str,
        data_argument(
            "A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file, which is "
            "searched first; or a run folder, to tune on its data and folds, or to resume.",
            "DATA|RUN",
        ),
    ]
    models: Annotated[
        Names,
        option(
            "Models to tune, separated by commas, such as lightgbm,random_forest,ensemble; by "
            "default gradient_boosting,random_forest. An unknown name lists all.",
            read=names,
        ),
    ] = None
    trials: Annotated[
        int | None, option("Number of trials of all models; by default 100.", min=1)
    ] = None
    objectives: Annotated[
        Names,
        option(
            "Objectives, separated by commas: accuracy,one_minus_mae,vus by default, or cost "
            "with --class-costs.",
            read=names,
        ),
    ] = None
    class_costs: ClassCosts = None
    seconds: Seconds = None
    out: Annotated[Path | None, option("Run folder; by default a new one in runs/.")] = (
        None
    )
    random_state: Seed = None
    n_jobs: Jobs = None


def tune(request: TuneRequest) -> None:
    """Tune models by cross-validated objectives; select takes one: --candidates tuned.

    Trials are saved in the run folder. Given this folder, the command resumes, by default
    with the same models, number of trials, objectives and costs.
    """
    terminal = Terminal(quiet=request.quiet or request.json)
    run = Path(request.data)
    if not (run / RECORD).is_file():
        run = _search(request, terminal)
    elif request.loaded_by or request.given("out", "random_state"):
        raise UsageError(
            "options for reading data and --seed need DATA: a run folder already has them"
        )
    with terminal.progress(f"reading {run}") as show, hold(run / TRIALS):
        from moselect.io.kept import cached_selector
        from moselect.io.tables import as_csv
        from moselect.tuning.trials import ERROR, Trials
        from moselect.tuning.tuning import objectives_of

        document = run / f"{TRIALS}.json"
        earlier = decode(document.read_bytes()) if document.exists() else {}
        # Options win over those of an earlier call, whose trials are kept.
        settings = DEFAULTS | earlier | request.given(*DEFAULTS)
        # Trials have the samples and folds of the search, so that one picture holds both fronts.
        searched = moselect.io.read_run(run)
        front = searched.front
        _, selector, _ = cached_selector(searched, None, show, request.n_jobs)
        stated = msgspec.structs.replace(request, class_costs=settings["class_costs"])
        selector.objectives = objectives_of(
            settings["objectives"],
            front.classes,
            searched.scale,
            stated.costs_for(searched),
        )

        def report(done: int, total: int) -> None:
            show(f"tuning: {done} of {total} trials", done, total)

        tuning = Trials(selector, settings["models"], run / TRIALS)
        # The settings are known to be valid, and a killed command goes on with them.
        write_file(document, as_json(settings))
        tuning.run(settings["trials"], request.seconds, request.n_jobs, report)
        best = tuning.front
        table = tuning.table.rename_axis("trial")
        write_file(run / f"{TRIALS}.csv", as_csv(table.reset_index()))
    failures = table["failure"].dropna()
    n_pruned = int((table["state"] == "PRUNED").sum())
    measures = [objective.name for objective in selector.objectives]
    if request.json:
        terminal.print_json(
            {
                "run": str(run),
                "n_trials": len(table),
                "front": best,
                "n_pruned": n_pruned,
                "failures": dict(failures),
            }
        )
    lines = [
        [str(name), *(measured(row[each], row[f"{each}{ERROR}"]) for each in measures)]
        for name, row in best.iterrows()
    ]
    labels = [objective.label for objective in selector.objectives]
    terminal.print_table(["trial", *labels], lines)
    terminal.print(
        f"{len(best)} of {len(table)} trials are not dominated, {n_pruned} were pruned."
    )
    for name, failure in failures.items():
        terminal.inform(f"{name} failed: {failure}")
    terminal.print(
        f"Next: moselect select {shlex.quote(str(run))} --candidates tuned",
        soft_wrap=True,
    )
    fronts = {"trials": best[measures]}
    if front.expected is not None and {*measures} <= {*front.expected}:
        fronts["linear models"] = front.expected[measures]
    (run / FIGURES).mkdir(exist_ok=True)
    with suppress(ValueError):  # fewer than two objectives
        figure = moselect.plots.pairwise_fronts(fronts)
        save_figure(figure, run / FIGURES / "trials.png")
    if tuning.interrupted:
        raise SystemExit(INTERRUPTED)


def _search(request: TuneRequest, terminal: Terminal) -> Path:
    """Search the front of a table first, and return the run folder."""
    import numpy as np

    from moselect.tuning.spaces import spaces_of

    check_source(request.data)
    # A missing package or an unknown model is an error before the search.
    with usage_errors():
        spaces_of(request.models or DEFAULTS["models"], np.arange(2))
    settings = request.given("random_state", "n_jobs")
    return begin(request.data, request, settings, terminal)
