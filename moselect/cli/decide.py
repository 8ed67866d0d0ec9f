"""`moselect decide`: from a table and costs to a decision, in one folder."""

import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
import typer

from moselect.cli.options import numbers
from moselect.cli.requests import UsageError, usage_errors
from moselect.cli.results import record_of_selection
from moselect.cli.run_requests import SelectRequest
from moselect.cli.search import begin
from moselect.cli.select import Selected, check_limits, select_and_write
from moselect.cli.table_requests import DecideRequest
from moselect.cli.terminal import Terminal
from moselect.datasets import Dataset, load_dataset
from moselect.datasets.source_tables import find_blocks
from moselect.datasets.target import OrderError, choose_target
from moselect.export import export_model
from moselect.export.sql import check_sql
from moselect.export.summary import next_check
from moselect.io.unfinished import check_run_path
from moselect.listing import listing, names, rows_of, short
from moselect.predictor import Model

Value = TypeVar("Value")
DETAILS = "details"  # folder of the run
PAGE = "decision.html"
QUERY = "predict.sql"
CHANGED_COSTS = (0.5, 1.5)  # factors of the cost of mistakes on the costliest class


def decide(request: DecideRequest) -> None:
    """Search and select, and write the model and one page into a folder."""
    terminal = request.terminal()
    folder = request.out or Path(f"{Path(request.data).stem}-decision")
    # A decision without its page was interrupted, and is made again.
    force = request.force or not (folder / PAGE).exists()
    with usage_errors():
        check_run_path(folder / DETAILS, force=force)
    if not (folder / DETAILS).exists() and folder.exists() and any(folder.iterdir()):
        raise UsageError(f"'{folder}' has other files: name another folder")
    request, dataset = _completed(request)
    search = msgspec.structs.replace(request, out=folder / DETAILS, force=force)
    # Of the search, only progress and remarks on the table are shown.
    steps = StepTerminal(quiet=request.quiet)
    steps.results.quiet = True
    begin(request.data, search, request.given("random_state"), steps, dataset)
    criteria = request.given("class_costs", "cost_matrix", "limit", "by")
    select = SelectRequest(run=folder / DETAILS, out=folder, force=force, **criteria)
    with terminal.progress("comparing models") as show:
        selected = select_and_write(select, terminal, show, CHANGED_COSTS)
        files = selected.files | _write_exports(selected.model, folder, force)
        # An earlier decision may have had a model of another form.
        written = {Path(file).name for file in files.values()}
        for name in {"model.json", "model.npz", QUERY} - written:
            (folder / name).unlink(missing_ok=True)
    if terminal.json:
        found = record_of_selection(selected.model, selected.groups)
        terminal.print_json(files | found)
    else:
        terminal.warn(*selected.model.evidence.notes)
        terminal.print_sentences(lines_of(selected, files[PAGE]))
    check_limits(selected.model.evidence)


class StepTerminal(Terminal):
    """A terminal of a step of a command, which shows only remarks among its messages."""

    def inform(self, *messages: str) -> None:
        """Suppress messages of a step."""


def lines_of(selected: Selected, page: str) -> list[str]:
    """Return the decision in six lines: rows read, the model to use, cases found, and more."""
    run, model, reported, *_ = selected
    n_columns = len(model.reference.table_columns)
    classes = " < ".join(map(short, run.scale))
    data = run.record["data"]
    rows = rows_of(data["n_samples"], data.get("n_source_rows"))
    columns = f"{n_columns} column{'s' * (n_columns != 1)}"
    read = f"Read {rows}, {columns} used: {classes}."
    recommended, *compared, basis, found = reported.headline
    groups = reported.differences.sentences[:1]
    checks = [section.sentences[0] for section in next_check(model.reference)]
    return [
        read,
        recommended,
        " ".join([*compared, *reported.changes.sentences, basis]),
        " ".join([found, *reported.criteria.sentences, *reported.limits.sentences]),
        " ".join([*groups, *checks]),
        f"Open {page}. Predict new rows (--reasons explains each): "
        f"moselect predict {shlex.quote(selected.files['file'])} NEW_ROWS -o classes.csv",
    ]


def _write_exports(model: Model, folder: Path, force: bool) -> dict[str, str]:
    """Write the page, and the query of a model that has one; return their paths."""
    exported = [PAGE]
    with suppress(ValueError):  # as of an ensemble
        check_sql(model)
        exported.append(QUERY)
    for name in exported:
        export_model(model, folder / name, overwrite=force)
    return {name: str(folder / name) for name in exported}


def _completed(request: DecideRequest) -> tuple[DecideRequest, Dataset]:
    """Ask for target, order and costs if there is a terminal, else refuse; load the table."""
    given = request.loaded_by
    if request.target is None:
        # The first rows have all columns.
        source = next(find_blocks(request.data, request.reading)).source
        columns = listing(map(str, source.table), 30)
        if source.target is None:
            usual = choose_target(source, None)
            given["target"] = _prompted(
                f"Columns: {columns}.\nColumn to predict",
                f"name the column to predict: --target '{usual}' (columns: {columns})",
                str,
                usual,
            )

    def with_order(text: str) -> Dataset:
        given["order"] = names(text)
        return load_dataset(request.data, **given)

    try:
        dataset = load_dataset(request.data, **given)
    except OrderError as error:
        if not sys.stdin.isatty():
            raise
        prompt = f"{error}\nLabels, lowest first, with commas"
        dataset = _prompted(prompt, "", with_order)
    request = msgspec.structs.replace(request, **given)
    if request.cost_matrix is not None:
        return request, dataset
    n_classes = len(dataset.labels)
    classes = f"{n_classes} classes: {' < '.join(map(short, dataset.labels))}"

    def checked(costs: Sequence[float]) -> Sequence[float]:
        if len(costs) != n_classes:
            raise ValueError(f"there are {classes}, but {len(costs)} costs")
        return costs

    costs = request.class_costs
    if costs is None:
        costs = _prompted(
            "Cost of missing a case of each class, lowest first, such as 1,2,5,10 for four "
            f"classes (a mistake of two classes costs twice as much); here {classes}",
            "state the cost of missing a case of each class, lowest first: --costs 1,2,5,10 "
            f"({classes})",
            lambda text: checked(numbers(text)),
        )
    with usage_errors():
        return msgspec.structs.replace(request, class_costs=checked(costs)), dataset


def _prompted(
    prompt: str,
    refusal: str,
    read: Callable[[str], Value],
    default: str | None = None,
) -> Value:
    """Prompt until ``read`` takes the answer; UsageError without a terminal."""
    if not sys.stdin.isatty():
        raise UsageError(refusal)

    def parse(text: str) -> Value:
        with usage_errors():
            return read(text)

    return typer.prompt(prompt, default, err=True, value_proc=parse)
