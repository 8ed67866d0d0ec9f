"""`moselect select`: from a run folder to one model, and the evidence for it."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import moselect
from moselect import __version__
from moselect.cli.options import (
    ClassCosts,
    CostMatrix,
    Force,
    Json,
    Limits,
    Moved,
    Numbers,
    Quiet,
    Refer,
    RunFolder,
    costs_of,
    names,
    numbers,
    option,
    weights,
    with_options,
)
from moselect.cli.report import fits_of, save_figure
from moselect.cli.search import figures_of, print_figures
from moselect.cli.terminal import Show, Terminal
from moselect.storage.atomic import check_file_path
from moselect.storage.run_record import load_recorded, read_record

if TYPE_CHECKING:  # slow to import
    from moselect.decision import Costs
    from moselect.models import Model, ModelCard
    from moselect.storage import Run

LIMIT_NOT_MET = 3  # exit code
CHOICES = ("cheapest", "simple")
SUMS = ("points", "linear", "curves", "proportional odds")


@dataclass(frozen=True, kw_only=True)
class Request:
    """By what a model is selected, and the files for it: the options of `moselect select`."""

    out: Annotated[
        Path | None,
        option(
            "File for the model: .json, or .skops for a pool; by default model.json.",
            *("--out", "-o"),
        ),
    ] = None
    class_costs: ClassCosts = None
    loss: Annotated[
        Literal["absolute", "squared", "zero_one"] | None,
        option(
            "How the cost grows with the distance between classes: absolute by default."
        ),
    ] = None
    cost_matrix: CostMatrix = None
    priors: Annotated[
        Numbers,
        option(
            "Shares of the classes in use, if they differ from the data: 0.9,0.1",
            read=numbers,
        ),
    ] = None
    prefer: Annotated[
        Mapping[str, float] | None,
        option(
            "Objective weights, instead of costs: vus=2,accuracy=1; all alike by default.",
            read=weights,
        ),
    ] = None
    model: Annotated[
        int | None, option("Take this model of the front as it is.", min=0)
    ] = None
    best: Annotated[
        str | None, option("Take the model of the front that is best in an objective.")
    ] = None
    balanced: Annotated[
        bool, option("Take the most balanced model of the front.", "--balanced")
    ] = False
    kind: Annotated[
        str | None,
        option(
            "Kind of model: points, linear, curves, pool, cheapest, or simple (the simplest within "
            "5 % of the least cost). By default the cheapest."
        ),
    ] = None
    models: Annotated[
        Sequence[str] | None,
        option(
            "Further kinds: names of classifiers, as compare takes them, with commas between them: "
            "random_forest,gradient_boosting.",
            read=names,
        ),
    ] = None
    conditions: Annotated[
        int | None, option("Conditions of a scorecard; by default 8.", min=1, max=20)
    ] = None
    limit: Limits = None
    refer: Refer = None
    export: Annotated[
        Path | None,
        option(
            "Also write the model as .sql, .xlsx, .py or .onnx, or its card as .html, .txt or .png."
        ),
    ] = None
    dialect: Annotated[
        str | None,
        option(
            "Of exported SQL: bigquery, duckdb, postgres, snowflake, sqlite or tsql (SQL Server). "
            "By default what SQLite, PostgreSQL and DuckDB have in common."
        ),
    ] = None
    data: Moved = None
    force: Force = False

    def check(self) -> None:
        """Raise ValueError if options exclude each other."""
        ways = ("class_costs", "cost_matrix", "prefer", "model", "best", "balanced")
        stated = [way for way in ways if getattr(self, way) not in (None, False)]
        if len(stated) > 1:
            flags = (f"--{way.replace('_', '-')}" for way in stated)
            raise ValueError(f"give one of {' and '.join(flags)}")
        for name in ("priors", "refer"):
            if getattr(self, name) is not None and not {"class_costs", "cost_matrix"} & {
                *stated
            }:
                raise ValueError(f"--{name} needs costs: --class-costs or --cost-matrix")
        if self.loss is not None and self.class_costs is None:
            raise ValueError("--loss says how --class-costs grow: give those")
        if (self.kind or self.models or self.limit) and self.is_member:
            raise ValueError(
                "--kind, --models and --limit go with --class-costs, --cost-matrix or --prefer"
            )
        if self.conditions is not None and self.kind != "points":
            raise ValueError("--conditions goes with --kind points")
        if self.dialect is not None and self.export is None:
            raise ValueError("--dialect goes with --export FILE.sql")

    @property
    def is_member(self) -> bool:
        """Whether a model of the front is taken as it is."""
        return self.model is not None or self.best is not None or self.balanced

    @property
    def limits(self) -> dict[str, float]:
        """The greatest share of each mistake."""
        return dict(self.limit or [])

    @property
    def wants_graph(self) -> bool:
        """Whether the model is exported to ONNX, which holds pools, too."""
        return self.export is not None and self.export.suffix.lower() == ".onnx"

    @property
    def wants_sum(self) -> bool:
        """Whether a file is to be written that holds sums of terms alone."""
        exported = self.export is not None and not self.wants_graph
        return exported or (self.out is not None and self.out.suffix != ".skops")

    def check_files(self, model: Model) -> None:
        """Raise ValueError if a file cannot be written, before anything is fitted."""
        from moselect.export.export_model import check_export
        from moselect.storage.model_file import check_model_path

        if self.kind not in (None, *CHOICES, *SUMS) and not self.is_member:
            ways = "give --kind linear or --kind curves"
            if self.export is not None and not self.wants_graph:
                raise ValueError(f"{self.kind} can be exported to .onnx only: {ways}")
            if self.out is not None and self.out.suffix != ".skops":
                raise ValueError(
                    f"'{self.out}': {self.kind} is a .skops file: write to "
                    f"'{self.out.with_suffix('.skops')}', or {ways}"
                )
        if self.export is not None:
            check_export(model, self.export, self.dialect, overwrite=self.force)
        if not (self.is_member or self.kind in SUMS or self.wants_sum):
            files = ("model.json", "model.skops") if self.out is None else (self.out,)
            for file in files:  # which one it will be, the fits say
                check_file_path(Path(file), replace=self.force)
            return
        check_file_path(self.path(model), replace=self.force)
        check_model_path(self.path(model), model)

    def holds(self, model: Model) -> bool:
        """Return whether the files can hold a model, or are to hold this one and no other."""
        from moselect.storage.model_file import suffix_of

        if self.kind not in (None, *CHOICES):
            return True  # if not, writing says why
        if self.wants_graph:
            from moselect.export.onnx import onnx_of  # an extra

            try:
                onnx_of(model)
            except ValueError:
                return False
        return not self.wants_sum or suffix_of(model) == ".json"

    def path(self, model: Model) -> Path:
        """Return the file for a model."""
        from moselect.storage.model_file import suffix_of

        return self.out or Path(f"model{suffix_of(model)}")

    def write(
        self, model: Model, about: dict[str, Any], card: ModelCard | None
    ) -> dict[str, str]:
        """Write the model, and what it is exported to; gives the names of the files."""
        from moselect.export.export_model import export_model
        from moselect.storage import write_model

        force, path = self.force, self.path(model)
        if self.export is not None:
            export_model(
                model, self.export, card=card, dialect=self.dialect, overwrite=force
            )
        write_model(path, model, about, card, overwrite=force)
        export = {} if self.export is None else {"export": str(self.export)}
        return {"model": str(path), **export}


@with_options(inspect.signature(Request, eval_str=True).parameters)
def select(
    run: RunFolder, quiet: Quiet = False, json: Json = False, **options: Any
) -> None:
    """Write the model that is best on new data, for given costs of mistakes or by preference."""
    read_record(run)
    request = Request(**options)
    request.check()
    terminal = Terminal(quiet=quiet, json=json)
    with terminal.progress(f"reading {run}") as show:
        # First: deep within other imports it takes a tenth longer (experiments/benchmarks).
        import sklearn.linear_model  # noqa: F401

        found = moselect.storage.read_run(run)
        request.check_files(found.front[0])
        costs = costs_of(
            found.front.classes.tolist(),
            *(request.class_costs, request.cost_matrix, request.loss),
            *(request.priors, request.refer),
        )
        if not request.is_member:
            model, card, files = _select(found, costs, request, show, terminal)
    if request.is_member:
        _take_member(found, request, terminal)
        return
    evidence = model.evidence
    assert evidence is not None  # a selected model has some

    from moselect.cli.selected import print_evidence, record_of

    figures = run / "figures"
    if terminal.json:
        files["picture"] = str(figures / "decision.png")
        terminal.print_json({**files, **record_of(model, evidence)})
    else:
        print_evidence(evidence, terminal)
        _print_next(model, card, files, terminal)

    plots = moselect.plots  # slow to import: while the result is read
    save_figure(plots.decision(evidence), figures / "decision.png")
    with suppress(ValueError):  # fewer than two objectives differ
        save_figure(
            plots.front_on_new_data(evidence, found.front), figures / "new_data.png"
        )
    save_figure(plots.trade_off(evidence), figures / "trade_off.png")
    if evidence.costs is not None:
        save_figure(plots.price_of_limit(evidence), figures / "price_of_limit.png")
        if evidence.costs.referral is not None:
            save_figure(plots.referral(evidence), figures / "referral.png")
    if not all(limit.met for limit in evidence.limits):
        raise SystemExit(LIMIT_NOT_MET)


def _select(
    run: Run, costs: Costs | None, request: Request, show: Show, terminal: Terminal
) -> tuple[Model, ModelCard | None, dict[str, str]]:
    """Fit what is not kept, choose, and write the model; gives it, its card and its files."""
    from moselect.cli.selected import card_of_selected

    record, conditions = run.record, request.conditions
    dataset, selector, kept = fits_of(run, request.data, show, -1, conditions)

    def take(kind: str | None) -> Model:
        how = (kind, request.limits, request.models)
        if costs is None:
            return selector.for_preferences(request.prefer, *how)
        return selector.for_costs(costs, *how)

    model = _held(take(request.kind), take, request, terminal)
    show("writing the model")
    if costs is not None:
        kept.keep_decision(costs, request.limits)
    evidence = model.evidence
    assert evidence is not None  # a selected model has some
    about = {
        "fingerprint": record["data"]["fingerprint"],
        "priors": request.priors,
        f"expected_{evidence.value}": evidence.expected,
        "standard_error": evidence.expected_se,
        "moselect": __version__,
    }
    card = None
    if hasattr(model, "coef_"):
        card = card_of_selected(model, evidence, dataset, record)
    else:
        weights = evidence.preferences
        about |= _data(record) | {
            "preferences": None if weights is None else dict(weights)
        }
    return model, card, request.write(model, about, card)


def _held(
    model: Model, take: Callable[[str], Model], request: Request, terminal: Terminal
) -> Model:
    """Take the best kind that the files can hold."""
    evidence, refused = model.evidence, model
    losses = evidence.rules["new data"]
    kinds = [str(name) for name in losses.index if name in (*SUMS, "pool")]
    while not request.holds(model):
        model = take(kinds.pop(0))
    kind, wish = model.evidence.selected, request.export or request.out
    if model is not refused:
        beside = f"{losses[kind]:.3g} beside {losses[evidence.selected]:.3g}"
        terminal.warn(
            f"'{wish}' holds no {evidence.selected}: taken is {kind} ({beside} a row)"
        )
    return model


def _take_member(run: Run, request: Request, terminal: Terminal) -> None:
    """Write a model of the front as it is, and print its figures."""
    from moselect.cli.selected import card_of_member

    front, record = run.front, run.record
    if request.best is not None:
        index = front.best(request.best)
    else:
        index = front.balanced() if request.model is None else request.model
    if index >= len(front):
        raise ValueError(
            f"--model {index}: the models of the front are 0 to {len(front) - 1}"
        )
    model = front[index]
    about = {"member": index, "moselect": __version__}
    try:
        dataset = load_recorded(record, request.data, "--data DATA")
        card = card_of_member(model, front, index, dataset, record)
    except ValueError as error:  # the model itself does not need the data
        terminal.warn(f"the model has no model card: {error}")
        card, about = None, about | _data(record)
    about["fingerprint"] = record["data"]["fingerprint"]
    files = request.write(model, about, card)
    if terminal.json:
        figures = figures_of(front, index).to_dict("index")
        terminal.print_json({**files, "member": index, "figures": figures})
        return
    print_figures(front, index, f"model {index} of the front", terminal)
    _print_next(model, None, files, terminal)


def _data(record: dict[str, Any]) -> dict[str, Any]:
    """Return what a model card says of the data."""
    return {"data": record["data"]["name"], "target": record["data"]["target"]}


def _print_next(
    model: Model, card: ModelCard | None, files: dict[str, str], terminal: Terminal
) -> None:
    """Print which scores mean which class, where the model is, and what may be done next."""
    from moselect.cli.selected import print_rule

    print_rule(model, card, terminal)
    if "export" in files:
        terminal.print(f"Exported to: {files['export']}", soft_wrap=True)
    file = shlex.quote(files["model"])
    terminal.print(
        f"Next: moselect predict {file} NEW_ROWS -o classes.csv", soft_wrap=True
    )
