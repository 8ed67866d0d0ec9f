"""By what `moselect select` is to find a model, and the files that it writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moselect.cli.options import numbers
from moselect.decision import Loss
from moselect.export.export_model import check_export, export_model
from moselect.models import Model, ModelCard
from moselect.storage import Run, write_model
from moselect.storage.atomic import check_file_path
from moselect.storage.model_file import check_model_path, suffix_of

CHOICES = ("cheapest", "simple")
SUMS = ("points", "linear", "curves", "proportional odds")


@dataclass(frozen=True)
class Request:
    """By what a model is selected, and the files for it; ``out`` None: model.json or .skops."""

    class_costs: list[float] | None = None
    loss: Loss | None = None
    costs_file: Path | None = None
    priors: list[float] | None = None
    preferences: dict[str, float] | None = None
    model: int | None = None
    best: str | None = None
    balanced: bool = False
    kind: str | None = None
    models: list[str] | None = None
    limits: dict[str, float] | None = None
    refer: dict[str, Any] | None = None
    conditions: int | None = None
    out: Path | None = None
    export: Path | None = None
    dialect: str | None = None
    force: bool = False

    def check_ways(self) -> None:
        """Raise ValueError if it is selected in more than one way."""
        ways = {
            "--class-costs": self.class_costs is not None,
            "--cost-matrix": self.costs_file is not None,
            "--prefer": self.preferences is not None,
            "--model": self.model is not None,
            "--best": self.best is not None,
            "--balanced": self.balanced,
        }
        given = [option for option, is_given in ways.items() if is_given]
        if len(given) > 1:
            raise ValueError(f"give one of {' and '.join(given)}")
        if self.priors is not None and not (self.class_costs or self.costs_file):
            raise ValueError("--priors needs costs: --class-costs or --cost-matrix")
        if self.refer is not None and not (self.class_costs or self.costs_file):
            raise ValueError("--refer needs costs: --class-costs or --cost-matrix")
        if self.loss is not None and self.class_costs is None:
            raise ValueError("--loss says how --class-costs grow: give those")
        if (self.kind or self.models or self.limits) and self.is_member:
            raise ValueError(
                "--kind, --models and --limit go with --class-costs, --cost-matrix or --prefer"
            )
        if self.conditions is not None and self.kind != "points":
            raise ValueError("--conditions goes with --kind points")

    @property
    def is_member(self) -> bool:
        """Whether a model of the front is taken as it is."""
        return self.model is not None or self.best is not None or self.balanced

    @property
    def wants_graph(self) -> bool:
        """Whether the model is exported to ONNX, which holds pools, too."""
        return self.export is not None and self.export.suffix.lower() == ".onnx"

    @property
    def wants_sum(self) -> bool:
        """Whether a file is to be written that holds sums of terms alone."""
        exported = self.export is not None and not self.wants_graph
        return exported or (self.out is not None and self.out.suffix != ".skops")

    def holds(self, model: Model) -> bool:
        """Return whether the files can hold a model, or are to hold this one and no other."""
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
        return self.out or Path(f"model{suffix_of(model)}")

    def check_files(self, run: Run) -> None:
        """Raise ValueError if a file cannot be written, before anything is fitted."""
        if self.dialect is not None and self.export is None:
            raise ValueError("--dialect goes with --export FILE.sql")
        if self.kind not in (None, *CHOICES, *SUMS) and not self.is_member:
            ways = "give --kind linear or --kind curves"
            if self.export is not None and not self.wants_graph:
                raise ValueError(f"{self.kind} can be exported to .onnx only: {ways}")
            if self.out is not None and self.out.suffix != ".skops":
                raise ValueError(
                    f"'{self.out}': {self.kind} is a .skops file: write to "
                    f"'{self.out.with_suffix('.skops')}', or {ways}"
                )
        model = run.front[0]
        if self.export is not None:
            check_export(model, self.export, self.dialect, overwrite=self.force)
        if not (self.is_member or self.kind in SUMS or self.wants_sum):
            check_file_path(self.out or Path("model.skops"), replace=self.force)
            return
        check_file_path(self.path(model), replace=self.force)
        check_model_path(self.path(model), model)

    def write(self, model: Model, about: dict[str, Any], card: ModelCard | None) -> None:
        """Write the model, and what it is exported to."""
        force = self.force
        if self.export is not None:
            export_model(model, self.export, card=card, dialect=self.dialect, overwrite=force)
        write_model(self.path(model), model, about, card, overwrite=force)


def referral_of(text: str | None) -> dict[str, Any] | None:
    """Read what a referral costs, and what it is called: 2.5, person:2.5 or person:1,2,5."""
    if text is None:
        return None
    label, _, costs = text.rpartition(":")
    each = numbers("--refer", costs) or []
    return {label.strip() or "refer": each[0] if len(each) == 1 else each}


def limits_of(texts: list[str] | None) -> dict[str, float]:
    """Read limits, each a mistake and a share; ValueError if one has no share."""
    limits = {}
    for text in texts or []:
        words, _, share = text.rpartition(":")
        try:
            limits[words] = float(share)
        except ValueError:
            raise ValueError(f"--limit {text}: write 'severe<serious:0.2'") from None
    return limits
