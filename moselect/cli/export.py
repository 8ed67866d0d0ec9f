"""`moselect export`: a model as SQL, ONNX or a page."""

import moselect
from moselect.cli.model_requests import ExportRequest
from moselect.cli.requests import check_output
from moselect.cli.terminal import Terminal
from moselect.export import export_model


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
