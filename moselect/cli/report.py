"""`moselect plot`, `report` and `export`: pictures, page and exported forms of a model."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

import moselect
from moselect.cli.files import check_output, costs_for, draw_front
from moselect.cli.options import (
    ClassCosts,
    Dialect,
    Force,
    Jobs,
    Limits,
    ModelPath,
    Moved,
    Quiet,
    Refer,
    RunFolder,
    limits_of,
    option,
)
from moselect.cli.terminal import Terminal
from moselect.io.atomic import write_file
from moselect.io.run_record import read_record


def plot(
    run: RunFolder,
    out: Annotated[
        Path | None,
        option("File for the figure; by default in the run folder.", "--out", "-o"),
    ] = None,
    force: Force = False,
) -> None:
    """Plot the front of a run folder in pairs of objectives."""
    read_record(run)
    if out is not None:
        check_output(out, force, run)
    terminal = Terminal()
    with terminal.progress(f"drawing the front of {run}"):
        path = draw_front(run, moselect.io.read_run(run).front, out)
    terminal.print(str(path), soft_wrap=True)


def report(
    run: RunFolder,
    out: Annotated[Path, option("File for the page.", "--out", "-o")] = Path("page.html"),
    class_costs: ClassCosts = None,
    limit: Limits = None,
    refer: Refer = None,
    data: Moved = None,
    jobs: Jobs = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Write an HTML page to select a model by costs and limits, cross-validated.

    It opens with these costs and limits, or with the settings of the last `moselect select`.
    """
    record = read_record(run)
    check_output(out, force, run, data)
    from moselect.io.kept import LastDecision, cached_selector  # slow to import
    from moselect.models.learner import FitError

    terminal = Terminal(quiet=quiet)
    with terminal.progress(f"reading {run}") as show:
        searched = moselect.io.read_run(run)
        dataset, selector, kept = cached_selector(searched, data, show, jobs)
        start = kept.last_decision
        if (class_costs, limit, refer) != (None, None, None):
            stated = costs_for(searched, class_costs, refer=refer)
            costs = stated or moselect.Costs(refer=refer)
            start = LastDecision(costs, limits_of(limit), by=start.by)
        about = {name: record["data"][name] for name in ("name", "target", "fingerprint")}
        if start.criterion is not None:
            about["criterion"] = start.criterion
        weight = record["data"]["loaded_by"].get("weight")
        if weight is not None:
            about["sample_weight"] = weight
        name = shlex.quote(str(run))
        try:
            page = moselect.page.make_page(
                selector,
                about=about,
                run=name,
                costs=start.costs,
                limits=start.limits,
                by=dataset.table[[*start.by]],
                written=start.written,
            )
        except FitError as error:
            raise ValueError(
                f"a page shows every candidate, and one cannot be fitted: {error}"
            ) from None
        write_file(out, page.html.encode(), overwrite=force)
    terminal.print(str(out), soft_wrap=True)


def export(
    model: ModelPath,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="New file: .sql, .onnx, or .html or .txt for the model card. For a scorecard, the "
            "card is the scorecard itself, and summary.html the model card.",
            show_default=False,
        ),
    ],
    dialect: Dialect = None,
    table: Annotated[str, option("Name of the table in SQL.")] = "data",
    force: Force = False,
) -> None:
    """Export a model as SQL, ONNX or a printable page, without selecting again."""
    from moselect.export.exporting import export_model

    check_output(file, force, model)
    terminal = Terminal()
    with terminal.progress(f"exporting {model}"):
        predictor = moselect.io.read_model(model)
        export_model(predictor, file, table=table, dialect=dialect, overwrite=force)
    terminal.print(f"Exported: {file}", soft_wrap=True)
