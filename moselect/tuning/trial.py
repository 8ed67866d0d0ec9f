"""A trial of a tuning search, and the folder in which trials are kept one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from moselect._types import Floats
from moselect.datasets.load import fingerprint
from moselect.io.documents import as_json
from moselect.io.model_file import DOCUMENT, as_bytes
from moselect.io.packed import Archive
from moselect.io.run_record import recorded_versions
from moselect.learning import CV, Fitted, Predictions
from moselect.listing import in_one_line
from moselect.selection.selector import Decision
from moselect.tuning.spaces import Space, optuna_module, spaces_of


@dataclass(frozen=True, eq=False)
class Trial:
    """An estimator with sampled hyper-parameters, and its out-of-fold predictions.

    Attributes
    ----------
    name : str
        Name of the estimator and number of the trial; number 0 has its own settings.
    space : Space
        The search space.
    sampled : dict of str to float
        Sampled hyper-parameters in Optuna's internal form.
    proba : ndarray of shape (n, r), or None
        Out-of-fold class probabilities, once it is cross-validated.
    failure : str or None
        Reason why it failed.
    seconds : float
        Time of all fits.
    """

    name: str
    space: Space
    sampled: dict[str, float]
    proba: Floats | None = None
    failure: str | None = None
    seconds: float = math.nan

    @property
    def settings(self) -> dict[str, Any]:
        """Hyper-parameters by name."""
        return self.space.settings(self.sampled)

    @property
    def about(self) -> dict[str, Any]:
        """Document that identifies the model."""
        described = f"{in_one_line(repr(self.space.estimator))} with {self.settings}"
        return {"model": self.space.name, "sampled": self.sampled, "is": described}

    def join(self, decision: Decision) -> Fitted | None:
        """Make the trial a candidate, without a final fit; None if it failed."""
        if self.name not in decision.fits.learners:
            estimator = self.space.with_settings(self.settings)
            decision.fits.add_models({self.name: estimator})
        if self.proba is None:
            return None
        predictions = {CV: Predictions.of(self.proba)}
        fitted = Fitted(None, predictions, math.nan, self.seconds)
        decision.fits.known[self.name] = fitted
        decision.trials = *decision.trials, self.name
        return fitted


class TrialArchive:
    """Trials in a folder, each in a file of its own.

    Files of other data, folds, seeds or versions count as absent.
    """

    def __init__(self, folder: Path, decision: Decision) -> None:
        samples = decision.samples
        table = pd.DataFrame(samples.X).assign(**{"": samples.sample_weight_or_ones})
        about = {
            "data": fingerprint(table, pd.Series(samples.codes)),
            "seed": decision.fits.seed,
            "versions": recorded_versions() | {"optuna": optuna_module().__version__},
        }
        mark = as_json(about) + decision.folds.parts.tobytes()
        self._archive = Archive(folder, sha256(mark).digest())
        self._classes = samples.classes

    def __iter__(self) -> Iterator[Trial]:
        """Iterate over the trials of known models."""
        spaces: dict[str, Space] = {}
        for name in self._archive:
            document, arrays = self._read(name)
            if not document:
                continue
            model = document["model"]
            if model not in spaces:
                (spaces[model],) = spaces_of(model, self._classes)
            trial = Trial(name, spaces[model], document["sampled"])
            done = _with_results(trial, document, arrays)
            if done is not None:
                yield done

    def find(self, trial: Trial) -> Trial | None:
        """Return a trial with its results; None if they are absent."""
        return _with_results(trial, *self._read(trial.name))

    def keep(self, trial: Trial) -> None:
        """Write a trial with its results."""
        document = trial.about | {"failure": trial.failure, "seconds": trial.seconds}
        arrays: dict[str, Any] = {DOCUMENT: as_bytes(as_json(document))}
        if trial.proba is not None:
            arrays["proba"] = trial.proba
        self._archive.keep(trial.name, arrays)

    def _read(self, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        arrays = self._archive.find(name)
        if arrays is None:
            return {}, {}
        return msgspec.json.decode(arrays[DOCUMENT].tobytes()), arrays


def restore_trials(decision: Decision, folder: Path) -> None:
    """Make the trials of a folder candidates of a decision; ValueError if there are none."""
    for trial in TrialArchive(folder, decision):
        trial.join(decision)
    if not decision.trials:
        raise ValueError(
            f"there are no trials in '{folder}': begin with moselect tune {folder.parent}"
        )


def _with_results(
    trial: Trial, document: dict[str, Any], arrays: Mapping[str, Any]
) -> Trial | None:
    """Add stored results to a trial; None if they are absent, or of a space changed since."""
    results = {name: document.pop(name, None) for name in ("failure", "seconds")}
    if document != trial.about:
        return None
    return replace(trial, proba=arrays.get("proba"), **results)
