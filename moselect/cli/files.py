"""Files that commands write: figures, and selected models with their exported forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import moselect
from moselect.cli.options import UsageError, costs_of, usage_errors
from moselect.cli.tables import figure_rows
from moselect.cli.terminal import Terminal
from moselect.datasets.sources import in_data_folder
from moselect.io.atomic import check_file_path, write_file
from moselect.io.run_record import FIGURES, RECORD, is_part_of_run, read_record
from moselect.listing import listing

CHOICES = (None, "cheapest", "simple")
# Candidates that are sums of terms, which every file holds.
SUMS = ("scorecard", "linear", "additive", "proportional odds", "best member")

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document
    from moselect.inspection.groups import GroupEstimates
    from moselect.io import Run
    from moselect.predictor import Model, ModelCard
    from moselect.search.front import Front
    from moselect.selection import Decision, Evidence


def draw_front(run: Path, front: moselect.Front, path: Path | None = None) -> Path:
    """Draw the objectives of a front in pairs, by default into its run; gives the path."""
    new = front.holdout if front.expected is None else front.expected
    if new is not None and new.isna().to_numpy().any():
        new = None  # not all objectives can be estimated
    if path is None:
        (run / FIGURES).mkdir(exist_ok=True)
        path = run / FIGURES / "fronts.png"
    figure = moselect.plots.pairwise_fronts(
        front.objectives,
        chance=front.chance,
        holdout=new,
        marked=front.objectives.iloc[[front.balanced()]].set_axis(
            ["the compromise model"]
        ),
    )
    return save_figure(figure, path)


def save_figure(figure: Any, path: Path) -> Path:
    """Write a figure to a file, and close it."""
    from matplotlib import pyplot as plt
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    content = BytesIO()
    # More dots an inch show no more of the lines and points; `savefig` would draw twice.
    figure.set_dpi(100)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.print_png(
        content, metadata={"Title": "moselect"}, pil_kwargs={"compress_level": 6}
    )
    plt.close(figure)
    write_file(path, content.getvalue())
    return path


def check_picture(path: Path) -> None:
    """Raise ValueError if a picture, which nobody named, would replace another file."""
    if path.exists() and b"Title\0moselect" not in path.read_bytes():
        raise ValueError(
            f"'{path}' exists and is no picture of moselect: rename it, or name another file"
        )


def check_output(path: Path, force: bool, *inputs: object) -> None:
    """Raise UsageError if a file cannot be written, or is an input of the command.

    Inputs are files, and run folders with their data.
    """
    with usage_errors():
        check_file_path(path, replace=force)
    for given in inputs:
        if given is None:
            continue
        source = in_data_folder(str(given)) or Path(str(given))
        if (source / RECORD).is_file():
            if is_part_of_run(path, source):
                raise UsageError(
                    f"'{path}' is a file of the run '{source}': name another"
                )
            check_output(path, force, read_record(source)["data"]["loaded_by"]["source"])
        elif path.exists() and source.exists() and path.samefile(source):
            raise UsageError(f"'{path}' is an input of this command: name another file")


def costs_for(run: Run, *given: Any, **others: Any) -> moselect.Costs | None:
    """Return the costs given by options, for the classes of a run that have samples."""
    costs = costs_of(run.scale.tolist(), *given, **others)
    # Distances count on the whole scale.
    return costs and costs.for_observed(run.front.classes, run.scale)


@dataclass(frozen=True)
class Output:
    """Files of the selected model and of its exported form."""

    out: Path | None
    export: Path | None
    dialect: str | None
    force: bool
    inputs: tuple[object, ...] = ()

    def path(self, suffix: str) -> Path:
        """Return the file of the model, by default with the suffix that it needs."""
        return self.out or Path(f"model{suffix}")

    def check_early(self, name: str | None, member: Model) -> None:
        """Raise ValueError if a file cannot be written, before anything is fitted.

        A member of the front stands for all sums of terms.
        """
        from moselect.io.model_file import suffix_of

        # Linear models of the scores of other models need arrays, too.
        suffixes = [suffix_of(member)]
        if name in CHOICES:  # the fits decide
            suffixes = [".json", ".npz"]
        elif name not in SUMS:
            suffixes = [".npz"]
            for file in (self.out, self.export):
                if file is not None and file.suffix in (".json", ".sql"):
                    raise UsageError(
                        f"'{file}' cannot hold {name}: write a .npz file, or give --model linear "
                        "or --model additive"
                    )
        for path in filter(None, [*map(self.path, suffixes), self.export]):
            check_output(path, self.force, *self.inputs)
        with usage_errors():
            self.check(member)

    def check(self, model: Model) -> None:
        """Raise ValueError if a file cannot hold a model."""
        from moselect.export.exporting import check_export
        from moselect.io.model_file import check_model_path, suffix_of

        check_model_path(self.path(suffix_of(model)), model)
        if self.export is not None:
            check_export(model, self.export, self.dialect, overwrite=self.force)

    def write(self, model: Model, about: Document) -> dict[str, str]:
        """Write the model and its exported form; return the names of the files."""
        from moselect.export.exporting import export_model
        from moselect.io.model_file import suffix_of

        path = self.path(suffix_of(model))
        files = {"file": str(path)}
        if self.export is not None:
            files["export"] = str(self.export)
            export_model(model, self.export, dialect=self.dialect, overwrite=self.force)
        moselect.io.write_model(path, model, about, overwrite=self.force)
        return files


def select_writable(
    fit: Callable[[Collection[str]], Model],
    name: str | None,
    output: Output,
    terminal: Terminal,
) -> Model:
    """Select the best candidate that the output files can hold, beside the others.

    ``fit`` selects without some candidates.
    """
    refused: list[str] = []
    while True:
        selected = fit(refused)
        evidence = selected.evidence
        try:
            output.check(selected)
            break
        except ValueError:
            refused.append(evidence.selected)
            others = {*evidence.candidates.index} & {"scorecard", "linear", "additive"}
            # A model that is named is written, or refused; a choice moves to the next best.
            if name not in CHOICES or others <= {*refused}:
                raise
    if refused:
        losses = evidence.candidates[evidence.value]
        taken = evidence.selected
        terminal.warn(
            f"'{output.export or output.out}' cannot hold the {listing(refused)}: selected "
            f"{taken} instead ({losses[taken]:.3g}, {refused[0]} {losses[refused[0]]:.3g})"
        )
    return selected


ROWS_OF_A_TRIAL = 300  # enough for the form, which does not depend on their number


def try_form(selector: Decision, name: str, output: Output) -> None:
    """Raise ValueError if no file can hold a known model, before it is fitted in all folds."""
    from moselect.candidates.known_models import KNOWN_MODELS, named_models
    from moselect.samples.parts import draw

    (model,) = named_models(name, selector.samples.classes, KNOWN_MODELS).values()
    learner = selector.fits.classifier(model)
    fitted: Any = learner.to_predictor(
        learner.fit(draw(selector.samples, ROWS_OF_A_TRIAL))
    )
    output.check(fitted)
    with TemporaryDirectory() as folder:
        moselect.io.write_model(Path(folder) / "model.npz", fitted)


def card_of_member(run: Run, index: int) -> ModelCard:
    """Describe a model of the front as it is."""
    from moselect.export.column_sections import column_sections
    from moselect.predictor import ModelCard
    from moselect.predictor.card import Section

    recorded = run.record["data"]
    return ModelCard(
        predicts=recorded["target"] or "class",
        n_rows=recorded["n_samples"],
        data=recorded["name"],
        headline=[f"Model {index} of the front, as the search found it."],
        sections=[
            Section("Performance", table=figure_rows(run.front, index, "objective")),
            *column_sections(run.front[index]),
        ],
    )


def draw_evidence(
    evidence: Evidence, front: Front, groups: Iterable[GroupEstimates], folder: Path
) -> None:
    """Draw the evidence for a selected model into a folder."""
    plots = moselect.plots  # slow to import: while the result is read
    save_figure(plots.decision(evidence), folder / "decision.png")
    with suppress(ValueError):  # fewer than two objectives differ
        save_figure(plots.front_on_new_data(evidence, front), folder / "new_data.png")
    save_figure(plots.trade_off(evidence), folder / "trade_off.png")
    if evidence.value == "cost" and evidence.costs is not None:
        save_figure(plots.price_of_limit(evidence), folder / "price_of_limit.png")
        if evidence.costs.referral is not None:
            save_figure(plots.referral(evidence), folder / "referral.png")
    for found in groups:
        name = re.sub(r"[^0-9A-Za-z]+", "_", str(found.table.index.name))
        save_figure(plots.by_group(found).figure, folder / f"by_{name}.png")
