"""`moselect plot`, `report` and `export`: pictures, page and exported forms of a model."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

import moselect
from moselect.cli.files import check_output, draw_front
from moselect.cli.options import (
    ClassCosts,
    Dialect,
    Force,
    Jobs,
    Limits,
    ModelPath,
    Moved,
    Refer,
    RunFolder,
    option,
)
from moselect.cli.requests import Request
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


class ReportRequest(Request, frozen=True, kw_only=True):
    """Options of `moselect report`."""

    run: RunFolder
    out: Annotated[Path, option("File for the page.", "--out", "-o")] = Path("page.html")
    class_costs: ClassCosts = None
    limit: Limits = None
    refer: Refer = None
    data: Moved = None
    jobs: Jobs = None
    force: Force = False


def report(request: ReportRequest) -> None:
    """Write an HTML page to select a model by costs and limits, cross-validated.

    It opens with these costs and limits, or with the settings of the last `moselect select`.
    """
    record = read_record(request.run)
    check_output(request.out, request.force, request.run, request.data)
    from moselect.io.kept import LastDecision, cached_selector  # slow to import
    from moselect.models.learner import FitError

    terminal = request.terminal()
    with terminal.progress(f"reading {request.run}") as show:
        searched = moselect.io.read_run(request.run)
        dataset, selector, kept = cached_selector(
            searched, request.data, show, request.jobs
        )
        start = kept.last_decision
        if request.given("class_costs", "limit", "refer"):
            costs = request.costs_for(searched) or moselect.Costs(refer=request.refer)
            start = LastDecision(costs, request.limits, by=start.by)
        about = {name: record["data"][name] for name in ("name", "target", "fingerprint")}
        if start.criterion is not None:
            about["criterion"] = start.criterion
        weight = record["data"]["loaded_by"].get("weight")
        if weight is not None:
            about["sample_weight"] = weight
        try:
            page = moselect.page.make_page(
                selector,
                about=about,
                run=shlex.quote(str(request.run)),
                costs=start.costs,
                limits=start.limits,
                by=dataset.table[[*start.by]],
                written=start.written,
            )
        except FitError as error:
            raise ValueError(
                f"a page shows every candidate, and one cannot be fitted: {error}"
            ) from None
        write_file(request.out, page.html.encode(), overwrite=request.force)
    if terminal.json:
        terminal.print_json({"file": str(request.out)})
    else:
        terminal.print(str(request.out), soft_wrap=True)


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
