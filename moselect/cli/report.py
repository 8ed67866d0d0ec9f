"""`moselect plot`, `report` and `export`: pictures, page and exported forms of a model."""

import shlex

import moselect
from moselect.cli.model_requests import ExportRequest
from moselect.cli.pictures import draw_front
from moselect.cli.requests import check_output
from moselect.cli.results import inform_of_run
from moselect.cli.run_requests import PlotRequest, ReportRequest
from moselect.cli.terminal import Terminal, as_options
from moselect.export import export_model
from moselect.io.atomic import write_file
from moselect.io.kept import cached_selector
from moselect.models.learner import FitError


def plot(request: PlotRequest) -> None:
    """Draw the front of a run folder."""
    if request.out is not None:
        check_output(request.out, request.force, request.run)
    terminal = Terminal()
    with terminal.progress(f"drawing the front of {request.run}"):
        front = moselect.io.read_run(request.run).front
        path = draw_front(request.run, front, request.out)
    terminal.print(str(path), soft_wrap=True)


def report(request: ReportRequest) -> None:
    """Write the page of a run folder."""
    check_output(request.out, request.force, request.run)
    terminal = request.terminal()
    with terminal.progress(f"reading {request.run}") as show:
        searched = moselect.io.read_run(request.run)
        inform_of_run(searched, terminal)
        dataset, selector, kept = cached_selector(searched, show, request.jobs)
        start = kept.last_decision
        remarks = [*searched.record["remarks"], *selector.samples.remarks]
        data = searched.record["data"]
        about = {name: data[name] for name in ("name", "target", "fingerprint")}
        if start.criterion is not None:
            about["criterion"] = start.criterion
        weight = data["loaded_by"].get("weight")
        if weight is not None:
            about["sample_weight"] = weight
        try:
            page = moselect.page.make_page(
                selector,
                about=about,
                run=shlex.quote(str(request.run)),
                costs=start.costs,
                limits=start.limits,
                confidence=start.confidence,
                by=dataset.table[[*start.by]],
                result=start.result,
                remarks=[*map(as_options, remarks)],
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


def export(request: ExportRequest) -> None:
    """Export a model to a file."""
    check_output(request.file, request.force, request.model)
    terminal = Terminal()
    with terminal.progress(f"exporting {request.model}"):
        export_model(
            moselect.io.read_model(request.model),
            request.file,
            table=request.table,
            overwrite=request.force,
        )
    terminal.print(f"Exported: {request.file}", soft_wrap=True)
