"""`moselect tune`: search over models and hyper-parameters, in the run folder of a search."""

import shlex
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from msgspec.json import decode

import moselect
from moselect.cli.files import costs_for, save_figure
from moselect.cli.options import (
    Binning,
    Bins,
    Categorical,
    ClassCosts,
    Group,
    Json,
    LeaveOut,
    Names,
    Order,
    Quiet,
    Read,
    Target,
    Time,
    Weight,
    WeightType,
    data_argument,
    option,
    stated,
    table_of,
)
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


def tune(
    data: Annotated[
        str,
        data_argument(
            "A bundled name (boston), openml:ID, or a CSV, .xlsx or Parquet file, which is "
            "searched first; or a run folder, to tune on its data and folds, or to resume.",
            "DATA|RUN",
        ),
    ],
    models: Annotated[
        Names,
        option(
            "Models to tune, separated by commas, such as lightgbm,random_forest,ensemble; by "
            "default gradient_boosting,random_forest. An unknown name lists all.",
            read=names,
        ),
    ] = None,
    trials: Annotated[
        int | None, option("Number of trials of all models; by default 100.", min=1)
    ] = None,
    objectives: Annotated[
        Names,
        option(
            "Objectives, separated by commas: accuracy,one_minus_mae,vus by default, or cost "
            "with --class-costs.",
            read=names,
        ),
    ] = None,
    class_costs: ClassCosts = None,
    seconds: Annotated[
        float | None, option("Time limit: no further trials begin.")
    ] = None,
    out: Annotated[
        Path | None, option("Run folder; by default a new one in runs/.")
    ] = None,
    seed: Annotated[
        int | None,
        option("Random seed, for reproducible results; by default a new one.", min=0),
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
    weight_type: WeightType = None,
    group: Group = None,
    time: Time = None,
    reading: Read = None,
) -> None:
    """Tune models by cross-validated objectives; select takes one: --candidates tuned.

    Trials are saved in the run folder. Given this folder, the command resumes, by default
    with the same models, number of trials, objectives and costs.
    """
    terminal = Terminal(quiet=quiet or json)
    loaded_by = table_of(locals())
    run = Path(data)
    if not (run / RECORD).is_file():
        import numpy as np

        from moselect.tuning.spaces import spaces_of

        check_source(data)
        # A missing package or an unknown model is an error before the search.
        spaces_of(models or DEFAULTS["models"], np.arange(2))
        settings = stated(random_state=seed, n_jobs=jobs)
        run = begin(data, loaded_by, settings, {}, out, False, terminal)
    elif loaded_by or out is not None or seed is not None:
        raise ValueError(
            "options for reading data and --seed need DATA: a run folder already has them"
        )
    with terminal.progress(f"reading {run}") as show, hold(run / TRIALS):
        from moselect.io.kept import cached_selector
        from moselect.io.tables import as_csv
        from moselect.tuning.trials import ERROR, Trials
        from moselect.tuning.tuning import objectives_of

        document = run / f"{TRIALS}.json"
        earlier = decode(document.read_bytes()) if document.exists() else {}
        given_now = stated(
            models=models, trials=trials, objectives=objectives, class_costs=class_costs
        )
        # Options win over those of an earlier call, whose trials are kept.
        settings = DEFAULTS | earlier | given_now
        # Trials have the samples and folds of the search, so that one picture holds both fronts.
        searched = moselect.io.read_run(run)
        front = searched.front
        _, selector, _ = cached_selector(searched, None, show, jobs)
        costs = costs_for(searched, settings["class_costs"])
        selector.objectives = objectives_of(
            settings["objectives"], front.classes, searched.scale, costs
        )

        def report(done: int, total: int) -> None:
            show(f"tuning: {done} of {total} trials", done, total)

        tuning = Trials(selector, settings["models"], run / TRIALS)
        # The settings are known to be valid, and a killed command goes on with them.
        write_file(document, as_json(settings))
        tuning.run(settings["trials"], seconds, jobs, report)
        best = tuning.front
        table = tuning.table.rename_axis("trial")
        write_file(run / f"{TRIALS}.csv", as_csv(table.reset_index()))
    failures = table["failure"].dropna()
    n_pruned = int((table["state"] == "PRUNED").sum())
    measures = [objective.name for objective in selector.objectives]
    if json:
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
