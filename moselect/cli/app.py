"""The commands of `moselect`."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.markup import escape

from moselect import __version__

app = typer.Typer(
    help="Choose a model for an ordinal target: see the whole trade-off, then pick.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
messages = Console(stderr=True)

DataArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="DATA",
        help="A bundled name (boston), openml:ID, or a CSV or Parquet file.",
        show_default=False,
    ),
]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"moselect {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


def _split(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",")]


def _binning(text: str | None) -> str | list[float] | None:
    if text is None or not any(character.isdigit() for character in text):
        return text
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(
            f"--binning {text} is neither a name nor numbers such as 0.5,0.3,0.2"
        ) from None


def _numbers(option: str, text: str | None) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{option} {text}: give numbers with commas between them") from None


@app.command()
def search(
    data: DataArgument = None,
    target: Annotated[
        str | None, typer.Option(help="Target column; by default a usual name or the last.")
    ] = None,
    order: Annotated[
        str | None, typer.Option(help="Labels of a text target, lowest first: low,mid,high")
    ] = None,
    bins: Annotated[
        int | None, typer.Option(help="Cut a numeric target into so many classes.")
    ] = None,
    binning: Annotated[
        str | None,
        typer.Option(help="How to cut: uniform, quantile, or class priors such as 0.5,0.3,0.2."),
    ] = None,
    objectives: Annotated[
        str | None,
        typer.Option(
            help="Some of accuracy,one_minus_mae,vus,u_cons,u_ovo,u_pairs; all by default."
        ),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Settings of a publication: waegeman2008.")
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(help="mopso (default), or one of pymoo's: nsga2, nsga3, ...")
    ] = None,
    runs: Annotated[int | None, typer.Option(help="Independent runs, merged.")] = None,
    particles: Annotated[int | None, typer.Option(help="Particles of a swarm.")] = None,
    iterations: Annotated[int | None, typer.Option(help="Rounds of a run.")] = None,
    evaluations: Annotated[
        int | None, typer.Option(help="Most evaluations of all runs together.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Most time for all runs together.")] = None,
    stall: Annotated[
        int | None,
        typer.Option(help="End a run that has hardly improved in so many iterations."),
    ] = None,
    holdout: Annotated[
        float | None,
        typer.Option(help="Share of the rows kept from the search, to measure the front on."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same front; random by default.")
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
        Path | None, typer.Option(help="Go on with the search in this run folder.")
    ] = None,
) -> None:
    """Search the front of linear models of DATA, and keep it in a run folder."""
    from moselect.cli.search import resume_search, run_search
    from moselect.search import preset_settings

    settings: dict[str, Any] = {
        "objectives": _split(objectives),
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
    source = {
        "target": target,
        "order": _split(order),
        "bins": bins,
        "binning": _binning(binning),
    }
    if resume is None:
        run_search(data, source, given, out, force, dask, messages)
    elif out is not None or force:
        raise ValueError("--out and --force are for a new search: leave them out with --resume")
    else:
        resume_search(resume, data, source, given, dask, messages)


@app.command()
def plot(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
) -> None:
    """Draw the pictures of a run folder again."""
    from moselect.cli.pictures import draw_pictures
    from moselect.storage import read_run

    for picture in draw_pictures(read_run(run)):
        typer.echo(picture)


@app.command()
def select(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the model.")] = Path(
        "model.json"
    ),
    class_costs: Annotated[
        str | None,
        typer.Option(help="What a mistake costs on an object of each class, lowest first: 1,1,5"),
    ] = None,
    loss: Annotated[
        Literal["absolute", "squared", "zero_one"],
        typer.Option(help="How the cost grows with the distance between classes."),
    ] = "absolute",
    cost_matrix: Annotated[
        Path | None,
        typer.Option(help="CSV file of all costs: true classes down, predicted across."),
    ] = None,
    priors: Annotated[
        str | None,
        typer.Option(help="Shares of the classes in use, if they differ from the data: 0.9,0.1"),
    ] = None,
    data: Annotated[
        str | None, typer.Option(help="Where the data of the run are now, if they have moved.")
    ] = None,
) -> None:
    """Give the model that is to cost least on new data, for given costs of mistakes."""
    from moselect.cli.select import run_select

    run_select(
        run,
        data,
        _numbers("--class-costs", class_costs),
        loss,
        cost_matrix,
        _numbers("--priors", priors),
        out,
        Console(),
    )


@app.command()
def predict(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model.json.", show_default=False)
    ],
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="A table with the model's features, found by name; other columns are ignored.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="CSV file; by default the terminal.")
    ] = None,
) -> None:
    """Write a score and a class for each row of DATA."""
    from moselect.cli.predict import run_predict

    run_predict(model, data, out)


@app.command()
def evaluate(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A CSV or Parquet file.", show_default=False),
    ],
    true: Annotated[str, typer.Option(help="Column of the true classes.", show_default=False)],
    score: Annotated[str | None, typer.Option(help="Column of scores.")] = None,
    pred: Annotated[str | None, typer.Option(help="Column of predicted classes.")] = None,
    order: Annotated[
        str | None, typer.Option(help="Labels of text classes, lowest first: low,mid,high")
    ] = None,
    level: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
) -> None:
    """Measure the predictions of any model, with intervals."""
    from moselect.cli.evaluate import run_evaluate

    run_evaluate(file, true, score, pred, _split(order), level, Console())


@app.command()
def datasets() -> None:
    """List the data sets that can be loaded by name."""
    from moselect.datasets import list_datasets

    for name, description in list_datasets().items():
        typer.echo(f"{name:24} {description}")


def main() -> None:
    """Run the command line; what users can mend is told in one line, with exit code 2."""
    warnings.showwarning = _show_warning
    try:
        app()
    except (ValueError, TypeError, OSError) as error:
        messages.print(
            f"[red]moselect: error:[/] {escape(str(error))}", highlight=False, soft_wrap=True
        )
        sys.exit(2)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    messages.print(f"[yellow]warning:[/] {escape(str(message))}", highlight=False, soft_wrap=True)
