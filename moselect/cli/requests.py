"""Requests: the options of a command are fields of a struct, which checks them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from inspect import Parameter, Signature, get_annotations
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import NODEFAULT, Struct
from msgspec.structs import asdict, fields

import moselect
from moselect._kernels import compile_ahead
from moselect.cli.options import Json, Quiet
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import in_data_folder
from moselect.io.atomic import check_suffix
from moselect.io.run_record import RECORD, is_part_of_run, read_record
from moselect.tables.reading import files_of

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document
    from moselect.io import Run

# typer has public names for some of its usage errors, but not for all of them together.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn errors of settings, which need no data, into errors of the command line."""
    try:
        yield
    except ValueError as error:
        raise UsageError(str(error)) from None


class Request(Struct, frozen=True, kw_only=True):
    """Options of every command that prints a result."""

    quiet: Quiet = False
    json: Json = False

    def given(self, *options: str) -> Document:
        """Return the given options among some names that the command has."""
        return {
            name: value
            for name, value in asdict(self).items()
            if name in options and value is not None and value is not False
        }

    def given_one(self, *options: str) -> Document:
        """Return the one of several options that is given, if any; ValueError for two."""
        found = self.given(*options)
        if len(found) > 1:
            flags = [f"--{name.replace('_', '-')}" for name in found]
            raise ValueError(f"give one of {' and '.join(flags)}")
        return found

    def check_costs(self, *others: str) -> Document:
        """Return the costs, metric or other criterion; ValueError if options contradict it."""
        # Each of these determines the model alone; together they would contradict each other.
        found = self.given_one("class_costs", "cost_matrix", "metric", *others)
        has_costs = bool(self.given("class_costs", "cost_matrix"))
        if self.given("priors", "refer") and not has_costs:
            raise ValueError("--priors and --refer need --class-costs or --cost-matrix")
        if self.given("loss") and not self.given("class_costs"):
            raise ValueError("--loss needs --class-costs")
        return found

    def costs_of(self, classes: Sequence[object]) -> moselect.Costs | None:
        """Return the misclassification costs that are given; None without any."""
        given = self.given("class_costs", "loss", "priors", "refer", "metric")
        file = self.given("cost_matrix").get("cost_matrix")
        if file is not None:
            given["cost_matrix"] = moselect.io.read_cost_matrix(file, classes)
        if not given.keys() & {"class_costs", "cost_matrix", "metric"}:
            return None
        with usage_errors():
            return moselect.Costs(**given)

    def costs_for(self, run: Run) -> moselect.Costs | None:
        """Return the costs for the classes of a run that have samples."""
        costs = self.costs_of(run.scale.tolist())
        # Distances count on the whole scale.
        return costs and costs.for_observed(run.front.classes, run.scale)

    @property
    def limits(self) -> dict[str, float]:
        """Limits that are given, by mistake; a mistake with two limits is an error."""
        given = self.given("limit").get("limit", ())
        rates = dict(given)
        if len(rates) < len(given):
            raise UsageError(
                "--limit is given twice for the same mistake: give one of them"
            )
        return rates

    def terminal(self) -> Terminal:
        """Return the terminal on which the command prints."""
        return Terminal(quiet=self.quiet, json=self.json)


def check_output(
    path: Path | None, force: bool, *inputs: object, suffixes: Sequence[str] = ()
) -> None:
    """Raise UsageError if a file cannot be written, or is an input of the command.

    Inputs are files, folders and patterns of files, and run folders with their data. The name
    must end in one of the ``suffixes``, if any. Without a path nothing is checked.
    """
    if path is None:
        return
    if not path.parent.is_dir():
        raise UsageError(
            f"there is no folder '{path.parent}' to write '{path.name}' to: make it"
        )
    if path.is_dir():
        raise UsageError(f"'{path}' is a folder: name a file to write")
    if path.exists() and not force:
        raise UsageError(
            f"'{path}' exists already: name another file, or replace it (--force)"
        )
    if suffixes:
        with usage_errors():
            check_suffix(path, suffixes)
    for given in filter(None, inputs):
        source = in_data_folder(str(given)) or Path(str(given))
        if (source / RECORD).is_file():
            if is_part_of_run(path, source):
                raise UsageError(
                    f"'{path}' is a file of the run '{source}': name another"
                )
            recorded = read_record(source)["data"]["loaded_by"]["source"]
            # Relative to the folder of the search, which may be that of the run.
            for data in (Path(recorded), source.parent / recorded):
                if data != source:  # a run may have the name of its data
                    check_output(path, force, data)
        elif path.exists() and any(map(path.samefile, files_of(source))):
            raise UsageError(f"'{path}' is an input of this command: name another file")


def _advanced(annotation: Any) -> object:
    """Return the annotation of an option, with the help in the panel of advanced ones."""
    about = copy(annotation.__metadata__[0])
    about.rich_help_panel = "Advanced options"
    return Annotated[annotation.__origin__, about]


# Commands whose kernels are compiled while they and their libraries are imported.
SEARCHES = ("search", "decide")


def command(request: type[Struct]) -> Callable[..., None]:
    """Return a command whose options are the fields of a request.

    The module of its name, and the function there, which takes the request, are imported when
    the command runs.
    """
    name = request.__name__.removesuffix("Request").lower()
    # Own options come first in the help, then options of several commands.
    order = [name for base in request.__mro__ for name in get_annotations(base)]
    usual = getattr(request, "usual", "").split()
    parameters = [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            annotation=field.type
            if field.name in usual or not usual
            else _advanced(field.type),
            default=Parameter.empty if field.default is NODEFAULT else field.default,
        )
        for field in sorted(fields(request), key=lambda field: order.index(field.name))
    ]

    def call(**options: object) -> None:
        with usage_errors():
            given = request(**options)
        if name in SEARCHES:
            compile_ahead()
        resolve_name(f"moselect.cli.{name}:{name}")(given)

    call.__name__ = name
    call.__doc__ = request.__doc__
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return call
