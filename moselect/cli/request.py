"""Selection criteria and output files of `moselect select`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from moselect.cli.options import Growth, Names, Numbers, Review
from moselect.io.atomic import check_file_path

if TYPE_CHECKING:  # slow to import
    from moselect._types import Document
    from moselect.predictor import Model, ModelCard

CHOICES = ("cheapest", "simple")
SUMS = ("scorecard", "linear", "additive", "proportional odds", "best member")
WAYS = ("class_costs", "cost_matrix", "metric", "prefer", "member", "best", "balanced")


@dataclass(frozen=True, kw_only=True)
class Request:
    """Selection criteria and output files, as given to `moselect select`."""

    out: Path | None = None
    class_costs: Numbers = None
    loss: Growth = None
    cost_matrix: Path | None = None
    metric: str | None = None
    priors: Numbers = None
    prefer: Mapping[str, float] | None = None
    member: int | None = None
    best: str | None = None
    balanced: bool = False
    model: str | None = None
    candidates: Names = None
    conditions: int | None = None
    limit: list[tuple[str, float]] | None = None
    refer: Review = None
    by: Names = None
    export: Path | None = None
    dialect: str | None = None
    data: str | None = None
    force: bool = False

    def check(self) -> None:
        """Raise ValueError if options exclude each other."""
        stated = [way for way in WAYS if getattr(self, way) is not getattr(Request, way)]
        if len(stated) > 1:
            flags = (f"--{way.replace('_', '-')}" for way in stated)
            raise ValueError(f"give one of {' and '.join(flags)}")
        if self.class_costs is None and self.cost_matrix is None:
            for name in ("priors", "refer"):
                if getattr(self, name) is not None:
                    raise ValueError(
                        f"--{name} needs costs: --class-costs or --cost-matrix"
                    )
        if self.loss is not None and self.class_costs is None:
            raise ValueError("--loss needs --class-costs")
        if (self.model or self.candidates or self.limit or self.by) and self.is_member:
            raise ValueError(
                "--model, --candidates, --limit and --by need --class-costs, --cost-matrix, "
                "--metric or --prefer"
            )
        if self.conditions is not None and self.model != "scorecard":
            raise ValueError("--conditions needs --model scorecard")
        if self.dialect is not None and self.export is None:
            raise ValueError("--dialect needs --export FILE.sql")

    @property
    def is_member(self) -> bool:
        """Whether a model of the front is taken as it is."""
        return self.member is not None or self.best is not None or self.balanced

    @property
    def wants_graph(self) -> bool:
        """Whether the model is exported to ONNX, which holds ensembles, too."""
        return self.export is not None and self.export.suffix.lower() == ".onnx"

    @property
    def wants_sum(self) -> bool:
        """Whether a file is to be written that holds sums of terms alone."""
        exported = self.export is not None and not self.wants_graph
        return exported or (self.out is not None and self.out.suffix != ".npz")

    def check_files(self, model: Model) -> None:
        """Raise ValueError if a file cannot be written, before anything is fitted."""
        from moselect.export.export_model import check_export
        from moselect.io.model_file import check_model_path

        if self.model not in (None, *CHOICES, *SUMS):
            ways = "give --model linear or --model additive"
            if self.export is not None and not self.wants_graph:
                raise ValueError(
                    f"{self.model} cannot be exported to '{self.export}': {ways}"
                )
            if self.out is not None and self.out.suffix != ".npz":
                raise ValueError(
                    f"'{self.out}': {self.model} is a .npz file: write to "
                    f"'{self.out.with_suffix('.npz')}', or {ways}"
                )
        if self.export is not None:
            check_export(model, self.export, self.dialect, overwrite=self.force)
        paths = [self.path(model)]
        if self.out is None and not (
            self.is_member or self.model in SUMS or self.wants_sum
        ):
            # The fits decide which of the two it will be.
            paths = [Path("model.json"), Path("model.npz")]
        for path in paths:
            check_file_path(path, replace=self.force)
        check_model_path(paths[-1], model)

    def holds(self, model: Model) -> bool:
        """Return whether the files can hold a model, or are to hold this one and no other."""
        from moselect.io.model_file import suffix_of

        if self.model not in (None, *CHOICES):
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
        from moselect.io.model_file import suffix_of

        return self.out or Path(f"model{suffix_of(model)}")

    def write(
        self, model: Model, about: Document, card: ModelCard | None
    ) -> dict[str, str]:
        """Write the model and its exports; return the names of the files."""
        from moselect.export.export_model import export_model
        from moselect.io import write_model

        path = self.path(model)
        files = {"file": str(path)}
        if self.export is not None:
            files["export"] = str(self.export)
            export_model(
                model,
                self.export,
                card=card,
                dialect=self.dialect,
                overwrite=self.force,
            )
        write_model(path, model, about, card, overwrite=self.force)
        return files
