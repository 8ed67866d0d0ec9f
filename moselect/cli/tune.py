"""`moselect tune`: search over models and hyper-parameters, in the run folder of a search."""

import shlex
from pathlib import Path

import numpy as np

import moselect
from moselect.cli.requests import UsageError, usage_errors
from moselect.cli.search import begin
from moselect.cli.table_requests import TuneRequest
from moselect.cli.terminal import INTERRUPTED, Terminal
from moselect.inference.standard_errors import interval
from moselect.io.atomic import hold, write_file
from moselect.io.kept import cached_selector
from moselect.io.run_record import RECORD, TRIALS
from moselect.io.tables import as_csv
from moselect.listing import decimals_of, with_interval
from moselect.tuning.spaces import spaces_of
from moselect.tuning.trials import ERROR, Trials
from moselect.tuning.tuning import objectives_of

DEFAULT_MODELS = ("gradient_boosting", "random_forest")


def tune(request: TuneRequest) -> None:
    """Tune models in a run folder, or search a table first."""
    terminal = Terminal(quiet=request.quiet or request.json)
    run = Path(request.data)
    models = request.models or DEFAULT_MODELS
    if not (run / RECORD).is_file():
        # A missing package or an unknown model is an error before the search.
        with usage_errors():
            spaces_of(models, np.arange(2))
        settings = request.given("random_state", "n_jobs")
        run = begin(request.data, request, settings, terminal).path
    elif request.loaded_by or request.given("out", "random_state"):
        raise UsageError(
            "options for reading data and --seed need DATA: a run folder already has them"
        )
    with terminal.progress(f"reading {run}") as show, hold(run / TRIALS):
        # Trials have the samples and folds of the search, so that one picture holds both fronts.
        searched = moselect.io.read_run(run)
        _, selector, _ = cached_selector(searched, show, request.n_jobs)
        selector.objectives = objectives_of(
            request.objectives,
            searched.front.classes,
            searched.scale,
            request.costs_for(searched),
        )

        def report(done: int, total: int) -> None:
            show(f"tuning: {done} of {total} trials", done, total)

        tuning = Trials(selector, models, run / TRIALS)
        tuning.run(request.trials, request.seconds, request.n_jobs, report)
        best = tuning.front
        table = tuning.table.rename_axis("trial")
        write_file(run / f"{TRIALS}.csv", as_csv(table.reset_index()))
    failures = table["failure"].dropna()
    measures = [objective.name for objective in selector.objectives]
    if request.json:
        terminal.print_json(
            {
                "run": str(run),
                "n_trials": len(table),
                "front": best,
                "failures": dict(failures),
            }
        )
    decimals = {each: decimals_of(best[f"{each}{ERROR}"]) for each in measures}
    lines = []
    for name, row in best.iterrows():
        ends = (interval(row[each], row[f"{each}{ERROR}"], most=1.0) for each in measures)
        lines.append([str(name), *map(with_interval, ends, decimals.values())])
    labels = [f"{objective.label} (95 %)" for objective in selector.objectives]
    terminal.print_table([["trial", *labels], *lines])
    terminal.print(
        f"{len(best)} of {len(table)} trials are not dominated. The best of many trials look "
        "better than they are: select corrects its figure."
    )
    for name, failure in failures.items():
        terminal.inform(f"{name} failed: {failure}")
    terminal.print(
        f"Next: moselect select {shlex.quote(str(run))} --candidates tuned",
        soft_wrap=True,
    )
    if tuning.interrupted:
        raise SystemExit(INTERRUPTED)
