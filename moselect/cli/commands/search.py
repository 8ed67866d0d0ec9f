"""The options of `moselect search`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from moselect.cli import completion
from moselect.cli.options import (
    BinningOption,
    BinsOption,
    DataArgument,
    JsonOption,
    OrderOption,
    QuietOption,
    ReadOption,
    TargetOption,
    binning_of,
    reading_of,
    split,
)
from moselect.cli.terminal import Terminal


def search(
    data: DataArgument = None,
    target: TargetOption = None,
    order: OrderOption = None,
    bins: BinsOption = None,
    binning: BinningOption = None,
    objectives: Annotated[
        str | None,
        typer.Option(
            help="Some of accuracy, one_minus_mae, vus, u_cons, u_ovo, u_pairs, with commas "
            "between; all by default.",
            autocompletion=completion.objectives,
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="Settings of a publication: waegeman2008.", autocompletion=completion.presets
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="mopso (default), or one of pymoo's: nsga2, nsga3, ...",
            autocompletion=completion.algorithms,
        ),
    ] = None,
    columns: Annotated[
        Literal["features", "splines", "models"],
        typer.Option(
            help="What models weigh: the features, curves of them, or the scores of other models."
        ),
    ] = "features",
    drop: Annotated[
        str | None, typer.Option(help="Columns to leave out, with commas between them.")
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(help="Columns that stay even if they are constant or look like keys."),
    ] = None,
    categorical: Annotated[
        str | None, typer.Option(help="Columns of numbers that are names of categories.")
    ] = None,
    no_prepare: Annotated[
        bool,
        typer.Option("--no-prepare", help="Take finite numbers only: refuse text, dates and gaps."),
    ] = False,
    runs: Annotated[int | None, typer.Option(help="Independent runs, merged.", min=1)] = None,
    particles: Annotated[int | None, typer.Option(help="Particles of a swarm.", min=1)] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            help="Iterations of a run; by default 120, or as many as the limits allow.", min=1
        ),
    ] = None,
    evaluations: Annotated[
        int | None, typer.Option(help="Evaluations of all runs together, at most.", min=1)
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Time for all runs together, at most.")
    ] = None,
    stall: Annotated[
        int | None,
        typer.Option(help="End a run that has hardly improved in so many iterations.", min=1),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            help="Folds in which the search is repeated to estimate figures for new data; 5 by "
            "default, 0 for none.",
            min=0,
        ),
    ] = None,
    holdout: Annotated[
        float | None,
        typer.Option(help="Share of the rows kept from the search, to measure the front on."),
    ] = None,
    sampling: Annotated[
        str | None,
        typer.Option(
            help="auto (default): of many rows, search samples first; none: all rows throughout.",
        ),
    ] = None,
    max_models: Annotated[
        int | None,
        typer.Option(help="Most models of the front; 1,000 by default, 0 for all.", min=0),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same front; random by default.", min=0)
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Threads to search with.")] = None,
    dask: Annotated[
        str | None,
        typer.Option(help="Address of a Dask scheduler, to spread runs over its workers."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Run folder; by default a new one in runs/.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the run folder.")] = False,
    resume: Annotated[
        Path | None,
        typer.Option(
            help="Go on with the search in this run folder.",
            autocompletion=completion.run_folders,
        ),
    ] = None,
    read: ReadOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Search the front of models of DATA, and keep it in a run folder."""
    from moselect.cli.search import resume_search, run_search
    from moselect.columns import Preparation
    from moselect.datasets.orders import parse_order
    from moselect.search import preset_settings

    settings: dict[str, Any] = {
        "objectives": split(objectives),
        "algorithm": algorithm,
        "n_runs": runs,
        "n_particles": particles,
        "n_iterations": iterations,
        "max_evaluations": evaluations,
        "max_seconds": seconds,
        "n_iter_no_change": stall,
        "holdout": holdout,
        "random_state": seed,
        "n_jobs": jobs,
    }
    given = {} if preset is None else preset_settings(preset)
    given |= {name: value for name, value in settings.items() if value is not None}
    if folds is not None:
        given["cv"] = folds or None
    if columns != "features":
        given["columns"] = columns
    prepared = {"drop": drop, "keep": keep, "categorical": categorical}
    chosen = {name: split(text) or [] for name, text in prepared.items() if text is not None}
    if no_prepare and chosen:
        raise ValueError(f"--no-prepare leaves no use for --{next(iter(chosen))}")
    if no_prepare:
        given["prepare"] = False
    elif chosen:
        given["prepare"] = Preparation(random_state=seed, **chosen)
    if max_models is not None:
        given["max_models"] = max_models or None
    if sampling is not None:
        given["sampling"] = None if sampling == "none" else sampling
    source: dict[str, Any] = {
        "target": target,
        "order": parse_order(order) if order else None,
        "bins": bins,
        "binning": binning_of(binning),
        "reading": reading_of(read),
    }
    if "categorical" in chosen:
        source["categorical"] = chosen["categorical"]
    terminal = Terminal(quiet=quiet, json=json)
    if resume is None:
        run_search(data, source, given, out, force, dask, terminal)
    elif out is not None or force:
        raise ValueError("--out and --force are for a new search: leave them out with --resume")
    else:
        resume_search(resume, data, source, given, dask, terminal)
