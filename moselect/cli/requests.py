"""Requests: the options of a command are fields of a struct, which checks them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import Parameter, Signature, get_annotations
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

import moselect
from moselect.cli.options import (
    ABOUT,
    Group,
    Json,
    LeaveOut,
    Names,
    Order,
    Quiet,
    Read,
    Weight,
    WeightType,
    option,
)
from moselect.cli.parsers import binning, missing_codes
from moselect.cli.terminal import Terminal
from moselect.listing import names

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document
    from moselect.io import Run

# typer has public names for some of its usage errors, but not for all of them together.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn errors of settings, which need no data, into those of the command line."""
    try:
        yield
    except ValueError as error:
        raise UsageError(str(error)) from None


class Request(Struct, frozen=True, kw_only=True):
    """Options of every command that prints a result."""

    quiet: Quiet = False
    json: Json = False

    def given(self, *options: str) -> Document:
        """Return those of some options that the command has and that are given, by name."""
        names = [name for name in options if name in self.__struct_fields__]
        found = {name: getattr(self, name) for name in names}
        return {
            name: value
            for name, value in found.items()
            if value is not None and value is not False
        }

    def given_one(self, *options: str) -> Document:
        """Return the one of some options that is given, if any; ValueError if there are more."""
        found = self.given(*options)
        if len(found) > 1:
            flags = [f"--{name.replace('_', '-')}" for name in found]
            raise ValueError(f"give one of {' and '.join(flags)}")
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
        limits = self.given("limit").get("limit", ())
        rates = dict(limits)
        if len(rates) < len(limits):
            raise UsageError(
                "--limit is given twice for the same mistake: give one of them"
            )
        return rates

    def terminal(self) -> Terminal:
        """Return the terminal on which the command prints."""
        return Terminal(quiet=self.quiet, json=self.json)


class TableRequest(Request, frozen=True, kw_only=True):
    """Options of a command that reads a table with its target and roles."""

    target: Annotated[str | None, option(ABOUT["target"])] = None
    order: Order = None
    bins: Annotated[int | None, option(ABOUT["bins"], min=2)] = None
    # A name or priors: typer takes no unions.
    binning: Annotated[Any, option(ABOUT["binning"], read=binning)] = None
    leave_out: LeaveOut = None
    categorical: Annotated[Names, option(ABOUT["categorical"], read=names)] = None
    weight: Weight = None
    weight_type: WeightType = None
    group: Group = None
    time: Annotated[str | None, option(ABOUT["time"])] = None
    reading: Read = None

    @property
    def loaded_by(self) -> Document:
        """Options of the table that are given, as `load_dataset` takes them."""
        return self.given(*ABOUT)

    @property
    def prepared(self) -> Document:
        """Settings of the preparation that are given."""
        return {}


class PreparedRequest(TableRequest, frozen=True, kw_only=True):
    """Options of a command that also prepares the columns of its table."""

    drop: Annotated[
        Names, option("Columns to exclude, separated by commas.", read=names)
    ] = None
    keep: Annotated[
        Names,
        option(
            "Columns to keep although they are constant or look like keys.", read=names
        ),
    ] = None
    missing: Annotated[
        Mapping[str, Sequence[float]] | None,
        option(
            "Codes of missing values in numeric columns: income=999,score=-9",
            read=missing_codes,
            metavar="COL=CODE,...",
        ),
    ] = None
    ignore: Annotated[
        Names, option("Codes of remarks to suppress, such as MS101,MS106.", read=names)
    ] = None

    @property
    def prepared(self) -> Document:
        """Settings of the preparation that are given."""
        return self.given("drop", "keep", "categorical", "missing")

    def terminal(self) -> Terminal:
        """Return the terminal; an unknown code to ignore is an error of the command line."""
        with usage_errors():
            return Terminal(quiet=self.quiet, json=self.json, ignored=self.ignore or ())


def command(run: Callable[[Any], None]) -> Callable[..., None]:
    """Return the command of a function, whose options are the fields of its request."""
    request = get_type_hints(run)["request"]
    known = {field.name: field for field in fields(request)}
    # Own options come first in the help, then those of several commands.
    order = [name for kind in request.__mro__ for name in get_annotations(kind)]
    parameters = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            annotation=known[name].type,
            default=Parameter.empty
            if known[name].default is NODEFAULT
            else known[name].default,
        )
        for name in order
        if name in known
    ]

    def call(**options: Any) -> None:
        with usage_errors():
            given = request(**options)
        run(given)

    call.__name__ = run.__name__
    call.__doc__ = run.__doc__
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return call
