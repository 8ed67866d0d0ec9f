"""Files of a model that a command takes from a run: the model, its exported form, a summary."""

import shlex
from collections.abc import Callable
from pathlib import Path

import moselect
from moselect._types import Document
from moselect.candidates.names import MEMBER, known_name
from moselect.candidates.registry import registered
from moselect.cli.requests import UsageError, check_output, usage_errors
from moselect.cli.run_requests import ModelRequest
from moselect.cli.terminal import Terminal
from moselect.export.exporting import card_page, check_export, export_model
from moselect.io import Run
from moselect.io.atomic import write_file
from moselect.io.model_file import check_model_path, suffix_of
from moselect.io.run_file import write_selection
from moselect.predictor import Model

CHOICES = (None, "cheapest", "simple")
SUMMARY = "summary.html"


def text_files(request: ModelRequest) -> list[Path]:
    """Return the named files that hold sums of terms only."""
    named = filter(None, [request.out, request.export])
    return [file for file in named if file.suffix in (".json", ".sql")]


def path_of(request: ModelRequest, suffix: str) -> Path:
    """Return the file of the model, in a folder or by default with the suffix that it needs."""
    if request.out is None or request.out.is_dir():
        return (request.out or Path()) / f"model{suffix}"
    return request.out


def check_early(request: ModelRequest, name: str | None, member: Model) -> None:
    """Raise ValueError if a file cannot be written, before anything is fitted.

    A member of the front stands for all sums of terms.
    """
    sums = {MEMBER, *(each.name for each in registered() if each.is_sum)}
    # Linear models of the scores of other models need arrays, too.
    suffixes = [suffix_of(member)]
    if name in CHOICES:  # the fits decide
        suffixes = [".json", ".npz"]
    elif known_name(str(name), sums) not in sums:
        suffixes = [".npz"]
        texts = text_files(request)
        if texts:
            raise UsageError(
                f"'{texts[0]}' cannot hold {name}: write a .npz file, or give --model linear "
                "or --model additive"
            )
    paths = [path_of(request, suffix) for suffix in suffixes]
    inputs = request.given("run", "data", "cost_matrix").values()
    for path in [*paths, request.export]:
        check_output(path, request.force, *inputs)
    with usage_errors():
        check_files(request, member)


def check_files(request: ModelRequest, model: Model) -> None:
    """Raise ValueError if a file cannot hold a model."""
    check_model_path(path_of(request, suffix_of(model)), model)
    if request.export is not None:
        check_export(model, request.export)


def write_files(
    request: ModelRequest, run: Run, model: Model, about: Document
) -> dict[str, str]:
    """Write a model of a run and its exported form; return the names of the files."""
    path = path_of(request, suffix_of(model))
    files = {"file": str(path)}
    if request.export is not None:
        files["export"] = str(request.export)
        export_model(model, request.export, overwrite=request.force)
    origin = {
        "fingerprint": run.record["data"]["fingerprint"],
        "moselect": moselect.__version__,
    }
    moselect.io.write_model(path, model, origin | about, overwrite=request.force)
    return files


def write_summary(
    run: Run,
    model: Model,
    files: dict[str, str],
    terminal: Terminal,
    draw: Callable[[Path], None] | None = None,
) -> None:
    """Write a summary, and figures, into a new folder of a run; add it to the ``files``."""

    def write(folder: Path) -> None:
        assert model.card is not None
        write_file(folder / SUMMARY, card_page(model.card, ".html").encode())
        if draw is not None:
            draw(folder)

    try:
        files["summary"] = str(write_selection(run.path, write) / SUMMARY)
    except OSError as error:  # the model is written: figures are no reason to fail
        terminal.warn(
            f"no summary and figures could be written to '{run.path}' ({error.strerror})"
        )


def print_files(files: dict[str, str], terminal: Terminal) -> None:
    """Print the names of the files of a model, and the next command."""
    terminal.print(f"Written: {', '.join(files.values())}", soft_wrap=True)
    terminal.print(
        f"Next: moselect predict {shlex.quote(files['file'])} NEW_ROWS -o classes.csv",
        soft_wrap=True,
    )
