"""`moselect report`: the page of a run folder."""

import shlex

import moselect
from moselect.cli.requests import check_output
from moselect.cli.results import inform_of_run
from moselect.cli.run_requests import ReportRequest
from moselect.cli.terminal import as_options
from moselect.io.atomic import write_file
from moselect.io.kept import cached_selector
from moselect.models.learner import FitError


def report(request: ReportRequest) -> None:
    """Write the page of a run folder."""
    check_output(request.out, request.force, request.run, suffixes=(".html",))
    terminal = request.terminal()
    with terminal.progress(f"reading {request.run}") as show:
        searched = moselect.io.read_run(request.run)
        inform_of_run(searched, terminal)
        dataset, selector, kept = cached_selector(searched, show, request.jobs)
        start = kept.last_decision
        remarks = [*searched.record["remarks"], *selector.samples.remarks]
        data = searched.record["data"]
        about = {name: data[name] for name in ("name", "target", "fingerprint")}
        about["criterion"] = start.criterion
        about["sample_weight"] = data["loaded_by"].get("weight")
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
